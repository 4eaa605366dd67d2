// SPDX-License-Identifier: Apache-2.0
/*
 * pte_walks.c - reads of lines. What comes is encoded a clock later, and kept another one later.
 */
#include "nic/iommu/pte_walks.h"

HLS_RESET void pte_walks_reset(struct pte_walks *self)
{
    self->out = (struct pte_walks_out){};
    self->asked = 0;
    self->begun = 0;
    self->sent = 0;
    self->filled = 0;
    self->stale = 0;
    self->beat = 0;
    self->got = (struct mem_walked){};
}

static inline pte_entry entry_of(u64 word, u2 status)
{
    pte_entry unread = (pte_entry)(((pte_entry)status << 2) | 2);
    pte_entry whole = (pte_entry)(((pte_entry)(u36)(word >> 12) << 2) | (u2)word);

    return status != MEM_DONE ? unread : (u1)word ? whole : (pte_entry)0;
}

static inline pte_code code_of(pte_entry entry, u7 key)
{
    pte_ecc_word word = pte_ecc_encode((pte_ecc_data)entry);

    return (pte_code)(((pte_code)((u7)(word >> 57) ^ key) << 38) | entry);
}

/* A beat is on its way to its place; with the last one the line is there, unless it has been forgotten. */
static inline void fill(struct pte_walks *self)
{
    pte_key key = self->keys[(pte_walk)self->filled];
    pte_place place = self->places[(pte_walk)self->filled];
    pte_code low =
        code_of(entry_of((u64)self->got.data, self->got.status), key_check((pte_half)key));
    pte_code high = code_of(entry_of((u64)(self->got.data >> 64), self->got.status),
                            key_check((pte_half)(key >> 19)));
    u1 last = self->got.valid && self->beat == 3, stale = self->stale != 0;

    self->out.fill = (struct pte_fill){
        .valid = self->got.valid,
        .ends = last && !stale,
        .place = place,
        .beat = self->beat,
        .code = (pte_beat)(((pte_beat)high << 45) | low),
    };
    self->beat += self->got.valid;
    self->filled += last;
    self->stale -= (pte_walk_count)(last && stale);
}

/* The next line goes to axi_read, while not too many are under way. */
static inline void send(struct pte_walks *self, u1 taken)
{
    pte_send at = (pte_send)self->begun;
    u1 fits = (pte_walk_count)(self->sent - self->filled) != PTE_WALKS;
    pte_line_address addr = self->addresses[at];
    pte_key key = self->lines[at];
    pte_place place = self->targets[at];

    self->out.walk.valid = self->out.walk.valid && !taken;
    if (!self->out.walk.valid && self->asked != self->begun && fits) {
        self->out.walk.valid = 1;
        self->out.walk.addr = (u48)((u48)addr << 6);
        self->keys[(pte_walk)self->sent] = key;
        self->places[(pte_walk)self->sent] = place;
        self->begun++;
        self->sent++;
    }
}

static inline void ask(struct pte_walks *self, const struct pte_walks_in *in)
{
    if (in->asks) {
        self->addresses[(pte_send)self->asked] = in->addr;
        self->lines[(pte_send)self->asked] = in->key;
        self->targets[(pte_send)self->asked] = in->place;
        self->asked++;
    }
}

HLS_MODULE void pte_walks(struct pte_walks *self, const struct pte_walks_in *in)
{
    pte_walk_count reads = (pte_walk_count)(self->sent - self->filled);
    pte_walk_count under_way = (pte_walk_count)(reads - self->out.walk.valid);
    pte_send_count waiting = (pte_send_count)(self->asked - self->begun);
    u1 ends = self->got.valid && self->beat == 3;

    hls_assert(reads <= PTE_WALKS && waiting <= PTE_SENDS);
    hls_assert(!self->out.walk.valid || reads != 0);
    hls_assert(self->stale <= reads);
    hls_assert(self->out.waiting == waiting);
    hls_assume(!in->asks || waiting != PTE_SENDS);
    hls_assume(!in->taken || self->out.walk.valid);
    hls_assume(!in->beat.valid || under_way > ends); /* axi_read's */
    fill(self);
    send(self, in->taken);
    ask(self, in);
    self->got = in->beat;
    if (in->forget) {
        self->asked = self->begun;
        self->stale = (pte_walk_count)(self->sent - self->filled);
    }
    self->out.waiting = (pte_send_count)(self->asked - self->begun);
    self->out.stale = self->stale != 0;
    self->out.idle = self->asked == self->begun && self->sent == self->filled;
    hls_cover(self->stale != 0);
    hls_cover(reads == PTE_WALKS);
}
