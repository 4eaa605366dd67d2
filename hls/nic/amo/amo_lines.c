// SPDX-License-Identifier: Apache-2.0
#define LINES_BODY
#include "nic/amo/amo_lines.h"
