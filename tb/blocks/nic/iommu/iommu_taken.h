// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_taken.h - pages and tables that are taken away while accesses to them go on.
 */
#ifndef TB_NIC_IOMMU_TAKEN_H
#define TB_NIC_IOMMU_TAKEN_H

#include "tb/blocks/nic/iommu/iommu_bench.h"

/* So often a page is moved or removed, or a second table is; when that has settled, nobody comes to what was there. */
void test_taken(unsigned rounds);

/* So often all contexts lose their tables. */
void test_teardown(unsigned rounds);

#endif
