// SPDX-License-Identifier: Apache-2.0
/*
 * pmi.h - rank and size of a process in its job, from the environment of the launcher.
 */
#ifndef HEDDLE_PMI_H
#define HEDDLE_PMI_H

#ifdef __cplusplus
extern "C" {
#endif

#define PMI_SUCCESS         0
#define PMI_FAIL            (-1)
#define PMI_ERR_INIT        1
#define PMI_ERR_NOMEM       2
#define PMI_ERR_INVALID_ARG 3
#define PMI_TRUE            1
#define PMI_FALSE           0

int PMI_Init(int *spawned);
int PMI_Initialized(int *is);
int PMI_Finalize(void);
int PMI_Get_rank(int *rank);
int PMI_Get_size(int *size);

#ifdef __cplusplus
}
#endif

#endif
