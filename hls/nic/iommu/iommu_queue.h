// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_queue.h - the queue of iommu: data of writes that wait for their addresses.
 */
#ifndef IOMMU_QUEUE_H
#define IOMMU_QUEUE_H

#define BQ         iommu_queue
#define BQ_CLASSES 1
#define BQ_LOG2    (NIC_WALKS_LOG2 + 3) /* four beats for each access of a lane */
#define BQ_ROOM    3                    /* what parb sends until it sees that there is no room */
#include "common/beat/beat_queue.inc"

#endif
