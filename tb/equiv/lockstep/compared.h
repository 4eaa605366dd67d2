// SPDX-License-Identifier: Apache-2.0
/*
 * compared.h - what a run of lockstep has really looked at, and whether that is enough.
 *
 * Compared is a clock whose inputs were drawn (or recorded) and taken by the C, all of them or some fields among zeros,
 * after which all registers of both sides were compared. Given up is one for which no field of what was drawn was taken:
 * the module got zeros, or a reset, instead. Resets that the run wants are neither, nor are clocks that only play a broken
 * assertion or undefined behaviour to the RTL. A run is good for something if at least 90 % of both were compared.
 */
#ifndef COMPARED_H
#define COMPARED_H

#include <stdbool.h>
#include <stdint.h>

struct cJSON;

enum { COMPARED_REASONS = 16 };

struct compared {
    uint64_t clocks, given_up;
    uint64_t partly;  /* of the clocks: some fields were drawn, the others 0 */
    uint64_t refused; /* drawn inputs that the C did not take; others were drawn */
    struct {
        const char *text, *file;
        int line;
        uint64_t count;
    } reason[COMPARED_REASONS]; /* why, as far as there is room */
    unsigned state_words;
    uint32_t *was_0, *was_1; /* bits of the registers that were 0, or 1, in a compared clock */
};

void compared_open(struct compared *c, unsigned state_words);
void compared_close(struct compared *c);

/* One drawn input was refused, for that check of the C. */
void compared_refused(struct compared *c, const char *text, const char *file, int line);

/* One clock was compared. */
void compared_clock(struct compared *c, const uint32_t *state, bool partly);

bool compared_enough(const struct compared *c);

/* As lines behind "#": the clocks; what was drawn again, if it is more than 1 %; output bits that never changed. */
void compared_print(const struct compared *c, const struct cJSON *info);

/* As fields of a report. */
void compared_add_to(const struct compared *c, const struct cJSON *info, struct cJSON *report);

#endif
