// SPDX-License-Identifier: Apache-2.0
/*
 * driver_pages.h - spaces of addresses: page tables of two levels in memory of the driver, by the rules of hls/nic/iommu/README.md.
 *
 * A space has addresses of its own, whose pages of 4 KB lie anywhere in the memory of its process. Handles of it name addresses
 * (struct drv_segment, pages).
 */
#ifndef SIM_HOST_DRIVER_PAGES_H
#define SIM_HOST_DRIVER_PAGES_H

#include "sim/host/driver.h"

enum { DRV_SPACES = 16, DRV_PAGE = 4096, DRV_TABLE_SPAN = 1 << 21 };

/* What a space begins with: one page of tables for each 1 GB of addresses, and one for each 2 MB that something is mapped in. */
struct drv_tables {
    uint64_t addresses; /* those below it: a multiple of 2 MB, up to 2^48 */
    unsigned count;     /* pages of tables */
    uint64_t place;     /* for the NIC (drv_kernel_memory); */
    void *memory;       /* and where the driver reaches them, aligned to 8 bytes */
};

/* DRV_FULL: all 16 contexts are in use. */
enum drv_result drv_pages(struct drv_process *p, const struct drv_tables *want,
                          struct drv_pages **pages);

/* Pages from `address` on are those from `place` on, in one span of the process. DRV_FULL: no page for a table is left, nothing is mapped. */
enum drv_result drv_map(struct drv_pages *pages, uint64_t address, uint64_t place, uint64_t bytes,
                        bool writable);

/* When this is over the NIC has no access to these pages under way, nor to tables that are empty: both may be used again. */
enum drv_result drv_unmap(struct drv_pages *pages, uint64_t address, uint64_t bytes);

/* The same of the whole space; its tables are the caller's. Handles of it: DRV_WRONG. */
enum drv_result drv_pages_end(struct drv_pages *pages);

#endif
