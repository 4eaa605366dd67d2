// SPDX-License-Identifier: Apache-2.0
/*
 * ptl_port.h - how the library reaches a node: its memory, its mailboxes and registers, and its time.
 *
 * Whoever models the node fills in a ptl_port and opens it; ptl_interrupt() is the driver's handler, called some time after the node's
 * interrupt.
 */
#ifndef SIM_HOST_PTL_PORT_H
#define SIM_HOST_PTL_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct ptl_port {
    void *node; /* first argument of all functions */
    unsigned nid;
    unsigned nodes;  /* of the network: their numbers are below it */
    uint8_t *memory; /* addresses are places in it */
    uint64_t bytes;
    uint64_t heap; /* from here on memory is the library's */
    uint64_t (*read)(void *node, unsigned reg);
    void (*write)(void *node, unsigned reg, uint64_t data);
    bool (*mail)(void *node, unsigned address, const uint64_t *word, unsigned beats);
    void (*spend)(void *node, unsigned clocks); /* time of the host */
    unsigned cost_entry, cost_me,
        cost_command; /* clocks of the handler: an entry, an entry of a list that is walked, a command */
    void *driver; /* the library's */
};

void ptl_open(struct ptl_port *port);
void ptl_close(struct ptl_port *port);
void ptl_interrupt(struct ptl_port *port);

/* Which port the next PtlNIInit is for, and whether in accelerated mode. */
void ptl_choose(struct ptl_port *port, bool accelerated);

#endif
