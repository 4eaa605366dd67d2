// SPDX-License-Identifier: Apache-2.0
/*
 * errors.h - rows of the table of errors (errors.md, "By place"): each makes its cause happen to an actor and says whether what the
 * table promises came of it. test_nic_errors.c runs them, idle and under traffic.
 */
#ifndef NIC_ERRORS_H
#define NIC_ERRORS_H

#include "tb/system/nic/nic_actor.h"

struct error_row {
    const char *name;
    bool (*happens)(struct actor *a);
    uint16_t counter; /* that counts it, and FIRST_ERROR names it if it is an error; 0: none */
    unsigned node;    /* whose */
};

/* What the host does; events at targets; block transfers; page tables; what comes from the network, and management; atomic operations; reductions. Each list ends with a row without a name. */
extern const struct error_row errors_host[], errors_target[], errors_transfer[], errors_pages[],
    errors_network[], errors_atomic[], errors_reduce[];

#endif
