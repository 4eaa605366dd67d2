// SPDX-License-Identifier: Apache-2.0
/*
 * states.h - which states and transitions of a module's processes a run takes: "processes" of M.json.
 */
#ifndef STATES_H
#define STATES_H

#include <stdint.h>

#include <cjson/cJSON.h>

struct states;

/* Of a module without processes, too. info is kept. */
struct states *states_new(const cJSON *info);
void states_free(struct states *s);

/* The packed registers after a reset, after a clock. */
void states_reset(struct states *s, const uint32_t *state);
void states_clock(struct states *s, const uint32_t *state);

/* In which state each process is: "at is GCD_RUN (gcd.c:44)", on standard error. */
void states_say(const struct states *s);

/* A line for each process, with what was not taken. */
void states_print(const struct states *s);
/* "processes": states and transitions by name, with how often each was taken. */
void states_add_to(const struct states *s, cJSON *report);

#endif
