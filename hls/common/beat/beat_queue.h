// SPDX-License-Identifier: Apache-2.0
/*
 * beat_queue.h - a FIFO of beats of one class, with the oldest one in a register: beat_queue.inc.
 */
#ifndef BEAT_QUEUE_H
#define BEAT_QUEUE_H

#define BQ         beat_queue
#define BQ_CLASSES 1
#include "common/beat/beat_queue.inc"

#endif
