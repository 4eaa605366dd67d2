// SPDX-License-Identifier: Apache-2.0
/*
 * beat_store.h - two FIFOs of beats, requests (class 0) and responses (class 1), of packets that are good: beat_queue.inc.
 */
#ifndef BEAT_STORE_H
#define BEAT_STORE_H

#include "config/machine.h"

#define BQ         beat_store
#define BQ_CLASSES 2
#define BQ_WHOLE   1
#if RTR_LENGTH_BITS == 0
#define BQ_ROOM 24 /* three packets of eight acks */
#endif
#include "common/beat/beat_queue.inc"

#endif
