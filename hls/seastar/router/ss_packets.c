// SPDX-License-Identifier: Apache-2.0
/* ss_packets.c - list of an input's packets, per VC. */
#include "seastar/router/ss_packets.h"

#include "common/arbiter.h"

HLS_RESET void ss_packets_reset(struct ss_packets *self)
{
    self->out = (struct ss_packets_out){};
    self->has_next = 0;
    for (int v = 0; v < SS_VCS; v++) {
        self->next[v] = (struct ss_packet){};
        self->write[v] = 0;
        self->read[v] = 0;
        self->listed[v] = 0;
    }
    self->reading = 0;
    self->reading_vc = 0;
    self->word = 0;
}

static inline ss_packet_ecc_word packet_code(struct ss_packet p)
{
    return ss_packet_ecc_encode((ss_packet_ecc_data)p.port | ((ss_packet_ecc_data)p.dateline << 3) |
                                ((ss_packet_ecc_data)p.born << 4) |
                                ((ss_packet_ecc_data)p.length << 16));
}

/* A packet that nobody knows any more goes nowhere. */
static inline struct ss_packet packet_of(struct ss_packet_ecc_result r)
{
    return (struct ss_packet){
        .port = r.fatal ? (ss_port)SS_NOWHERE : (ss_port)r.data,
        .dateline = (u1)(r.data >> 3),
        .born = (ss_tick)(r.data >> 4),
        .length = (u4)(r.data >> 16),
    };
}

/* What becomes of a VC's two registers: the first leaves, one comes from the list or, if that is empty, from outside. */
static inline void keep(struct ss_packets *self, ss_vc v, u1 takes, u1 comes, struct ss_packet p)
{
    u1 first = (u1)(self->out.waits >> v), second = (u1)(self->has_next >> v);
    u1 stays = takes ? second : first; /* there is a first one, whatever comes */
    u1 behind = !takes && second;
    u1 fills = comes && !stays, follows = comes && stays;
    ss_vcs bit = (ss_vcs)((ss_vcs)1 << v);

    if (takes) {
        self->out.first[v] = self->next[v];
    }
    if (fills) {
        self->out.first[v] = p;
    }
    if (follows) {
        self->next[v] = p;
    }
    self->out.waits =
        stays || comes ? (ss_vcs)(self->out.waits | bit) : (ss_vcs)(self->out.waits & ~bit);
    self->has_next =
        behind || follows ? (ss_vcs)(self->has_next | bit) : (ss_vcs)(self->has_next & ~bit);
}

HLS_MODULE void ss_packets(struct ss_packets *self, const struct ss_packets_in *in)
{
    struct ss_packet_ecc_result result = ss_packet_ecc_decode(self->word);
    u1 read = self->reading;
    ss_vc read_vc = self->reading_vc;
    struct ss_packet from_list = packet_of(result);
    ss_vcs list =
        0; /* VCs of which one may be fetched: a register is free, and none is on its way */
    u1 stored = 0;

    self->out.corrected = read && result.corrected;
    self->out.fatal = read && result.fatal;
    for (int v = 0; v < SS_VCS; v++) {
        u1 takes = in->take && in->take_vc == (ss_vc)v,
           pushes = in->push && in->push_vc == (ss_vc)v;
        u1 fetched = read && read_vc == (ss_vc)v;
        u1 full = !takes && (u1)(self->has_next >> v);
        u1 queues = pushes && (full || fetched || self->listed[v] != 0);

        hls_assume(!takes || (u1)(self->out.waits >> v));
        list |=
            (ss_vcs)((ss_vcs)(self->listed[v] != 0 && !(u1)(self->has_next >> v) && !fetched) << v);
        stored = stored || queues;
        keep(self, (ss_vc)v, takes, fetched || (pushes && !queues),
             fetched ? from_list : in->packet);
    }

    u8 chosen = mask_lowest((u8)list);
    ss_vc fetch = (ss_vc)mask_index(chosen);

    self->reading = list != 0;
    self->reading_vc = fetch;
    self->word =
        self->list[((uint(SS_VC_LOG2 + SS_QUEUE_LOG2)) fetch << SS_QUEUE_LOG2) | self->read[fetch]];
    if (stored) {
        self->list[((uint(SS_VC_LOG2 + SS_QUEUE_LOG2)) in->push_vc << SS_QUEUE_LOG2) |
                   self->write[in->push_vc]] = packet_code(in->packet);
        self->write[in->push_vc]++;
    }
    for (int v = 0; v < SS_VCS; v++) {
        u1 more = stored && in->push_vc == (ss_vc)v, less = (u1)(chosen >> v);

        self->listed[v] = (ss_packet_count)(self->listed[v] + more - less);
        self->read[v] += less;
    }
}
