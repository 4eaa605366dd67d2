// SPDX-License-Identifier: Apache-2.0
/* units.c - bodies of the modules of units.h. */
#define LIB_BODY
#include "units.h"
