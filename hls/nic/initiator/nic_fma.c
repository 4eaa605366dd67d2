// SPDX-License-Identifier: Apache-2.0
/*
 * nic_fma.c - what a processor stores into pages and windows becomes requests.
 *
 *   clock 0   a run is taken: words of its descriptor that decide are read
 *   clock 1   what it asks for, checks; global offset
 *   clock 2   fma_packet: PE and offset, the other words are read; a word of a page is written
 *   clock 3   fma_packet: head beat; then local and data beats
 *
 * Nothing stops a run that was taken: the next one is taken when this one's beats will have gone, two clocks later at
 * the earliest, and none without room in tarb. So what a run writes the next one reads.
 */
#include "nic/initiator/fma_order.h"

HLS_RESET void nic_fma_reset(struct nic_fma *self)
{
    self->out = (struct nic_fma_out){};
    fma_packet_reset(&self->packet);
    self->taken = (struct fma_taken){};
    self->first = (struct fma_first_codes){};
    self->mended = 0;
    self->lost = 0;
    self->right = (struct fma_first){};
    self->wait = 0;
    self->asked = 0;
    self->clear = 0;
    self->refused = 0;
    self->order = (struct fma_order){};
    self->write = (struct fma_part){};
    self->place_valid = 0;
    self->place_unit = 0;
    self->place = 0;
    self->looked = 0;
    self->found = 0;
}

/* The packet before takes a clock more, and so does what comes behind it, unless it has waited in that clock for its own words. */
static inline u1 is_held(const struct nic_fma *self)
{
    return self->packet.out.mends & !self->mended;
}

/* ---- clock 0: what is taken --------------------------------------------------------------------- */

/* What happens in this clock, and the descriptor whose state is looked at. */
struct fma_turn {
    fma_index look;
    u1 write; /* the privileged part that waits is written */
    u1 scan;  /* no run: is there a transaction to abort? */
    u1 abort; /* yes, and now */
    u1 run;   /* in.run is taken */
    u1 asks;  /* look is in.run's */
};

/* State, as it was before this clock. */
struct fma_state {
    u1 enabled; /* of the descriptor that is looked at: */
    u1 doomed;  /* what it has open is to be aborted */
    u1 open;
    u9 opened;
    u9 flight;
    u16 dropped; /* of that one, or of the one that clock 1 was about: */
    fma_refusal refused;
    u1 failed;
    u1 failed_mark;
    u9 over; /* of the one that ssid's note is about: */
    u1 over_seen;
};

static inline struct fma_turn choose(const struct nic_fma *self, const struct nic_fma_in *in)
{
    u1 here = in->run.valid && !self->out.answer.valid;
    u1 scan = self->found || self->taken.valid || !here;

    return (struct fma_turn){
        .look = self->write.valid ? self->write.unit : (scan ? self->looked : in->run.unit),
        .write = self->write.valid && !self->taken.valid && !self->asked && !is_held(self),
        .scan = scan && !self->write.valid,
        .asks = !scan && !self->write.valid,
    };
}

static inline struct fma_state read_state(const struct nic_fma *self, fma_index look,
                                          fma_index noted)
{
    fma_index side = self->asked ? self->order.unit : look;
    u2 gate = self->gates[look];
    u9 opened = self->opened[look];
    u21 fault = self->faults[side];
    u1 mark = self->failed[side];

    return (struct fma_state){
        .enabled = (u1)gate,
        .doomed = (u1)(gate >> 1),
        .open = self->opens[look],
        .opened = opened,
        .flight = (u9)(opened - self->freed[look]),
        .dropped = (u16)(fault >> FMA_REFUSALS),
        .refused = (fma_refusal)fault,
        .failed = mark ^ self->seen[side],
        .failed_mark = mark,
        .over = self->freed[noted],
        .over_seen = self->seen[noted],
    };
}

/* A join needs room in ce. */
static inline u1 has_room(const struct nic_fma_in *in)
{
#if NIC_CE
    u9 number = (u9)(in->run.offset >> 3);

    return in->room_join || in->run.region != REGION_PAGE || !is_join_word(number);
#else
    (void)in;
    return 1;
#endif
}

static inline void decide(const struct nic_fma *self, const struct nic_fma_in *in,
                          const struct fma_state *state, struct fma_turn *turn)
{
    u1 free = !self->taken.valid && self->wait == 0 && !self->write.valid && !in->wipe.valid &&
              !is_held(self);
    u1 quiet = !self->asked; /* STATUS shows all that went before */
    u1 refuses = !state->enabled | in->run.gone | in->run.shut;
    u1 way = (in->room & has_room(in)) | refuses; /* what is refused needs none */

    turn->abort = free && self->found && in->room;
    turn->run = free && turn->asks && !state->doomed && (in->run.read ? quiet : way);
}

/* Of a disabled descriptor its owner's errors are not shown: that it is disabled, and what is still in flight. */
static inline u64 status_word(const struct fma_state *state)
{
    u22 errors = (u22)(((u22)state->dropped << (FMA_FAILED + 1)) |
                       ((u22)state->failed << FMA_FAILED) | state->refused);

    return (u64)(((u64)(state->enabled ? errors : (u22)REFUSED(FMA_DISABLED)) << STATUS_ERRORS_AT) |
                 ((u64)state->open << STATUS_OPEN_AT) | ((u64)state->flight << STATUS_FLIGHT_AT));
}

static inline void take(struct nic_fma *self, const struct nic_fma_in *in,
                        const struct fma_turn *turn, const struct fma_state *state)
{
    const struct pio_run *run = &in->run;
    pio_place place = (pio_place)(((pio_place)run->line << 2) | (u2)(run->offset >> 4));
    u1 shows = run->read && (u9)(run->offset >> 3) == FMA_WORD_STATUS;
    u1 enabled = state->enabled & !run->gone & !run->shut;

    self->taken = (struct fma_taken){
        .valid = turn->abort || (turn->run && !run->read),
        .abort = turn->abort,
        .region = run->region,
        .unit = turn->look,
        .offset = run->offset,
        .bytes = run->bytes,
        .line = run->line,
        .enabled = enabled,
        .open = state->open,
        .opened = state->opened,
        .flight = state->flight,
    };
    self->taken.chunk = self->chunks[place];
    if (turn->abort | turn->run) {
        self->first.base = self->bases[turn->look];
        self->first.modes = self->modes[turn->look];
        self->first.may = self->limits[turn->look];
    }
    self->out.answer = (struct page_reply){
        .valid = turn->run,
        .refused = !(enabled | shows),
        .data = shows ? status_word(state) : (u64)0,
    };
    if (in->wipe.valid) {
        self->found = 0; /* what it was found by was older than the reset */
    } else if (turn->scan) {
        self->looked += turn->abort | !(self->found | state->doomed);
        self->found = (self->found | state->doomed) && !turn->abort;
    } else if (turn->asks && state->doomed) {
        self->looked = run->unit; /* a run that waits for an abort has it done */
        self->found = 1;
    }
}

/* ---- state -------------------------------------------------------------------------------------- */

/* A transaction of a descriptor is over: ssid says so; or bte, which waits. */
static inline u1 is_noted(const struct nic_fma_in *in)
{
    return in->note.valid && in->note.channel >> 7 == CHANNEL_FMA;
}

static inline u1 is_launch_noted(const struct nic_fma *self, const struct nic_fma_in *in)
{
    return in->launched.valid && !self->out.launched_taken && !is_noted(in);
}

static inline fma_index noted_of(const struct nic_fma_in *in)
{
    return is_noted(in) ? (fma_index)in->note.channel : (fma_index)in->launched.unit;
}

/* Notes: transactions that are over; how they ended shows in a mark that differs from what was seen. */
static inline void write_notes(struct nic_fma *self, const struct nic_fma_in *in,
                               const struct fma_state *state)
{
    u1 ends = is_noted(in);
    u1 launched = is_launch_noted(self, in);
    u1 note = ends | launched;
    fma_index noted = noted_of(in);
    fma_index wiped = (fma_index)in->wipe.index;
    u1 clears = self->asked & self->clear;
    u1 failed = ends ? in->note.failed : in->launched.failed;

    hls_assume(!note || !in->wipe.valid); /* ssid and bte are as new as we are then */
    self->out.launched_taken = launched;
    if (in->wipe.valid | note) {
        self->freed[in->wipe.valid ? wiped : noted] =
            in->wipe.valid ? (u9)0 : (u9)(state->over + 1);
    }
    if (in->wipe.valid | (note & failed)) {
        self->failed[in->wipe.valid ? wiped : noted] = !state->over_seen && !in->wipe.valid;
    }
    if (in->wipe.valid | clears) {
        self->seen[in->wipe.valid ? wiped : self->order.unit] = state->failed_mark & clears;
    }
}

/* Refusals of clock 1. */
static inline void write_faults(struct nic_fma *self, const struct nic_fma_in *in,
                                const struct fma_state *state)
{
    fma_index wiped = (fma_index)in->wipe.index;
    u1 fails = self->asked && self->refused != 0;
    u16 dropped = (u16)(state->dropped + 1);
    fma_refusal refused = state->refused | self->refused;

    if (fails) {
        self->out.count |= (uint(FMA_COUNTS))self->refused;
    }
    if (in->wipe.valid | fails | (self->asked & self->clear)) {
        self->faults[in->wipe.valid ? wiped : self->order.unit] =
            fails ? (u21)(((u21)dropped << FMA_REFUSALS) | refused) : (u21)0;
    }
}

/* OPEN, CLOSE and TRANSFER, in clock 1. */
static inline void write_opens(struct nic_fma *self, const struct nic_fma_in *in,
                               const struct fma_taken *t, u1 open, u1 close, u1 transfer)
{
    fma_index unit = in->wipe.valid ? (fma_index)in->wipe.index : t->unit;

    if (in->wipe.valid | open | close) {
        self->opens[unit] = open && !in->wipe.valid;
    }
    if (in->wipe.valid | open | transfer) {
        self->opened[unit] = in->wipe.valid ? (u9)0 : (u9)(t->opened + 1);
    }
}

/*
 * The driver's part, two clocks after it came at the latest (nic_regs leaves four between two). A descriptor that is
 * switched off keeps the rest: what it had open ends as that of its old owner. What loses a write to a NIC that is
 * switched off ends, too: what comes behind it would be of another transaction than its owner means.
 */
static inline void write_gate(struct nic_fma *self, const struct nic_fma_in *in,
                              const struct fma_turn *turn, const struct fma_state *state)
{
    u58 data = self->write.data;
    u1 enabled = (u1)(data >> NR_FMA_ENABLE_AT);
    u1 torn = turn->run & in->run.shut & !in->run.gone & state->open;
    u1 doomed = torn || (turn->write && (state->doomed || (state->open && !enabled)));
    u1 ours = in->write.valid && (u2)in->write.addr == 0 &&
              in->write.addr >> (NIC_FMA_LOG2 + 2) == NR_FMA >> (NIC_FMA_LOG2 + 2);

    hls_assume(!ours || !self->write.valid || turn->write);
    if (in->wipe.valid | turn->write | turn->abort | torn) {
        u2 gate = (u2)(((u2)doomed << 1) | (turn->write ? enabled : state->enabled));

        self->gates[in->wipe.valid ? (fma_index)in->wipe.index : turn->look] =
            in->wipe.valid ? (u2)0 : gate;
    }
    self->place_valid = turn->write & enabled;
    self->place_unit = turn->look;
    self->place = (fma_place)(((fma_place)(u1)(data >> NR_FMA_NTT_AT) << 42) | (u42)data);
    if (in->wipe.valid | (turn->write & enabled)) {
        fma_rights may = in->wipe.valid ? (fma_rights)0 : (fma_rights)(data >> NR_FMA_LIMIT_AT);

        self->limits[in->wipe.valid ? (fma_index)in->wipe.index : turn->look] = fma_few_encode(may);
    }
    self->write.valid = ours || (self->write.valid && !turn->write);
    if (ours) {
        self->write.unit = (fma_index)(in->write.addr >> 2);
        self->write.data = (u58)in->write.data;
    }
}

/* ---- together ----------------------------------------------------------------------------------- */

/* What the codes of the words say; of one with a double-bit error nothing is left. */
static inline struct fma_first decode_first(const struct fma_first_codes *code, u1 *single,
                                            u1 *fatal)
{
    struct fma_long_result base = fma_long_decode(code->base);
    struct fma_few_result modes = fma_few_decode(code->modes);
    struct fma_few_result may = fma_few_decode(code->may);

    *single = base.corrected | modes.corrected | may.corrected;
    *fatal = base.fatal | modes.fatal | may.fatal;
    return (struct fma_first){
        .base = base.fatal ? (fma_global)0 : (fma_global)base.data,
        .modes = modes.fatal ? (u13)0 : (u13)modes.data,
        .may = may.fatal ? (fma_rights)0 : (fma_rights)may.data,
    };
}

/* Words BASE and MODES, as far as clock 1 needs them; 0 in the wipe. */
static inline void keep_first(struct nic_fma *self, const struct nic_fma_in *in,
                              const struct fma_taken *t)
{
    u1 wipes = in->wipe.valid;
    u64 word = wipes ? (u64)0 : self->order.word;
    fma_index at = wipes ? (fma_index)in->wipe.index : t->unit;
    u1 source = (u3)(word >> MODES_MODE_AT) == MODE_SOURCE;
    u13 modes = (u13)(((u13)source << 12) | ((u13)(u9)(word >> MODES_COMMAND_AT) << 3) |
                      (u3)(word >> MODES_PE_AT));

    u1 keeps = t->valid & self->order.store;

    if (wipes | (keeps & ((u3)(t->offset >> 3) == FMA_WORD_BASE))) {
        self->bases[at] = fma_long_encode(wipes ? (fma_global)0 : (fma_global)t->chunk);
    }
    if (wipes | (keeps & (self->order.number == FMA_WORD_MODES))) {
        self->modes[at] = fma_few_encode(modes);
    }
}

/* Clock 1: the run that was taken in the call before. */
static inline void ask(struct nic_fma *self, const struct nic_fma_in *in, const struct fma_taken *t,
                       const struct fma_first *first, u1 lost, u1 held)
{
    struct fma_kind kind = kind_of(t);
    struct fma_order order = order_of(t, &kind, first);
    fma_refusal refused = checks(t, &kind, first, &order, &in->launch);
    u1 wanted =
        kind.put | kind.get | kind.open | kind.close | kind.cqwrite | kind.transfer | kind.join;
    u1 done = t->valid && refused == 0;
    u1 opens = t->valid && kind.open && t->enabled && !t->open && t->flight < (u9)first->may;
    u1 may = t->enabled && t->open && !lacks_right(&kind, first, order.word);
    u1 closes = t->valid && kind.close && (t->abort || may);

    hls_assert(opens == (done & kind.open) && closes == (done & kind.close));
    order.valid = done & wanted;
    order.store = done & kind.store;
    order.lost = lost;
    if (t->valid | !held) {
        self->order = order;
    }
    self->asked = t->valid;
    self->clear = done & kind.status;
    self->refused = refused;
    write_opens(self, in, t, opens, closes, done & kind.transfer);
    if (t->valid) {
        u3 of_packet = wanted && order.beats > 2 ? (u3)(order.beats - 2) : (u3)0;

        self->wait = done && kind.transfer ? (u3)FMA_TRANSFER_WAIT : of_packet;
    } else {
        self->wait -= (self->wait != 0) & !held;
    }
}

HLS_MODULE void nic_fma(struct nic_fma *self, const struct nic_fma_in *in)
{
    const u1 held = is_held(self);
    struct fma_packet_in packet = {
        .order = self->order,
        .chunk = in->chunk,
        .place_valid = self->place_valid,
        .place_unit = self->place_unit,
        .place = self->place,
        .wipe = in->wipe,
    };
    const struct fma_taken taken = self->taken;
    const struct fma_first_codes codes = self->first;
    const struct fma_first plain = {(fma_global)codes.base, (u13)codes.modes,
                                    (fma_rights)codes.may};
    const struct fma_first first = self->mended ? self->right : plain;
    const u1 lost = self->lost;
    u1 single, fatal;
    const struct fma_first right = decode_first(&codes, &single, &fatal);
    u1 wait = taken.valid & !self->mended & (single | fatal);
    struct fma_taken now = taken;
    struct fma_turn turn = choose(self, in);
    struct fma_state state = read_state(self, turn.look, noted_of(in));

    packet.order.valid = self->order.valid & !held;
    now.valid = taken.valid & !wait & !held;
    decide(self, in, &state, &turn);
    self->out.count = (uint(FMA_COUNTS))((uint(FMA_COUNTS))turn.abort << FMA_COUNT_ABORTED);
    self->out.corrected = (wait & single) | self->packet.out.corrected;
    self->out.fatal = (wait & fatal) | self->packet.out.fatal;
    write_notes(self, in, &state);
    write_faults(self, in, &state);
    fma_packet(&self->packet, &packet);
    self->out.beat = self->packet.out.beat;
    self->out.launch = self->packet.out.launch;
#if NIC_CE
    self->out.join = self->packet.out.join;
#endif
    take(self, in, &turn, &state); /* reads the tables before they are written */
    ask(self, in, &now, &first, lost, held);
    keep_first(self, in, &now);
    if (wait | held) { /* in the next clock */
        self->taken = taken;
    }
    if (wait) {
        self->right = right;
    }
    self->mended = wait | (held & self->mended);
    self->lost = wait ? fatal : held & lost;
    write_gate(self, in, &turn, &state);
    if (in->chunk.valid) {
        self->chunks[in->chunk.place] = in->chunk.data;
    }

    hls_assert(!packet.order.valid || (!packet.order.store && !packet.place_valid));
    hls_cover(wait);
    hls_cover(held && self->order.valid); /* an order waits for the packet before */
    hls_cover(turn.abort);
    hls_cover(state.doomed && state.enabled); /* given away while open, or torn */
    hls_cover(turn.asks && state.doomed);     /* and a run of it waits */
    hls_cover(self->wait == 3);
    hls_cover(self->write.valid && self->taken.valid);
}
