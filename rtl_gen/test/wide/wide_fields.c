// SPDX-License-Identifier: Apache-2.0
/*
 * wide_fields: a word of 384 bits as eight fields of 48 with a dynamic field index, built and taken
 * apart by shift and cast.
 */
#include "hls.h"

struct wide_fields_in {
    u48 flit;
    u3 slot;
    u1 clear;
};
struct wide_fields_out {
    uint(384) packet;
    u48 picked;
    u8 present;
};
struct wide_fields {
    struct wide_fields_out out;
};

static u48 field_get(uint(384) word, u3 slot)
{
    return (u48)(word >> (48 * slot));
}

static uint(384) field_set(uint(384) word, u3 slot, u48 value)
{
    uint(384) mask = (uint(384))((u48)-1) << (48 * slot);
    return (word & ~mask) | (uint(384))value << (48 * slot);
}

HLS_RESET void wide_fields_reset(struct wide_fields *self)
{
    *self = (struct wide_fields){0};
}

HLS_MODULE void wide_fields(struct wide_fields *self, const struct wide_fields_in *in)
{
    self->out.picked = field_get(self->out.packet, in->slot);
    self->out.packet = field_set(self->out.packet, in->slot, in->flit ^ self->out.picked >> 1);
    self->out.present |= 1u << in->slot;
    if (in->clear && in->slot == 5) {
        self->out.packet &= (uint(384))-1 >> 48;
        self->out.present = 0;
    }
}
