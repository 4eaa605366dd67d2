// SPDX-License-Identifier: Apache-2.0
/* stage_queue.c - staging behind route: vc_queue.inc. */
#define VCQ_BODY
#include "router/input/stage_queue.h"
