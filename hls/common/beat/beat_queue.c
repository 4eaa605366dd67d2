// SPDX-License-Identifier: Apache-2.0
/* beat_queue.c - a FIFO of beats of one class: beat_queue.inc. */
#define BQ_BODY
#include "common/beat/beat_queue.h"
