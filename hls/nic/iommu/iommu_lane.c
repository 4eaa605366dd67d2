// SPDX-License-Identifier: Apache-2.0
/*
 * iommu_lane.c - accesses of one direction.
 *
 * Towards the tables: a look of either seeker leaves in the clock that is its turn; its verdict comes twelve clocks later. A seeker goes on at once as if
 * it were good; one that has to be repeated takes those behind it along, which `turn` tells from those that follow.
 *
 * Towards memory: an access with a physical address that finds nobody before it is out.front a clock later. All others wait:
 *
 *   clock 0  into its ring                 clock 3  decoded
 *   clock 1  read                          clock 4  with its frame: out.front
 *   clock 2  in a register
 *
 * One over a page's end leaves when both of its frames are known, or not at all.
 */
#include "nic/iommu/iommu_lane.h"

HLS_RESET void iommu_lane_reset(struct iommu_lane *self)
{
    self->out = (struct iommu_lane_out){};
    self->written = 0;
    self->read = 0;
    self->fetched = 0;
    self->addr = 0;
    self->others = 0;
    self->waiting = (struct iommu_waiting){};
    self->held = (struct iommu_held){};
    self->pages = 0;
    self->probed = 0;
    self->done = 0;
    self->use = (struct iommu_seek){};
    self->probe = (struct iommu_seek){};
    self->given = 0;
    self->fetched_frame = 0;
    self->code = 0;
    self->frame = (struct iommu_frame){};
    self->first = (struct iommu_frame){};
    self->part = IOMMU_WHOLE;
}

/* ---- looks ------------------------------------------------------------------------------------------- */

/* A look begins: of a page whose frame will find a place. */
static inline void look(struct iommu_lane *self, const struct iommu_lane_in *in)
{
    struct iommu_seek seek = in->probes ? self->probe : self->use;
    u1 fits = in->probes || (iommu_count)(self->use.at - self->given) < IOMMU_FRAMES;
    u1 looks = in->looks && !in->forget && seek.at != self->pages && fits;
    iommu_count next = (iommu_count)(seek.at + looks);

    self->out.look = (struct iommu_look){
        .valid = looks,
        .probes = in->probes,
        .upper = seek.upper,
        .passed =
            seek.upper ? seek.passed : is_before(seek.at, in->probes ? self->use.at : self->probed),
        .turn = seek.turn,
        .at = seek.at,
    };
    if (looks) {
        self->out.page = self->places[(iommu_slot)seek.at];
    }
    if (looks && in->probes) {
        self->probe.at = next;
        self->probe.upper = 0;
    } else if (looks) {
        self->use.at = next;
        self->use.upper = 0;
    }
}

static inline frame_ecc_word frame_word(const struct iommu_verdict *v)
{
    return frame_ecc_encode((frame_ecc_data)(((frame_ecc_data)v->frame << 2) | v->fault));
}

/* A look that is repeated, with those behind it. */
static inline struct iommu_seek again(const struct iommu_verdict *v, u1 turn)
{
    return (struct iommu_seek){.at = v->at, .upper = v->upper, .passed = v->passed, .turn = !turn};
}

/* A look has come to its end. Nobody looks ahead for what is translated already. */
static inline void take(struct iommu_lane *self, const struct iommu_verdict *v, u1 forget)
{
    u1 probes = v->valid && v->probes, uses = v->valid && !v->probes;
    iommu_count next = (iommu_count)(v->at + 1);

    if (uses && !v->again) {
        self->frames[(iommu_frame_slot)v->at] = frame_word(v);
        self->done = next;
    }
    if (probes && !v->again) {
        self->probed = next;
    }
    if (uses && v->again) {
        self->use = again(v, self->use.turn);
    }
    if (probes && v->again) {
        self->probe = again(v, self->probe.turn);
    }
    if (is_before(self->probe.at, self->done)) {
        self->probe.at = self->done;
        self->probe.upper = 0;
    }
    if (is_before(self->probed, self->done)) {
        self->probed = self->done;
    }
    if (forget) {
        self->use = (struct iommu_seek){.at = self->done};
        self->probe = (struct iommu_seek){.at = self->done};
        self->probed = self->done;
    }
}

/* ---- what leaves ------------------------------------------------------------------------------------- */

/* What is taken of the registers in front of out.front. */
struct iommu_taken {
    u1 access, frame;
};

/* The access in `held` leaves, in parts, with its frames. */
static inline struct iommu_taken compose(struct iommu_lane *self, u1 free)
{
    const struct iommu_held *held = &self->held;
    const struct iommu_frame *frame = &self->frame;
    u1 whole = self->part == IOMMU_WHOLE, first = self->part == IOMMU_FIRST;
    u1 second = self->part == IOMMU_SECOND;
    u1 known = held->valid && (held->plain || frame->valid);
    u1 keeps = known && whole && held->split && !held->plain; /* its second frame is to come */
    u1 leaves = known && free && !keeps;
    u36 page = (u36)((u36)(held->addr >> 12) + second);
    u36 found = first ? self->first.frame : frame->frame;
    u2 before = first ? self->first.fault : (u2)MEM_DONE;
    u2 fault = held->plain ? (u2)MEM_DONE : before != MEM_DONE ? before : frame->fault;
    u2 ends = second ? (u2)MEM_DONE : held->lost ? (u2)MEM_WRONG_BITS : fault;
    u1 stays = held->split && !second && ends == MEM_DONE;

    if (leaves) {
        self->out.front = (struct iommu_front){
            .valid = 1,
            .split = held->split && ends == MEM_DONE,
            .second = second,
            .fault = ends,
            .addr = (u48)(((u48)(held->plain ? page : found) << 12) |
                          (second ? (u12)0 : (u12)held->addr)),
            .rest = held->rest,
        };
        self->part = stays ? IOMMU_SECOND : IOMMU_WHOLE;
    }
    if (keeps) {
        self->first = *frame;
        self->part = IOMMU_FIRST;
    }
    self->out.corrected = (leaves && !second && held->corrected) ||
                          ((keeps || (leaves && !stays)) && !held->plain && frame->corrected);
    self->out.lost = leaves && ends == MEM_WRONG_BITS;
    return (struct iommu_taken){.access = leaves && !stays,
                                .frame = keeps || (leaves && !stays && !held->plain)};
}

/* An access goes from register to register where the next one is free. */
static inline void fetch(struct iommu_lane *self, u1 taken)
{
    u1 to_held = !self->held.valid || taken;
    u1 to_waiting = !self->waiting.valid || to_held;
    u1 fetches = (!self->fetched || to_waiting) && self->read != self->written;
    struct address_ecc_result access = address_ecc_decode(self->waiting.addr);

    if (to_held) {
        self->held = (struct iommu_held){
            .valid = self->waiting.valid,
            .plain = (u1)(self->waiting.others >> IOMMU_REST_BITS),
            .split = (u1)(self->waiting.others >> (IOMMU_REST_BITS + 1)),
            .lost = access.fatal,
            .corrected = access.corrected,
            .addr = access.data,
            .rest = (iommu_rest)self->waiting.others,
        };
    }
    if (to_waiting) {
        self->waiting = (struct iommu_waiting){
            .valid = self->fetched, .addr = self->addr, .others = self->others};
    }
    self->fetched = fetches || (self->fetched && !to_waiting);
    if (fetches) {
        self->addr = self->addresses[(iommu_slot)self->read];
        self->others = self->rests[(iommu_slot)self->read];
        self->read++;
    }
}

/* Frames do so, too. */
static inline void fetch_frame(struct iommu_lane *self, u1 taken)
{
    u1 to_frame = !self->frame.valid || taken;
    u1 fetches = (!self->fetched_frame || to_frame) && self->given != self->done;
    struct frame_ecc_result found = frame_ecc_decode(self->code);

    if (to_frame) {
        self->frame = (struct iommu_frame){
            .valid = self->fetched_frame,
            .fault = found.fatal ? (u2)MEM_WRONG_BITS : (u2)found.data,
            .corrected = found.corrected,
            .frame = (u36)(found.data >> 2),
        };
    }
    self->fetched_frame = fetches || (self->fetched_frame && !to_frame);
    if (fetches) {
        self->code = self->frames[(iommu_frame_slot)self->given];
        self->given++;
    }
}

/* ---- what comes -------------------------------------------------------------------------------------- */

/* Says whether the access is out.front at once. */
static inline u1 pass(struct iommu_lane *self, const struct iommu_access *access, u1 empty, u1 free)
{
    u1 passes =
        access->valid && access->plain && !access->second && !access->split && empty && free;

    if (passes) {
        self->out.front =
            (struct iommu_front){.valid = 1, .addr = access->addr, .rest = access->rest};
    }
    return passes;
}

static inline void push(struct iommu_lane *self, const struct iommu_access *access, u1 passes)
{
    u1 waits = access->valid && !access->second && !passes;
    u1 looks = access->valid && !access->plain;

    /* parb heeds room */
    hls_assume(!access->valid || ((iommu_count)(self->written - self->read) < IOMMU_WAITS &&
                                  (iommu_count)(self->pages - self->done) < IOMMU_WAITS));
    if (waits) {
        self->addresses[(iommu_slot)self->written] = address_ecc_encode(access->addr);
        self->rests[(iommu_slot)self->written] =
            (iommu_others)(((iommu_others)access->split << (IOMMU_REST_BITS + 1)) |
                           ((iommu_others)access->plain << IOMMU_REST_BITS) | access->rest);
        self->written++;
    }
    if (looks) {
        self->places[(iommu_slot)self->pages] = page_ecc_encode(
            (page_ecc_data)(((page_ecc_data)access->context << 36) | (u36)(access->addr >> 12)));
        self->pages++;
    }
}

/* ---- together ---------------------------------------------------------------------------------------- */

/* What the registers say of each other. */
static inline void assert_state(const struct iommu_lane *self)
{
    hls_assert((iommu_count)(self->written - self->read) <= IOMMU_WAITS);
    hls_assert((iommu_count)(self->pages - self->done) <= IOMMU_WAITS);
    hls_assert((iommu_count)(self->done - self->given) <= IOMMU_FRAMES);
    hls_assert((iommu_count)(self->use.at - self->given) <= IOMMU_FRAMES);
    hls_assert(!is_before(self->use.at, self->done) && !is_before(self->probe.at, self->done));
    hls_assert(!is_before(self->pages, self->use.at) && !is_before(self->pages, self->probe.at));
    hls_assert(self->part == IOMMU_WHOLE || self->held.valid);
}

/* A verdict is of a look that is under way, of the seeker that translates of its oldest one. */
static inline u1 is_begun(const struct iommu_lane *self, const struct iommu_verdict *v)
{
    return v->probes ? is_before(v->at, self->probe.at)
                     : v->at == self->done && is_before(v->at, self->use.at);
}

HLS_MODULE void iommu_lane(struct iommu_lane *self, const struct iommu_lane_in *in)
{
    u1 free = !self->out.front.valid || in->pop;
    u1 empty =
        self->written == self->read && !self->fetched && !self->waiting.valid && !self->held.valid;

    assert_state(self);
    hls_assume(!in->pop || self->out.front.valid);
    hls_assume(!in->verdict.valid || is_begun(self, &in->verdict));
    self->out.front.valid &= !in->pop;
    struct iommu_taken taken = compose(self, free);

    fetch(self, taken.access);
    fetch_frame(self, taken.frame);
    look(self, in);
    take(self, &in->verdict, in->forget);
    push(self, &in->access, pass(self, &in->access, empty, free));
    self->out.room = (iommu_count)(self->written - self->read) <= IOMMU_WAITS - 3 &&
                     (iommu_count)(self->pages - self->done) <= IOMMU_WAITS - 3;
    self->out.idle = self->written == self->read && !self->fetched && !self->waiting.valid &&
                     !self->held.valid && !self->out.front.valid;
    hls_cover(self->part == IOMMU_FIRST);
    hls_cover(self->part == IOMMU_SECOND && self->held.plain);
}
