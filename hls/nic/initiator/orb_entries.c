// SPDX-License-Identifier: Apache-2.0
/*
 * orb_entries.c - entries of orb's tags: call t reads a word, t + 1 decodes it.
 */
#include "nic/initiator/orb_entries.h"

HLS_RESET void orb_entries_reset(struct orb_entries *self)
{
    self->out = (struct orb_entries_out){};
    self->where = 0;
    self->what = 0;
    self->began = 0;
    self->now = 0;
}

static inline struct orb_entry decode(const struct orb_entries *self)
{
    struct orb_where_ecc_result where = orb_where_ecc_decode(self->where);
    struct orb_what_ecc_result what = orb_what_ecc_decode(self->what);
    u1 fatal = where.fatal | what.fatal;

    return (struct orb_entry){
        .fatal = fatal,
        .lost = fatal | (u1)(what.data >> (15 + RSP_LENGTH_BITS)),
        .flags = (u1)(what.data >> (14 + RSP_LENGTH_BITS)) & !fatal,
        .corrected = where.corrected | what.corrected,
        .mdh = (nic_mdh)(where.data >> 40),
        .offset = (nic_offset)where.data,
        .ptag = (nic_ptag)what.data,
        .bytes = (u6)(what.data >> 8),
        .length = (rsp_length)(what.data >> 14),
    };
}

HLS_MODULE void orb_entries(struct orb_entries *self, const struct orb_entries_in *in)
{
    orb_units now = (orb_units)(self->now >> NIC_TIME_LOG2);

    /* orb reads no entry that is being written (orb_coming). */
    hls_assume(!in->reads || !in->writes || in->read != in->write);

    self->out.entry = decode(self);
    self->out.age = (orb_units)(now - self->began);
    if (in->reads) {
        self->where = self->cold_where[in->read];
        self->what = self->cold_what[in->read];
        self->began = self->cold_began[in->read];
    }
    if (in->writes) {
        self->cold_where[in->write] = orb_where_ecc_encode(in->where);
        self->cold_what[in->write] = orb_what_ecc_encode(in->what);
        self->cold_began[in->write] = now;
    }
    self->now++;
}
