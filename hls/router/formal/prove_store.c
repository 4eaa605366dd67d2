// SPDX-License-Identifier: Apache-2.0
/*
 * prove_store.c - every block of inq_store's buffer has one owner, so no VC writes over another's flits.
 *
 * The invariant is about any block G, any block X that may stand before it in a VC, and any place J in the list of free
 * blocks. Where G and X are, is followed from what the store does: never used, in the list, in one of the registers in
 * front of it and behind it, or the block with some number in a VC; the memories must say the same of what names G in X and
 * at J. The words that are read elsewhere say it too, as the invariant holds for every X and J: that is assumed.
 * Everything may come in, if the sender keeps to its credits: no VC has more flits than all it may have, and a block is
 * free when one is needed (hls_assume in inq_store.c). Proved by induction, for proto with half its buffer.
 */
#define MACHINE_PROTO 1

#include "common/prove.h"

#include "config/machine.h"

#undef RTR_INQ_LOG2
#define RTR_INQ_LOG2 7

/* Memories become registers, of which an invariant may read any word in any clock. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)
#undef HLS_BRAM
#define HLS_BRAM

#include "router/input/inq_store.c"
#include "router/input/vc_room.c"

#define BLOCKS     (1 << INQ_BLOCK_BITS)
#define MOST_FLITS (RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED) /* of one VC */

/* Which block of a VC, counted from any one. */
typedef uint(INQ_COUNT_BITS - INQ_BLOCK_LOG2) block_number;

enum whereabouts { UNUSED, LISTED, IN_FRONT, SPARE, OWNED, GIVEN };

/* A block and where it is. */
struct tracked {
    inq_block block;
    enum whereabouts where;
    inq_block at;        /* LISTED: its place in the list */
    rtr_vc vc;           /* OWNED */
    block_number number; /* OWNED */
    u1 next;             /* the word read last names it */
    u1 front;            /* so does what was read from the list */
};

struct prove_store_in {
    struct inq_store_in store;
    inq_block g, x, j;
};

struct prove_store_out {
    u1 started;
};

struct prove_store {
    struct prove_store_out out;
    struct tracked g, x;
    inq_block j;
    u1 looked; /* the list was read in the last clock */
    struct inq_store dut;
};

PROVE_RESET void prove_store_reset(struct prove_store *self)
{
    self->out.started = 0;
    self->g = (struct tracked){};
    self->x = (struct tracked){};
    self->j = 0;
    self->looked = 0;
    inq_store_reset(&self->dut);
    for (int v = 0; v < INQ_PLACES; v++) {
        self->dut.wr[v] = 0;
        self->dut.rd[v] = 0;
        for (int side = 0; side < 2; side++) {
            self->dut.wr_block[2 * v + side] = 0;
            self->dut.rd_block[2 * v + side] = 0;
        }
        self->dut.staging.used[v] = 0;
        self->dut.staging.known[v] = 0;
    }
    for (int i = 0; i < BLOCKS; i++) {
        self->dut.list[i] = 0;
    }
    for (int i = 0; i < 1 << RTR_INQ_LOG2; i++) {
        self->dut.buffer[i] = 0;
    }
}

/* ---- what the registers say ---------------------------------------------------------------------- */

static inline inq_block_ecc_word next_of(inq_word word)
{
    return (inq_block_ecc_word)(word >> INQ_NEXT_AT);
}

static inline inq_block block_of(inq_block_ecc_word code)
{
    return inq_block_ecc_decode(code).data;
}

/* A code without errors that names the block t, or not. */
static inline u1 says(inq_block_ecc_word code, const struct tracked *t, u1 names)
{
    return inq_block_ecc_encode(block_of(code)) == code && (block_of(code) == t->block) == names;
}

static inline block_number number_of(inq_count count)
{
    return (block_number)(count >> INQ_BLOCK_LOG2);
}

/* The block in which VC v reads next, and the last that it has. */
static inline block_number reads_number(const struct inq_store *dut, rtr_vc v)
{
    return number_of(dut->rd[v]);
}

static inline block_number last_number(const struct inq_store *dut, rtr_vc v)
{
    return number_of((inq_count)(dut->wr[v] + 1));
}

/* The next flit of VC v is written to, or read from, this block; */
static inline inq_block writes_to(const struct inq_store *dut, rtr_vc v)
{
    return (u1)(dut->moved_wr >> v) ? dut->wr_block[side_of(v, dut->wr[v])] : (inq_block)v;
}

static inline inq_block read_block(const struct inq_store *dut, rtr_vc v)
{
    inq_side side = side_of(v, dut->rd[v]);
    inq_block block = (u1)(dut->moved_rd >> v) ? dut->rd_block[side] : (inq_block)v;

    return dut->linked && dut->link_at == side ? block_of(dut->link) : block;
}

/* and behind the last word of that block it goes on in this one. */
static inline inq_block writes_behind(const struct inq_store *dut, rtr_vc v)
{
    return dut->wr_block[side_of(v, dut->wr[v]) ^ 1];
}

static inline inq_block reads_behind(const struct inq_store *dut, rtr_vc v)
{
    inq_side side = side_of(v, dut->rd[v]) ^ 1;
    inq_block block =
        dut->linked && dut->link_at == side ? block_of(dut->link) : dut->rd_block[side];

    return dut->names && v == dut->out.vc ? block_of(next_of(dut->out.word)) : block;
}

static inline u1 owned(const struct tracked *t, rtr_vc v, block_number number)
{
    return t->where == OWNED && t->vc == v && t->number == number;
}

/* ---- the invariant ------------------------------------------------------------------------------- */

/* A block is where it is thought to be, and nowhere else. */
static inline void one_place(const struct inq_store *dut, const struct tracked *t)
{
    block_number ahead = t->number - reads_number(dut, t->vc);

    prove_assert((t->where == UNUSED) == (t->block >= dut->fresh));
    prove_assert((t->where == IN_FRONT) ==
                 (dut->listed_valid && block_of(dut->listed) == t->block));
    prove_assert((t->where == SPARE) == (dut->spare_valid && block_of(dut->spare) == t->block));
    prove_assert((t->where == GIVEN) == (dut->gives && dut->given == t->block));
    prove_assert(t->where != LISTED ||
                 (inq_block)(t->at - dut->list_rd) < (inq_block)(dut->list_wr - dut->list_rd));
    prove_assert(t->where != OWNED ||
                 ahead <= (block_number)(last_number(dut, t->vc) - reads_number(dut, t->vc)));
    for (int v = 0; v < RTR_VCS; v++) {
        rtr_vc vc = (rtr_vc)v;
        block_number writes = number_of(dut->wr[v]), reads = reads_number(dut, vc);

        prove_assert((read_block(dut, vc) == t->block) == owned(t, vc, reads));
        prove_assert((writes_to(dut, vc) == t->block) == owned(t, vc, writes));
        prove_assert(!last_in_block(dut->rd[v]) || (reads_behind(dut, vc) == t->block) ==
                                                       owned(t, vc, (block_number)(reads + 1)));
        prove_assert(!last_in_block(dut->wr[v]) || (writes_behind(dut, vc) == t->block) ==
                                                       owned(t, vc, (block_number)(writes + 1)));
    }
}

/* No block is lost, and no VC has more flits than it may. */
static inline void all_there(const struct inq_store *dut)
{
    u16 blocks =
        (u16)((u16)BLOCKS - dut->fresh + dut->listed_valid + dut->spare_valid + dut->gives);

    blocks += (inq_block)(dut->list_wr - dut->list_rd);
    for (int v = 0; v < RTR_VCS; v++) {
        rtr_vc vc = (rtr_vc)v;
        inq_count flits = dut->wr[v] - dut->rd[v];
        u1 emptied = dut->out.read && dut->out.vc == vc && flits == 0;

        blocks += (block_number)(last_number(dut, vc) - reads_number(dut, vc)) + (u16)1;
        prove_assert(flits <= MOST_FLITS);
        prove_assert((flits != 0) == ((u1)(dut->filled >> v) && !emptied));
    }
    prove_assert(blocks == BLOCKS);
    prove_assert(dut->fresh >= RTR_VCS && dut->fresh <= BLOCKS);
}

/* A number under way is that of the block behind the one that its VC reads, or of that which it has just begun. */
static inline void follows(const struct inq_store *dut)
{
    rtr_vc v = (rtr_vc)(dut->link_at >> 1);
    inq_side side = side_of(v, dut->rd[v]);
    u1 begun = dut->out.read && dut->out.vc == v && dut->link_at == side;

    prove_assert(!dut->names || (dut->out.read && last_in_block(dut->rd[dut->out.vc])));
    prove_assert(!dut->linked || begun || (last_in_block(dut->rd[v]) && dut->link_at != side));
    prove_assert(!dut->linked || !begun || place_in(0, dut->rd[v]) == 0);
    prove_assert(!dut->linked || !begun || (u1)(dut->moved_rd >> v));
}

/* Of X the last word but one names the block behind it in its VC, and in the list G has one place. */
static inline void named_right(const struct prove_store *self)
{
    const struct inq_store *dut = &self->dut;
    const struct tracked *x = &self->x, *g = &self->g;
    inq_word last = dut->buffer[place_in(x->block, LAST_IN_BLOCK - 1)];
    inq_block ahead = self->j - dut->list_rd;
    u1 linked = x->where == OWNED && x->number != last_number(dut, x->vc);

    prove_assert(!linked || says(next_of(last), g, owned(g, x->vc, (block_number)(x->number + 1))));
    prove_assert(ahead >= (inq_block)(dut->list_wr - dut->list_rd) ||
                 says(dut->list[self->j], g, g->where == LISTED && g->at == self->j));
}

/* The same of the words that were read. */
static inline void read_right(const struct prove_store *self, const struct tracked *t)
{
    const struct inq_store *dut = &self->dut;

    prove_assume(!dut->names || says(next_of(dut->out.word), t, t->next));
    prove_assume(!self->looked || says(dut->listed, t, t->front));
}

/* ---- a clock ------------------------------------------------------------------------------------- */

/* What the store did in a clock. */
struct deed {
    u1 put, get, takes, leaves, looks;
    u1 refills; /* a spare block comes from the list or, if some were never used, is the next of these */
    u1 unused;
    rtr_vc put_vc, get_vc;
    inq_block to, from; /* blocks written to and read from */
    block_number to_number, from_number;
    inq_block taken, fresh;
    inq_block wr, rd; /* of the list */
    u1 same;          /* of the place in their blocks */
};

static inline void track(struct tracked *t, const struct deed *d)
{
    t->next = owned(t, d->get_vc, (block_number)(d->from_number + 1));
    t->front = t->where == LISTED && t->at == d->rd;
    switch (t->where) {
    case UNUSED:
        t->where = d->refills && d->unused && d->fresh == t->block ? SPARE : UNUSED;
        break;
    case LISTED:
        t->where = d->looks && t->front ? IN_FRONT : LISTED;
        break;
    case IN_FRONT:
        t->where = d->refills && !d->unused ? SPARE : IN_FRONT;
        break;
    case SPARE:
        t->where = d->takes ? OWNED : SPARE;
        t->vc = d->put_vc;
        t->number = d->to_number + 1;
        break;
    case OWNED:
        t->where = d->leaves && d->from == t->block ? GIVEN : OWNED;
        break;
    case GIVEN:
        t->where = LISTED;
        t->at = d->wr;
        break;
    }
}

/* The packet that is coming in is refused, or its VC is one of ours. */
static inline void framed(const struct inq_store *dut)
{
    prove_assert(dut->refused || (u4)dut->vc < RTR_VCS);
}

/* Any three, and where the two blocks are at first. */
static inline void start(struct prove_store *self, const struct prove_store_in *in)
{
    const struct inq_store *dut = &self->dut;

    prove_assert(dut->filled == 0 && dut->moved_wr == 0 && dut->moved_rd == 0 && !dut->names);
    prove_assert(!dut->linked && !dut->gives && !dut->spare_valid && !dut->out.read);
    prove_assert(dut->fresh == RTR_VCS && !dut->listed_valid && dut->list_rd == dut->list_wr);
    prove_assert(!self->looked);
    for (int v = 0; v < INQ_PLACES; v++) {
        prove_assert(dut->wr[v] == 0 && dut->rd[v] == 0);
    }
    framed(dut);
    self->out.started = 1;
    self->j = in->j;
    self->g.block = in->g;
    self->x.block = in->x;
    self->g.where = in->g < RTR_VCS ? OWNED : UNUSED;
    self->x.where = in->x < RTR_VCS ? OWNED : UNUSED;
    self->g.vc = (rtr_vc)in->g;
    self->x.vc = (rtr_vc)in->x;
    self->g.number = 0;
    self->x.number = 0;
}

static inline struct deed step(struct inq_store *dut, const struct inq_store_in *in)
{
    const struct inq_store was = *dut;
    struct deed d = {.wr = was.list_wr, .rd = was.list_rd, .fresh = (inq_block)was.fresh};

    inq_store(dut, in);
    d.put = in->valid && !dut->refused;
    d.get = dut->out.read;
    d.put_vc = (rtr_vc)dut->vc;
    d.get_vc = dut->out.vc;

    inq_count at = was.wr[d.put_vc], from = was.rd[d.get_vc];

    d.takes = d.put && names_next(at);
    d.leaves = d.get && last_in_block(from);
    d.looks = dut->list_rd != was.list_rd;
    d.refills = d.takes || !was.spare_valid;
    d.unused = !(u1)(was.fresh >> INQ_BLOCK_BITS);
    d.to = writes_to(&was, d.put_vc);
    d.from = read_block(&was, d.get_vc);
    d.to_number = number_of(at);
    d.from_number = number_of(from);
    d.taken = dut->wr_block[side_of(d.put_vc, at) ^ 1];
    d.same = (uint(INQ_BLOCK_LOG2))at == (uint(INQ_BLOCK_LOG2))from;
    prove_assume(!d.put || (inq_count)(at - was.rd[d.put_vc]) < MOST_FLITS);
    prove_assume(!in->wipe); /* the counts begin at 0 here */
    return d;
}

PROVE_MODULE void prove_store(struct prove_store *self, const struct prove_store_in *in)
{
    if (!self->out.started) {
        start(self, in);
        return;
    }
    read_right(self, &self->g);
    read_right(self, &self->x);
    one_place(&self->dut, &self->g);
    one_place(&self->dut, &self->x);
    all_there(&self->dut);
    named_right(self);
    follows(&self->dut);
    framed(&self->dut);

    struct deed d = step(&self->dut, &in->store);
    u1 collide = d.put && d.get && d.same && d.to == d.from;

    /* If two flits ever meet, they first do so in one block: let that be G. */
    prove_assume(!collide || d.to == self->g.block);
    prove_assert(!collide);
    prove_assert(!d.takes || (d.taken == self->g.block) == (self->g.where == SPARE));

    self->looked = d.looks;
    track(&self->g, &d);
    track(&self->x, &d);
}
