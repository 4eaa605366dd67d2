// SPDX-License-Identifier: Apache-2.0
/* beat_queue2.c - two FIFOs of beats in one memory: beat_queue.inc. */
#define BQ_BODY
#include "common/beat/beat_queue2.h"
