// SPDX-License-Identifier: Apache-2.0
/*
 * rat_model.h - what rat has to make of a request.
 */
#ifndef TB_NIC_RAT_MODEL_H
#define TB_NIC_RAT_MODEL_H

#include "tb/blocks/nic/target/rat_bench.h"

/* The command is one that is built; it is of memory. */
bool rat_model_exists(const struct request *r);
bool rat_model_touches(const struct request *r);

/* The flag of a whole transaction needs its place when it comes, though it is written later. */
bool rat_model_flagged(const struct request *r);

/* What comes of a request, and of the counts, which are added to those expected. */
struct outcome rat_model(const struct request *r);

#endif
