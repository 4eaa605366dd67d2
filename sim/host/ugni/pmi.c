// SPDX-License-Identifier: Apache-2.0
/*
 * pmi.c - rank and size, from what the launcher left in the environment.
 */
#include "sim/host/ugni/pmi.h"

#include <stddef.h>
#include <stdlib.h>

static int initialized;

/* The first of these that is set, else what a process alone has. */
static int number(const char *const *names, int otherwise)
{
    const char *value = NULL;
    for (; *names != NULL && value == NULL; names++)
        value = getenv(*names);
    return value != NULL ? (int)strtol(value, NULL, 10) : otherwise;
}

int PMI_Init(int *spawned)
{
    if (spawned == NULL)
        return PMI_ERR_INVALID_ARG;
    *spawned = PMI_FALSE;
    initialized = 1;
    return PMI_SUCCESS;
}

int PMI_Initialized(int *is)
{
    if (is == NULL)
        return PMI_ERR_INVALID_ARG;
    *is = initialized;
    return PMI_SUCCESS;
}

int PMI_Finalize(void)
{
    initialized = 0;
    return PMI_SUCCESS;
}

int PMI_Get_rank(int *rank)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "PMI_RANK", NULL};
    if (rank == NULL)
        return PMI_ERR_INVALID_ARG;
    *rank = number(names, 0);
    return initialized ? PMI_SUCCESS : PMI_ERR_INIT;
}

int PMI_Get_size(int *size)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", "PMI_SIZE", NULL};
    if (size == NULL)
        return PMI_ERR_INVALID_ARG;
    *size = number(names, 1);
    return initialized ? PMI_SUCCESS : PMI_ERR_INIT;
}
