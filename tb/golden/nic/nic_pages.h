// SPDX-License-Identifier: Apache-2.0
/*
 * nic_pages.h - what page tables mean: the physical address of an address of a context, by division.
 */
#ifndef GOLDEN_NIC_PAGES_H
#define GOLDEN_NIC_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct gp_context {
    bool enabled;
    unsigned levels; /* 1 or 2 */
    unsigned log2;   /* bytes of a page */
    uint64_t root;   /* address of the first table */
};

/* Outcomes, numbered as the answers of host memory. */
enum gp_status { GP_DONE, GP_NO_PAGE, GP_BUS_ERROR, GP_POISON };

/* Eight bytes of host memory; *status says if they could not be read. */
typedef uint64_t gp_read(void *memory, uint64_t address, enum gp_status *status);

enum gp_status gp_translate(const struct gp_context *context, uint64_t address, bool write,
                            gp_read *read, void *memory, uint64_t *physical);

#endif
