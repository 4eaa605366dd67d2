// SPDX-License-Identifier: Apache-2.0
/*
 * nic_ce.h - reductions: which operations there are, and what each makes of the contributions of children in their order.
 *
 * Plain C11, shares nothing with hls/: numbers are compared and added by the host, whose floating-point unit also says which
 * exceptions there were.
 */
#ifndef GOLDEN_NIC_CE_H
#define GOLDEN_NIC_CE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exceptions, or-ed. */
enum { GN_CE_INVALID = 1, GN_CE_OVERFLOW = 2, GN_CE_UNDERFLOW = 4, GN_CE_INEXACT = 8 };

/* A contribution, or a result. Of minimum and maximum the second one says whose the first one is. */
struct gn_ce_value {
    uint64_t first, second;
    unsigned exceptions;
};

/* Of 64 numbers 26 are operations. */
bool gn_ce_exists(unsigned operation);

/* Its name, as "FPMIN_GIDX_64". */
const char *gn_ce_name(unsigned operation);

/*
 * The children's contributions, folded from child 0 on; n is 1 or more. rounding: 0 nearest, 1 up, 2 down, 3 to zero. Of 32-bit operations
 * the low halves count, and the high halves of the result are 0. Exceptions of the children are among those of the result.
 */
struct gn_ce_value gn_ce_fold(unsigned operation, unsigned rounding,
                              const struct gn_ce_value *children, size_t n);

#endif
