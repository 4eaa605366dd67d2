// SPDX-License-Identifier: Apache-2.0
/*
 * topology.h - a network as a graph of routers, ports and links, with its routing tables and VC maps.
 *
 * Tables are not stored: topo_entries() computes any words of any table, exactly as it is written into
 * that tile, so that machines of any size can be asked. What differs between networks is the wiring that `ports`
 * shows and two functions, `candidates` and `hop`.
 */
#ifndef SIM_TOPOLOGY_H
#define SIM_TOPOLOGY_H

#include <stddef.h>

#include "sim/net/machine.h"

enum { TOPO_NOBODY = -1, TOPO_ERROR = 200, TOPO_NAME = 64, TOPO_CANDIDATES = 64 };

/* What is at a port. Kinds from PORT_LINK on belong to the topology. */
enum port_kind { PORT_UNUSED, PORT_PROCESSOR, PORT_LINK };

struct port {
    int32_t router; /* at the other end of the link, or TOPO_NOBODY */
    uint8_t port;   /* there */
    uint8_t kind;
};

/* Who a router says it is: the part of its destinations that tables compare. Values are those of the head flit. */
struct here {
    unsigned global, local;
};

/* A destination: a NIC (aries, gemini) or a processor (yarc). */
struct node {
    unsigned router, global, local, sub;
    uint64_t ports; /* processor ports of that router where it injects and ejects, a mask */
};

/* The candidates that a table entry may hold, before two are drawn from them. */
struct candidate_list {
    unsigned count;
    struct candidate candidate[TOPO_CANDIDATES];
};

/* What is asked of a table: of the tile at `port`, for {local, index}, `sub` if that is our own router. */
struct question {
    unsigned router, port;
    bool nonminimal, local;
    unsigned index, sub; /* index: as machine.h has it */
};

struct topology {
    const struct machine *machine;
    char name[TOPO_NAME];
    unsigned routers, nodes;
    struct port (*ports)[MACHINE_PORTS];
    struct here *here;
    struct node *node;
    unsigned groups; /* values of `global` that nodes have, and those values, rising */
    unsigned *group;
    const char *const *kinds; /* names of port kinds; NULL behind the last */
    unsigned longest_minimal; /* links between routers; what the seed allows, at most */
    unsigned longest;
    unsigned classes;     /* requests, responses */
    unsigned first_vc[2]; /* with which a packet of that class is injected */
    unsigned
        period; /* routers of a group, if all groups are wired alike, one after the other; else 0 */
    void *shape; /* the sizes of this kind of network */

    void (*candidates)(const struct topology *t, const struct question *q,
                       struct candidate_list *list);
    /* The VC map of the tile at `port`. */
    struct hop (*hop)(const struct topology *t, unsigned router, unsigned port, bool nonminimal,
                      unsigned type, unsigned vc, unsigned phase);
};

void topo_free(struct topology *t);

/* The words of a table for destination {local, index}; sub in the question is ignored. */
void topo_entries(const struct topology *t, const struct question *q,
                  uint64_t words[MACHINE_DRAWS]);

/*
 * Rows of a router whose inputs bring packets in transit, if its processors have rows of their own: such packets go first
 * at its outputs. Else 0.
 */
unsigned topo_transit_rows(const struct topology *t, unsigned router);

/* The far part of a router's global; of one that has none a value that no destination has. */
unsigned topo_far(const struct topology *t, unsigned router);

/* The index under which a tile of router `here` looks for a destination of another group. */
unsigned topo_index(const struct topology *t, unsigned here, unsigned global);

/* How many indices the local and the global table of this network have. */
unsigned topo_indices(const struct topology *t, bool local);

/* Links between each router and `from`, UINT32_MAX if there is no route; distance has t->routers places. */
void topo_distances(const struct topology *t, unsigned from, unsigned *distance);

/* ---- for those who build networks --------------------------------------------------------------- */

struct topology *topo_new(const struct machine *machine, unsigned routers, unsigned nodes);
void *topo_copy(const void *shape, size_t size);
void topo_link(struct topology *t, unsigned a, unsigned a_port, unsigned a_kind, unsigned b,
               unsigned b_port, unsigned b_kind);
void topo_add(struct candidate_list *list, unsigned col, unsigned rows, unsigned type);

/* One candidate for each port of mask that is in use, or (two steps) for each column of it. */
void topo_add_ports(const struct topology *t, struct candidate_list *list, uint64_t ports,
                    unsigned type);

/* Fills in groups and group, of the nodes that there are. */
void topo_list_groups(struct topology *t);

#endif
