// SPDX-License-Identifier: Apache-2.0
/*
 * torus3.h - networks of SeaStar chips: seastar:XxYxZ, where a dimension with m behind its size is a mesh, and their routing tables.
 *
 * Node x + X (y + Y z). Ports of a router: 0 the node, 1 to 6 x+, x-, y+, y-, z+, z-. A packet goes by z, then x, then y, in each the
 * shorter way round. In a ring it takes VC bit 0 = 0 up to the dateline, the link between the last and the first coordinate, and 1 from
 * that link on; one that does not cross it takes 0 or 1 for its whole way in that ring.
 */
#ifndef SIM_SEASTAR_TORUS3_H
#define SIM_SEASTAR_TORUS3_H

#include <stdbool.h>
#include <stdint.h>

enum { TORUS3_ERROR = 160, TORUS3_MOST = 4096, TORUS3_PORTS = 7, TORUS3_NONE = 7 };

struct torus3 {
    unsigned size[3];
    bool mesh[3];
    bool datelines; /* false: every packet keeps VC bit 0 = 0, which is wrong on purpose */
    unsigned nodes;
};

/* An entry of an input's local table. */
struct torus3_entry {
    unsigned port; /* TORUS3_NONE: no packet comes by this input for that node */
    bool v;
};

/* From "XxYxZ"; false with one line in error. */
bool torus3_read(struct torus3 *t, const char *text, char error[TORUS3_ERROR]);

/* What the table of input `port` of the router at `node` has for `dst`. */
struct torus3_entry torus3_entry(const struct torus3 *t, unsigned node, unsigned port,
                                 unsigned dst);

/* The router at the other end of a link, and the port by which it hears it. */
unsigned torus3_neighbour(const struct torus3 *t, unsigned node, unsigned port);
unsigned torus3_opposite(unsigned port);

#endif
