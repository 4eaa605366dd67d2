// SPDX-License-Identifier: Apache-2.0
/* column_credit.c - credits for one column bus: vc_credit.inc. */
#define VCC_BODY
#include "router/cross/column_credit.h"
