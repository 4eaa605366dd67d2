// SPDX-License-Identifier: Apache-2.0
/* column_buffer.c - buffer of an output for one column bus: vc_queue.inc. */
#define VCQ_BODY
#include "router/output/column_buffer.h"
