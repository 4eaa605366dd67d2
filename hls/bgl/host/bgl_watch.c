// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_watch.c - watermarks, interrupts, the first error, events to count.
 */
#include "bgl/host/bgl_watch.h"

HLS_RESET void bgl_watch_reset(struct bgl_watch *self)
{
    *self = (struct bgl_watch){0};
}

/* ---- the first error ------------------------------------------------------------------------- */

struct found {
    u6 error;
    u5 place;
    u2 vc;
};

static inline struct found found_at(enum bgl_error error, u5 place)
{
    return (struct found){.error = (u6)error, .place = place};
}

static inline struct found error_of_port(const struct bgl_port_errors *e, int p)
{
    enum bgl_error error = e->dropped         ? ERROR_DROPPED
                           : e->header        ? ERROR_HEADER
                           : e->wrong_node    ? ERROR_WRONG_NODE
                           : e->lost_way      ? ERROR_LOST_WAY
                           : e->uncorrectable ? ERROR_UNCORRECTABLE
                           : e->parity        ? ERROR_PARITY
                                              : ERROR_NONE;

    return (struct found){.error = (u6)error, .place = (u5)p, .vc = e->vc};
}

/* Of several in one clock the last line that is true. */
static inline struct found find(const struct bgl_watch_in *in)
{
    struct found found = {0};

    for (int p = 0; p < BGL_PORTS; p++) {
        struct found here = error_of_port(&in->port[p], p);

        found = here.error != ERROR_NONE ? here : found;
    }
    if (in->read_empty) {
        found = found_at(ERROR_READ_EMPTY, (u5)(PLACE_RECEPTION + in->read_fifo));
    }
    if (in->write_full) {
        found = found_at(ERROR_WRITE_FULL, (u5)(PLACE_INJECTION + in->write_fifo));
    }
    if (in->refused != REFUSED_NOT) {
        found = (struct found){.error = (u6)in->refused,
                               .place = (u5)(PLACE_INJECTION + in->refused_fifo)};
    }
    if (in->inject_fatal) {
        found = found_at(ERROR_UNCORRECTABLE, (u5)(PLACE_INJECTION + in->inject_fifo));
    }
    if (in->reception_fatal) {
        found = found_at(ERROR_UNCORRECTABLE, (u5)(PLACE_RECEPTION + in->reception_fifo));
    }
    if (in->random_wrong) {
        found = found_at(ERROR_PARITY, PLACE_NODE);
    }
    return found;
}

static inline void keep_first(struct bgl_watch *self, const struct bgl_watch_in *in)
{
    struct found found = find(in);
    u1 first = found.error != ERROR_NONE && (self->out.error == ERROR_NONE || in->clear_first);

    if (in->clear_first) {
        self->out.error = ERROR_NONE;
    }
    self->flagged = first || (self->flagged && !in->clear_error);
    if (first) {
        self->out.error = found.error;
        self->out.place = found.place;
        self->out.vc = found.vc;
        self->out.clock = self->clock;
    }
}

/* ---- interrupts ------------------------------------------------------------------------------ */

/* Reception FIFOs of a group that hold more than their watermark: normal ones, the high-priority one. */
static inline u2 over(const struct bgl_watch_in *in, int g)
{
    const struct bgl_watermarks *w = &in->watermark[g];
    u1 normal = 0;

    for (int r = 0; r < BGL_PORTS; r++) {
        normal |= in->held_reception[8 * g + r] > w->rx;
    }
    return (u2)((u2)normal | (u2)((u2)(in->held_reception[8 * g + 6] > w->rx_high) << 1));
}

static inline u8 under(const struct bgl_watch_in *in)
{
    u8 set = 0;

    for (int f = 0; f < BGL_INJECTION; f++) {
        set |= (u8)((u8)(in->held_injection[f] < in->watermark[f / 4].tx[f % 4]) << f);
    }
    return set;
}

static inline void show_status(struct bgl_watch *self, const struct bgl_watch_in *in)
{
    u4 rx = (u4)(over(in, 0) | (u4)((u4)over(in, 1) << 2));
    u6 changed = 0;

    for (int p = 0; p < BGL_PORTS; p++) {
        changed |= (u6)((u6)(self->state[p] != in->state[p]) << p);
        self->state[p] = in->state[p];
    }
    self->changed = changed | (u6)(self->changed & ~in->clear_link);
    for (int c = 0; c < 2; c++) {
        u1 irq = (self->out.status & in->mask[c]) != 0;

        self->out.irq = (u2)((self->out.irq & (u2) ~(1 << c)) | (u2)((u2)irq << c));
    }
    self->out.status = (u19)((u19)rx | (u19)((u19)under(in) << 4) |
                             (u19)((u19)self->changed << 12) | (u19)((u19)self->flagged << 18));
}

/* ---- counters -------------------------------------------------------------------------------- */

static inline u32 node_events(const struct bgl_watch_in *in)
{
    u7 full0 = (u7)in->full;
    u7 full1 = (u7)(in->full >> 8);
    u32 events = 0;

    for (unsigned c = REFUSED_RANGE; c <= REFUSED_SELF; c++) {
        events |= (u32)((u32)(in->refused == c) << (NODE_REFUSED + c - REFUSED_RANGE));
    }
    events |= (u32)((u32)in->write_full << NODE_WRITE_FULL);
    events |= (u32)((u32)in->read_empty << NODE_READ_EMPTY);
    events |= (u32)((u32)(in->inject_corrected || in->reception_corrected) << NODE_CORRECTED);
    events |= (u32)((u32)(in->inject_fatal || in->reception_fatal) << NODE_UNCORRECTABLE);
    events |= (u32)((u32)in->random_wrong << NODE_PARITY);
    events |= (u32)((u32)in->taken_back << NODE_SPOILED);
    events |= (u32)((u32)full0 << NODE_FULL);
    events |= (u32)((u32)full1 << (NODE_FULL + 7));
    return events;
}

HLS_MODULE void bgl_watch(struct bgl_watch *self, const struct bgl_watch_in *in)
{
    keep_first(self, in);
    show_status(self, in);
    self->out.events = node_events(in);
    self->clock++;
    hls_cover(self->out.error != ERROR_NONE);
    hls_cover(self->out.irq != 0);
}
