// SPDX-License-Identifier: Apache-2.0
/*
 * amo_queue.h - the queue of amo: as many operations as other nodes may have outstanding at one variable, so that puts and gets behind them do
 * not wait.
 */
#ifndef AMO_QUEUE_H
#define AMO_QUEUE_H

#include "nic/packet/nic_types.h"

#define BQ         amo_queue
#define BQ_CLASSES 1
#define BQ_LOG2    NIC_AMO_QUEUE_LOG2
#include "common/beat/beat_queue.inc"

#endif
