// SPDX-License-Identifier: Apache-2.0
/* row_buffer.c - buffer of a subswitch for one row bus: vc_queue.inc. */
#define VCQ_BODY
#include "router/cross/row_buffer.h"
