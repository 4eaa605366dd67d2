// SPDX-License-Identifier: Apache-2.0
/*
 * parb_queue.h - the queue of parb: writes in ordered modes, and a head alone for an event of one, which needs no memory.
 */
#ifndef PARB_QUEUE_H
#define PARB_QUEUE_H

#include "nic/packet/nic_types.h"

#define BQ         parb_queue
#define BQ_CLASSES 1
#define BQ_LOG2    NIC_QUEUED_LOG2
#include "common/beat/beat_queue.inc"

#endif
