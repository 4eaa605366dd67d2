// SPDX-License-Identifier: Apache-2.0
/*
 * beat_queue2.h - two FIFOs of encoded beats, requests (class 0) and responses (class 1), in one memory:
 * beat_queue.inc.
 */
#ifndef BEAT_QUEUE2_H
#define BEAT_QUEUE2_H

#define BQ         beat_queue2
#define BQ_CLASSES 2
#define BQ_CODED   1
#include "common/beat/beat_queue.inc"

#endif
