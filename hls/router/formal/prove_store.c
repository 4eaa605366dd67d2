// SPDX-License-Identifier: Apache-2.0
/*
 * prove_store.c - every block of inq_store's buffer has one owner, so no VC writes over another's flits.
 *
 * The invariant is about any block G, any block X that may stand before it in a VC, and any place J in the list of free
 * blocks. Where G and X are, is followed from what the store does: never used, in the list, in the register in front of
 * it, or the block with some number in a VC; the memories must say the same of what names G in X and at J. The words that
 * are read elsewhere say it too, as the invariant holds for every X and J: that is assumed.
 * Everything may come in, if the sender keeps to its credits: no VC has more flits than all it may have, and a block is
 * free when one is needed (hls_assume in inq_store.c). Proved by induction, for proto with half its buffer.
 */
#define MACHINE_PROTO 1

#include "link/formal/prove.h"

#include "config/machine.h"

#undef RTR_INQ_LOG2
#define RTR_INQ_LOG2 7

/* Memories become registers, of which an invariant may read any word in any clock. */
#undef HLS_LUTRAM
#define HLS_LUTRAM(reads)
#undef HLS_BRAM
#define HLS_BRAM

#include "router/inq_store.c"
#include "router/vc_room.c"

#define BLOCKS     (1 << INQ_BLOCK_BITS)
#define MOST_FLITS (RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED) /* of one VC */

/* Which block of a VC, counted from any one. */
typedef uint(INQ_COUNT_BITS - INQ_BLOCK_LOG2) block_number;

enum whereabouts { UNUSED, LISTED, IN_FRONT, OWNED };

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
    inq_count wr[INQ_PLACES]; /* what the counts hold before the first flit */
    inq_count rd[INQ_PLACES];
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
        self->dut.wr_block[v] = 0;
        self->dut.rd_block[v] = 0;
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

/* The next flit of VC v is written to, or read from, this block, and is the VC's flit of that number. */
static inline inq_block writes_to(const struct inq_store *dut, rtr_vc v)
{
    return (u1)(dut->moved_wr >> v) ? dut->wr_block[v] : (inq_block)v;
}

static inline inq_block reads_from(const struct inq_store *dut, rtr_vc v)
{
    inq_block block = (u1)(dut->moved_rd >> v) ? dut->rd_block[v] : (inq_block)v;

    return dut->crosses && v == dut->out.vc ? block_of(next_of(dut->out.word)) : block;
}

static inline inq_count written(const struct inq_store *dut, rtr_vc v)
{
    return (u1)(dut->filled >> v) ? dut->wr[v] : dut->rd[v];
}

static inline block_number number_of(inq_count count)
{
    return (block_number)(count >> INQ_BLOCK_LOG2);
}

static inline block_number reads_number(const struct inq_store *dut, rtr_vc v)
{
    return number_of(dut->rd[v]);
}

static inline block_number writes_number(const struct inq_store *dut, rtr_vc v)
{
    return number_of(written(dut, v));
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
    prove_assert(t->where != LISTED ||
                 (inq_block)(t->at - dut->list_rd) < (inq_block)(dut->list_wr - dut->list_rd));
    prove_assert(t->where != OWNED ||
                 ahead <= (block_number)(writes_number(dut, t->vc) - reads_number(dut, t->vc)));
    for (int v = 0; v < RTR_VCS; v++) {
        rtr_vc vc = (rtr_vc)v;

        prove_assert((reads_from(dut, vc) == t->block) == owned(t, vc, reads_number(dut, vc)));
        prove_assert((writes_to(dut, vc) == t->block) == owned(t, vc, writes_number(dut, vc)));
    }
}

/* No block is lost, and no VC has more flits than it may. */
static inline void all_there(const struct inq_store *dut)
{
    u16 blocks = (u16)((u16)BLOCKS - dut->fresh + dut->listed_valid);

    blocks += (inq_block)(dut->list_wr - dut->list_rd);
    for (int v = 0; v < RTR_VCS; v++) {
        rtr_vc vc = (rtr_vc)v;
        inq_count flits = written(dut, vc) - dut->rd[v];

        blocks += (block_number)(writes_number(dut, vc) - reads_number(dut, vc)) + (u16)1;
        prove_assert(flits <= MOST_FLITS && (flits != 0) == (u1)(dut->filled >> v));
    }
    prove_assert(blocks == BLOCKS);
    prove_assert(dut->fresh >= RTR_VCS && dut->fresh <= BLOCKS);
}

/* Of X the last word names the block behind it in its VC, and in the list G has one place. */
static inline void named_right(const struct prove_store *self)
{
    const struct inq_store *dut = &self->dut;
    const struct tracked *x = &self->x, *g = &self->g;
    inq_word last = dut->buffer[place_in(x->block, LAST_IN_BLOCK)];
    inq_block ahead = self->j - dut->list_rd;
    u1 linked = x->where == OWNED && x->number != writes_number(dut, x->vc);

    prove_assert(!linked || says(next_of(last), g, owned(g, x->vc, (block_number)(x->number + 1))));
    prove_assert(ahead >= (inq_block)(dut->list_wr - dut->list_rd) ||
                 says(dut->list[self->j], g, g->where == LISTED && g->at == self->j));
}

/* The same of the words that were read. */
static inline void read_right(const struct prove_store *self, const struct tracked *t)
{
    const struct inq_store *dut = &self->dut;

    prove_assume(!dut->crosses || says(next_of(dut->out.word), t, t->next));
    prove_assume(!self->looked || says(dut->listed, t, t->front));
}

/* ---- a clock ------------------------------------------------------------------------------------- */

/* What the store did in a clock. */
struct deed {
    u1 put, get, takes, gives, looks;
    rtr_vc put_vc, get_vc;
    inq_block to, from; /* blocks written to and read from */
    block_number to_number, from_number;
    inq_block taken;
    inq_block wr, rd; /* of the list */
    u1 same;          /* of the place in their blocks */
};

static inline void track(struct tracked *t, const struct deed *d)
{
    t->next = owned(t, d->get_vc, (block_number)(d->from_number + 1));
    t->front = t->where == LISTED && t->at == d->rd;
    if (d->looks && t->front) {
        t->where = IN_FRONT;
    }
    if (d->gives && d->from == t->block) {
        t->where = LISTED;
        t->at = d->wr;
    }
    if (d->takes && d->taken == t->block) {
        t->where = OWNED;
        t->vc = d->put_vc;
        t->number = d->to_number + 1;
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

    prove_assert(dut->filled == 0 && dut->moved_wr == 0 && dut->moved_rd == 0 && !dut->crosses);
    prove_assert(dut->fresh == RTR_VCS && !dut->listed_valid && dut->list_rd == dut->list_wr);
    prove_assert(!self->looked);
    framed(dut);
    self->out.started = 1;
    self->j = in->j;
    self->g.block = in->g;
    self->x.block = in->x;
    for (int v = 0; v < INQ_PLACES; v++) {
        self->dut.wr[v] = in->wr[v];
        self->dut.rd[v] = in->rd[v];
    }
    self->g.where = in->g < RTR_VCS ? OWNED : UNUSED;
    self->x.where = in->x < RTR_VCS ? OWNED : UNUSED;
    self->g.vc = (rtr_vc)in->g;
    self->x.vc = (rtr_vc)in->x;
    self->g.number = number_of(in->rd[(rtr_vc)in->g]);
    self->x.number = number_of(in->rd[(rtr_vc)in->x]);
}

static inline struct deed step(struct inq_store *dut, const struct inq_store_in *in)
{
    const struct inq_store was = *dut;
    struct deed d = {.wr = was.list_wr, .rd = was.list_rd};

    inq_store(dut, in);
    d.put = in->valid && !dut->refused;
    d.get = dut->out.read;
    d.put_vc = (rtr_vc)dut->vc;
    d.get_vc = dut->out.vc;

    inq_count at = written(&was, d.put_vc), from = was.rd[d.get_vc];

    d.takes = d.put && last_in_block(at);
    d.gives = d.get && last_in_block(from);
    d.looks = dut->list_rd != was.list_rd;
    d.to = writes_to(&was, d.put_vc);
    d.from = reads_from(&was, d.get_vc);
    d.to_number = number_of(at);
    d.from_number = number_of(from);
    d.taken = dut->wr_block[d.put_vc];
    d.same = (uint(INQ_BLOCK_LOG2))at == (uint(INQ_BLOCK_LOG2))from;
    prove_assume(!d.put || (inq_count)(at - was.rd[d.put_vc]) < MOST_FLITS);
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
    framed(&self->dut);

    struct deed d = step(&self->dut, &in->store);
    u1 collide = d.put && d.get && d.same && d.to == d.from;

    /* If two flits ever meet, they first do so in one block: let that be G. */
    prove_assume(!collide || d.to == self->g.block);
    prove_assert(!collide);
    prove_assert(!d.takes || d.taken != self->g.block || self->g.where == UNUSED ||
                 self->g.where == IN_FRONT);

    self->looked = d.looks;
    track(&self->g, &d);
    track(&self->x, &d);
}
