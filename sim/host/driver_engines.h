// SPDX-License-Identifier: Apache-2.0
/*
 * driver_engines.h - the driver: collective engines for the processes of a job. The job's drivers agree on the tree: which engine of which node
 * is whose child.
 */
#ifndef SIM_HOST_DRIVER_ENGINES_H
#define SIM_HOST_DRIVER_ENGINES_H

#include "sim/host/driver.h"

enum { DRV_ENGINES = 4, DRV_CHILDREN = 32 };

/* A child of an engine: a descriptor of a process of the job on this node, which alone may join as it, or an engine of a node. */
struct drv_child {
    bool is_engine;
    unsigned descriptor;
    uint32_t node;
    unsigned engine;
};

struct drv_engine {
    bool is_root;
    uint32_t parent; /* else: of this node, */
    unsigned parent_engine;
    unsigned place;      /* and which of its children this engine is */
    unsigned rounding;   /* 0 nearest, 1 up, 2 down, 3 to zero */
    unsigned mode;       /* of routing, 0 to 6 */
    bool events, errors; /* each endpoint gets one when a reduction ends OK, or otherwise */
    unsigned epochs;     /* until a reduction that is not over ends TIMEOUT; 0: never */
    unsigned children;
    struct drv_child child[DRV_CHILDREN];
};

/*
 * An engine for the job of a process; wanted: this one. It ends with the process, or with one of its endpoints' processes. DRV_REFUSED: the NIC
 * has none. DRV_FULL: it is in use, or the NIC has no two transactions left for it.
 */
enum drv_result drv_engine(struct drv_process *p, unsigned wanted, const struct drv_engine *want);

/* Who waits for a reduction of it hears SEQUENCE, and then nothing of it touches the node's memory. */
enum drv_result drv_engine_end(struct drv_process *p, unsigned engine);

#endif
