// SPDX-License-Identifier: Apache-2.0
/* iommu_queue.c - data of writes that wait for their addresses: beat_queue.inc. */
#define BQ_BODY
#include "nic/iommu/iommu_queue.h"
