// SPDX-License-Identifier: Apache-2.0
/*
 * beat_store.h - two FIFOs of beats, requests (class 0) and responses (class 1), of packets that are good: beat_queue.inc.
 */
#ifndef BEAT_STORE_H
#define BEAT_STORE_H

#define BQ         beat_store
#define BQ_CLASSES 2
#define BQ_WHOLE   1
#include "common/beat/beat_queue.inc"

#endif
