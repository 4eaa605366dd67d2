// SPDX-License-Identifier: Apache-2.0
/*
 * inq_store.c - the input queue's buffer: flits of all VCs in one memory.
 *
 * Each VC is a FIFO with a count of flits written and one of flits read. A flit that finds its VC empty is written at
 * the count of flits read, so counts need no reset. Partitioned, the count is the address within the VC's part of the
 * memory. Shared, the FIFO of a VC is a linked list of blocks of 8 flits: with the last word of a block the writer takes
 * a free block and stores its number in that word; the reader gets the number with that flit, just in time for the next.
 *
 * Counts and block numbers of the VCs stand in LUTRAM without a code, as registers do.
 */
#include "router/inq_store.h"

#include "router/masks.h"
#include "router/rtr_ecc.h"

HLS_RESET void inq_store_reset(struct inq_store *self)
{
    self->out = (struct inq_store_out){};
    vc_room_reset(&self->staging);
    self->left = 0;
    self->refused = 0;
    self->vc = 0;
    self->refund = (struct head_vc_note){};
    self->filled = 0;
#if RTR_INQ_SHARED
    self->moved_wr = 0;
    self->moved_rd = 0;
    self->crosses = 0;
    self->fresh = RTR_VCS;
    self->listed_valid = 0;
    self->listed = 0;
    self->list_rd = 0;
    self->list_wr = 0;
#endif
}

/* Stays with the VC of the last flit until that packet's tail or a gap in it, then round robin. */
static inline rtr_vc choose(const struct inq_store *self, rtr_vcs ready)
{
    rtr_vc last = self->out.vc;
    u1 tail = inq_tail_set((inq_tail)(self->out.word >> RTR_CODE_BITS));
    u1 stays = self->out.read && !tail && (u1)(ready >> last);

    return stays ? last : (rtr_vc)mask_next(ready, last);
}

/* A read or a write of the buffer. */
struct inq_access {
    u1 valid;
    rtr_vc vc;
    inq_count count; /* flits of the VC before this one */
    inq_place place;
};

/* ---- address of a flit ------------------------------------------------------------------------ */

#if RTR_INQ_SHARED

#define LAST_IN_BLOCK ((1 << INQ_BLOCK_LOG2) - 1)

typedef uint(INQ_BLOCK_BITS) inq_block;

static inline u1 last_in_block(inq_count count)
{
    return (uint(INQ_BLOCK_LOG2))count == LAST_IN_BLOCK;
}

static inline inq_place place_in(inq_block block, inq_count count)
{
    return (inq_place)(((inq_place)block << INQ_BLOCK_LOG2) | (uint(INQ_BLOCK_LOG2))count);
}

/* Keeps the front of the FIFO of freed blocks in `listed`; take: a block is taken in this clock. */
static inline void prefetch(struct inq_store *self, u1 take)
{
    u1 unused = !(u1)(self->fresh >> INQ_BLOCK_BITS);

    if (take && unused) {
        self->fresh++;
    } else if (take || !self->listed_valid) {
        self->listed_valid = self->list_rd != self->list_wr;
        if (self->listed_valid) {
            self->listed = self->list[self->list_rd];
            self->list_rd++;
        }
    }
}

/*
 * Finds the places of this clock's flits in their blocks. Behind the last word of a block each goes on to the
 * next one, and the reader gives its block back. The value is what names the writer's next block.
 */
static inline inq_block_ecc_word walk(struct inq_store *self, struct inq_access *get,
                                      struct inq_access *put)
{
    struct inq_block_ecc_result next = {};
    struct inq_block_ecc_result free = {.data = (inq_block)self->fresh};
    u1 takes = put->valid && last_in_block(put->count);
    u1 gives = get->valid && last_in_block(get->count);
    inq_block from = (u1)(self->moved_rd >> get->vc) ? self->rd_block[get->vc] : (inq_block)get->vc;
    inq_block to = (u1)(self->moved_wr >> put->vc) ? self->wr_block[put->vc] : (inq_block)put->vc;
    u1 looks = takes && (u1)(self->fresh >> INQ_BLOCK_BITS);

    if (self->crosses) {
        next = inq_block_ecc_decode((inq_block_ecc_word)(self->out.word >> INQ_NEXT_AT));
    }
    if (looks) {
        free = inq_block_ecc_decode(self->listed);
    }
    from = self->crosses && get->vc == self->out.vc ? next.data : from;
    get->place = place_in(from, get->count);
    put->place = place_in(to, put->count);
    /* A block is free: the sender keeps to its credits, and lcb_regs grants no more than LCB_SHARED_MOST. */
    hls_assume(!looks || self->listed_valid);
    self->out.corrected = next.corrected || free.corrected;
    self->out.fatal = next.fatal || free.fatal;
    if (self->crosses) {
        self->rd_block[self->out.vc] = next.data;
        self->moved_rd |= vc_bit(self->out.vc);
    }
    if (takes) {
        self->wr_block[put->vc] = free.data;
        self->moved_wr |= vc_bit(put->vc);
    }
    prefetch(self, takes);
    if (gives) {
        self->list[self->list_wr] = inq_block_ecc_encode(from);
        self->list_wr++;
    }
    self->crosses = gives;
    return inq_block_ecc_encode(free.data);
}

#endif

/* ---- in and out ---------------------------------------------------------------------------------- */

/* VC of the packet that is coming in; 0 for one that does not exist, whose packet is not stored. */
static inline rtr_vc own_vc(const struct inq_store *self)
{
    return (u4)self->vc < RTR_VCS ? (rtr_vc)self->vc : (rtr_vc)0;
}

/* Frames what comes in by the length in each head; returns whether this flit is stored. */
static inline u1 frame(struct inq_store *self, const struct inq_store_in *in)
{
    u1 head = self->left == 0;
    head_vc_field vc = head ? head_vc(in->flit) : self->vc;
    rtr_length others = head_length(in->flit) - 1;
    u1 nameless = (u4)vc >= RTR_VCS;
    u1 refused = nameless || others >= RTR_PACKET;

    self->refund.valid = 0;
    self->out.illegal = in->valid && head && refused;
    if (in->valid) {
        self->left = head ? others : (rtr_length)(self->left - 1);
        self->refused = head ? refused : self->refused;
        self->vc = vc;
        self->refund = (struct head_vc_note){self->refused, vc};
    }
    self->out.incoming = (struct vc_note){in->valid && !nameless, own_vc(self)};
    return in->valid && !self->refused;
}

HLS_MODULE void inq_store(struct inq_store *self, const struct inq_store_in *in)
{
    struct head_vc_note refund = self->refund;
    rtr_vcs ready = self->filled & self->staging.out.room;
    u1 reads = ready != 0 && !refund.valid && !in->hold && !in->wipe;
    struct inq_access get = {.valid = reads, .vc = choose(self, ready)};
    u1 enters = frame(self, in);
    struct inq_access put = {.valid = enters, .vc = own_vc(self)};
    u1 empty = !(u1)(self->filled >> put.vc);
    inq_count begin = self->rd[put.vc];
    inq_count end = self->wr[put.vc];
    inq_word word = 0;

    get.count = self->rd[get.vc];
    put.count = empty ? begin : end;
    u1 last = (inq_count)(get.count + 1) == self->wr[get.vc];

#if RTR_INQ_SHARED
    self->out.corrected = 0;
    self->out.fatal = 0;
    if (get.valid || put.valid || self->crosses) {
        word = (inq_word)((inq_word)walk(self, &get, &put) << INQ_NEXT_AT);
    } else {
        prefetch(self, 0);
    }
#else
    get.place = (inq_place)(((inq_place)get.vc << INQ_COUNT_BITS) | get.count);
    put.place = (inq_place)(((inq_place)put.vc << INQ_COUNT_BITS) | put.count);
    hls_assume(!put.valid || empty || begin != end); /* the sender keeps to its credits */
#endif

    if (get.valid) {
        self->out.word = self->buffer[get.place];
        self->out.vc = get.vc;
        self->rd[get.vc] = get.count + 1;
        self->filled &= last ? (rtr_vcs)~vc_bit(get.vc) : (rtr_vcs)-1;
    }
    if (put.valid) {
        inq_tail tail = self->left == 0 ? (inq_tail)-1 : (inq_tail)0;

        word |= (inq_word)((inq_word)tail << RTR_CODE_BITS) | rtr_encode(in->flit, in->bad);
        self->buffer[put.place] = word;
        self->wr[put.vc] = put.count + 1;
        self->filled |= vc_bit(put.vc);
    }
    struct vc_room_in staging = {
        .sent = get.valid,
        .sent_vc = in->wipe ? in->wipe_vc : get.vc,
        .freed = in->staging_freed,
        .wipe = in->wipe,
    };

    vc_room(&self->staging, &staging);
    self->out.read = get.valid;
    self->out.freed = refund.valid ? refund : (struct head_vc_note){get.valid, get.vc};
}
