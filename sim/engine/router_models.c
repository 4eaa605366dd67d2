// SPDX-License-Identifier: Apache-2.0
/*
 * router_models.c - the machines that a program of sim/ holds; router_model.c is one of them.
 */
#include <assert.h>
#include <stddef.h>

#include "sim/engine/router_model.h"

#define ROUTER(name) &router_##name,
static const struct router_model *const models[] = {SIM_MACHINES(ROUTER)};

const struct router_model *router_model_of(const struct machine *machine)
{
    const struct router_model *found = NULL;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (models[i]->machine == machine)
            found = models[i];
    assert(found);
    return found;
}
