// SPDX-License-Identifier: Apache-2.0
/*
 * nic_host.h - the way of software to a NIC: stores and loads of pages and windows, registers, time.
 *
 * Behind it stand the native model of a chip, a Verilated one, or a machine in another process.
 */
#ifndef SIM_NIC_HOST_H
#define SIM_NIC_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct nic_host {
    void *context;

    /* count bytes, 1 to 64, within a line of 64, to pages and windows (s_axi); posted, and in order. */
    void (*store)(void *context, uint64_t address, const void *bytes, unsigned count);

    /* A word of a page; behind all stores of before. */
    uint64_t (*load)(void *context, uint64_t address);

    /* A register by its address in words (nic_map.h), over s_axil. False: the NIC refused it. */
    bool (*reg_write)(void *context, uint16_t address, uint64_t value);
    uint64_t (*reg_read)(void *context, uint16_t address);

    /* So many clocks pass; nothing, where they pass by themselves. */
    void (*advance)(void *context, unsigned clocks);

    /* Clocks since some moment. */
    uint64_t (*clocks)(void *context);
};

#endif
