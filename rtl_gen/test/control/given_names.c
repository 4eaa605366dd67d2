// SPDX-License-Identifier: Apache-2.0
/*
 * given_names: numbers that choices give by a name keep it: enumerators of a type that is no enum, macros, constexpr, in
 * one line, under an if and in the reset; a number that the line also writes as such stays one, and so does a zero beside no name.
 */
#include "hls.h"

enum { KIND_ACK, KIND_CREDIT, KIND_CLOCK, KIND_BAD };
enum { STATUS_FINE, STATUS_LATE = 5, STATUS_LOST = 9 };

#define NO_COUNT 0
#define ALL_ONES 15
#define START    0x34DA7

constexpr u8 LIMIT = 200;

struct given_names_in {
    u1 bad, clock, credit, first, late, lost;
    u4 seen;
    u8 step;
};

struct given_names_out {
    u2 kind;
    u4 count, status, same;
    u8 level;
    u20 crc;
};

struct given_names {
    struct given_names_out out;
};

HLS_RESET void given_names_reset(struct given_names *self)
{
    *self = (struct given_names){.out = {.level = LIMIT, .status = 9}};
}

static inline u4 status_of(const struct given_names_in *in)
{
    if (in->lost) {
        return STATUS_LOST;
    }
    return in->late ? STATUS_LATE : STATUS_FINE;
}

HLS_MODULE void given_names(struct given_names *self, const struct given_names_in *in)
{
    u20 crc = in->first ? (u20)START : self->out.crc;

    self->out.kind = in->bad      ? KIND_BAD
                     : in->clock  ? KIND_CLOCK
                     : in->credit ? KIND_CREDIT
                                  : KIND_ACK;
    self->out.count = in->first ? (u4)NO_COUNT : in->late ? (u4)ALL_ONES : in->seen;
    self->out.same = in->late ? (u4)5 : in->lost ? (u4)STATUS_LATE : in->seen;
    self->out.status = status_of(in);
    self->out.crc = crc << 1 ^ (u20)in->step;
    if (in->first) {
        self->out.level = LIMIT;
    } else {
        self->out.level += in->step;
    }
}
