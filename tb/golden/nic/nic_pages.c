// SPDX-License-Identifier: Apache-2.0
/*
 * nic_pages.c - translation by division: the number of a page, its entry, the remainder.
 */
#include "tb/golden/nic/nic_pages.h"

enum { ENTRY = 8, SMALLEST = 12, LARGEST = 36 };

#define FRAME      UINT64_C(4096)
#define ALL_FRAMES (UINT64_C(1) << 36)
#define ADDRESSES  (UINT64_C(1) << 48)

static uint64_t frame_of(uint64_t entry)
{
    return entry / FRAME % ALL_FRAMES * FRAME;
}

/* Entry n of a table; *status as the memory says, or that it is not valid. */
static uint64_t entry_of(uint64_t table, uint64_t n, gp_read *read, void *memory,
                         enum gp_status *status)
{
    uint64_t entry = read(memory, (table + ENTRY * n) % ADDRESSES, status);

    if (*status == GP_DONE && entry % 2 == 0) {
        *status = GP_NO_PAGE;
    }
    return entry;
}

enum gp_status gp_translate(const struct gp_context *context, uint64_t address, bool write,
                            gp_read *read, void *memory, uint64_t *physical)
{
    uint64_t table = context->root;
    enum gp_status status = GP_DONE;

    if (!context->enabled || context->log2 < SMALLEST || context->log2 > LARGEST ||
        (context->levels == 2 && context->log2 != SMALLEST)) {
        return GP_NO_PAGE;
    }
    uint64_t page = UINT64_C(1) << context->log2, number = address / page;

    if (context->levels == 2) {
        table = frame_of(entry_of(table, number / 512, read, memory, &status));
        number %= 512;
    }
    if (status != GP_DONE) {
        return status;
    }
    uint64_t entry = entry_of(table, number, read, memory, &status);

    if (status == GP_DONE && write && entry / 2 % 2 == 0) {
        status = GP_NO_PAGE;
    }
    *physical = frame_of(entry) / page * page + address % page;
    return status;
}
