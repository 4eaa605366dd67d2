// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_cores.h - the two cores of a node of the bench: what they drive on AXI4, and the checker of what they read.
 */
#ifndef TB_BGL_CORES_H
#define TB_BGL_CORES_H

#include "tb/bgl/bgl_bench.h"

/* Sets the inputs of both cores' ports for this clock, from what the node shows. */
void cores_drive(struct bgl_bench *b, unsigned node);

/* Ports at rest: for `manual`, where a test drives them between steps. */
void cores_idle(struct bgl_bench *b);

/* The bench's own cores begin anew, with nothing under way. */
void cores_reset(struct bgl_bench *b);

#endif
