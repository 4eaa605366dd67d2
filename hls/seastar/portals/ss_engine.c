// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.c - the engine: its parts and the wires between them.
 *
 *     headers ─► ss_walk ─┐                    ┌─► ss_event ─► memory
 *                         ├─► ss_open ─► ss_owed ─► ss_send
 *     acks, replies ► ss_answer       ss_source ─┘
 *                      ss_turns: one of them, of ss_free and of ss_commands works on ss_scratch
 */
#include "seastar/portals/ss_engine.h"

#define PARTS 7 /* that use the scratch memory */

HLS_RESET void ss_engine_reset(struct ss_engine *self)
{
    self->out = (struct ss_engine_out){.place_room = 3};
    ss_turns_reset(&self->turns);
    ss_walk_reset(&self->walk);
    ss_open_reset(&self->open);
    ss_owed_reset(&self->owed);
    ss_free_reset(&self->free);
    ss_source_reset(&self->source);
    ss_answer_reset(&self->answer);
    ss_commands_reset(&self->commands);
    ss_event_reset(&self->teller);
    ss_scratch_reset(&self->scratch);
}

/* The turn of a part begins. */
static inline u1 begins(const struct ss_engine *self, enum ss_turn turn)
{
    return self->turns.out.first && self->turns.out.turn == turn;
}

static inline struct ss_turns_in turns_inputs(const struct ss_engine *self,
                                              const struct ss_engine_in *in)
{
    u1 replies = (u4)in->ask.flit[0] == SS_REPLY;
    u1 releases = ss_command_op(&in->local) == SS_OP_RELEASE;
    struct ss_turns_in turns = {
        .ready = self->scratch.out.ready,
        .has_local = in->local.valid && !self->commands.out.tell.valid &&
                     !(releases && self->turns.out.tell.valid),
        .releases = releases,
        .commands = (u2)((u2)in->command[0].valid | (u2)((u2)in->command[1].valid << 1)),
        .send_room = in->send_room,
        .ask = in->ask.valid,
        .ask_class = in->ask.class,
        .ask_needs = in->ask.whole && (replies || !in->ask.class),
        .end = in->end,
        .place_room = self->open.out.room,
        .owes = self->open.out.owes,
        .reads = self->open.out.reads,
        .writes = self->open.out.writes,
        .moves = in->move.valid,
        .event_room = self->teller.out.room,
        .quiet = self->open.out.busy == 0 && !self->open.out.owes && self->teller.out.idle,
        .done = self->commands.out.taken || self->walk.out.done || self->open.out.done ||
                self->owed.out.done || self->free.out.done || self->source.out.done ||
                self->answer.out.done,
        .ending = self->open.out.unlink.valid ? self->open.out.unlink : self->answer.out.unlink,
        .takes_pending = self->source.out.takes_pending,
        .frees =
            (u2)((u2)self->open.out.frees_pending | (u2)((u2)self->answer.out.frees_pending << 1)),
        .freed = {self->open.out.pending, self->answer.out.pending},
        .says = {self->open.out.tell, self->source.out.tell, self->answer.out.tell},
        .told = in->told,
        .get_timeout = in->get_timeout,
    };

    for (int c = 0; c < 2; c++) {
        turns.left[c] = in->left[c];
    }
    return turns;
}

/* One part works at a time; of an open operation cells are written and read beside the next one. */
static inline struct ss_scratch_in scratch_inputs(const struct ss_engine *self,
                                                  const struct ss_engine_in *in)
{
    struct ss_work part[PARTS] = {
        self->walk.out.work,   self->open.out.work,   self->owed.out.work,     self->free.out.work,
        self->source.out.work, self->answer.out.work, self->commands.out.work,
    };
    struct ss_scratch_in scratch = {.driver = in->driver, .scrub_period = in->scrub_period};

    for (int p = 0; p < PARTS; p++) {
        const struct ss_work *w = &part[p];

        hls_assert(!(scratch.pair.read && w->pair.read) && !(scratch.pair.write && w->pair.write));
        hls_assert(!(scratch.third.read && w->third.read) &&
                   !(scratch.third.write && w->third.write));
        scratch.pair.read |= w->pair.read;
        scratch.pair.write |= w->pair.write;
        scratch.pair.read_at |= w->pair.read_at;
        scratch.pair.write_at |= w->pair.write_at;
        scratch.pair.data.low |= w->pair.data.low;
        scratch.pair.data.high |= w->pair.data.high;
        scratch.third.read |= w->third.read;
        scratch.third.write |= w->third.write;
        scratch.third.read_at |= w->third.read_at;
        scratch.third.write_at |= w->third.write_at;
        scratch.third.data |= w->third.data;
    }
    return scratch;
}

/* Of the parts that tell one does. */
static inline struct ss_event_part told_part(const struct ss_engine *self)
{
    struct ss_event_part part[4] = {self->open.out.event, self->free.out.event,
                                    self->source.out.event, self->answer.out.event};
    struct ss_event_part told = {};

    for (int p = 0; p < 4; p++) {
        hls_assert(!(told.valid && part[p].valid));
        if (part[p].valid) {
            told = part[p];
        }
    }
    return told;
}

static inline struct ss_held counted(const struct ss_engine *self)
{
    const struct ss_held *open = &self->open.out.held, *free = &self->free.out.held;
    const struct ss_held *source = &self->source.out.held, *answer = &self->answer.out.held;

    return (struct ss_held){
        .slot = open->slot | free->slot | source->slot | answer->slot,
        .less = free->less,
        .pending_more = source->pending_more,
        .pending_less = open->pending_less || answer->pending_less,
    };
}

static inline struct ss_commands_in
commands_inputs(const struct ss_engine *self, const struct ss_engine_in *in, struct ss_cells cells)
{
    return (struct ss_commands_in){
        .command = in->local,
        .turn = begins(self, SS_TURN_COMMANDS),
        .cells = cells,
        .held = counted(self),
        .event_idle = self->teller.out.idle,
        .some = self->teller.out.some,
        .told = in->command_told,
    };
}

static inline void forward_outputs(struct ss_engine *self)
{
    struct ss_engine_out *out = &self->out;

    out->local_taken = self->commands.out.taken;
    out->released = self->answer.out.released;
    out->command_taken = self->source.out.taken;
    out->decision[0] = self->walk.out.decision;
    out->decision[1] = self->answer.out.decision;
    out->ended = self->turns.out.ended;
    out->left_taken = self->turns.out.left_taken;
    out->send[0] = self->owed.out.send;
    out->send[1] = self->source.out.send;
    out->write = self->teller.out.write;
    out->tell = self->turns.out.tell;
    out->command_tell = self->commands.out.tell;
    for (int s = 0; s < SS_PROCESSES; s++) {
        out->process[s] = self->commands.out.process[s];
    }
    out->busy = self->open.out.busy;
    out->place_room = self->open.out.room;
    out->cell_gone = self->open.out.cell_gone;
    out->idle = self->turns.out.idle;
    out->ready = self->scratch.out.ready;
    out->refused = self->walk.out.refused;
    out->poisoned = self->walk.out.poisoned;
    out->late = self->answer.out.late;
    out->illegal = self->source.out.illegal;
    out->command_illegal = self->commands.out.illegal;
    out->lost = self->teller.out.lost;
    out->scratch_done = self->scratch.out.done;
    out->corrected = self->scratch.out.corrected;
    out->fatal = self->scratch.out.fatal;
    out->scrubbed = self->scratch.out.scrubbed;
    out->scratch_read = self->scratch.out.data;
}

HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in)
{
    struct ss_cells cells = {.pair = self->scratch.out.pair,
                             .pair_fatal = self->scratch.out.pair_fatal,
                             .third = self->scratch.out.third,
                             .third_fatal = self->scratch.out.third_fatal};
    u1 room = self->teller.out.room;
    u1 moves = begins(self, SS_TURN_MOVE);
    struct ss_turns_in turns = turns_inputs(self, in);
    struct ss_walk_in walk = {.turn = begins(self, SS_TURN_WALK),
                              .ask = in->ask,
                              .cells = cells,
                              .place = self->open.out.free[0],
                              .link = self->turns.out.link,
                              .event_room = room};
    struct ss_open_in open = {.turn = begins(self, SS_TURN_END),
                              .place = self->turns.out.place,
                              .status = self->turns.out.status,
                              .owed_turn = begins(self, SS_TURN_OWED),
                              .freed = self->owed.out.freed,
                              .freed_place = self->owed.out.freed_place,
                              .begin = {self->walk.out.begin, self->answer.out.begin},
                              .move_turn = moves,
                              .move = in->move,
                              .cell_back = in->cell_back,
                              .ask = in->ask,
                              .cells = cells};
    struct ss_owed_in owed = {.turn = begins(self, SS_TURN_OWED),
                              .owed = self->open.out.owed,
                              .node = in->node,
                              .cells = cells};
    struct ss_free_in free = {.turn = begins(self, SS_TURN_FREE),
                              .unlink = self->turns.out.unlink,
                              .cells = cells,
                              .event_room = room};
    struct ss_source_in source = {.turn = begins(self, SS_TURN_SOURCE),
                                  .response = self->turns.out.response,
                                  .command = {in->command[0], in->command[1]},
                                  .node = in->node,
                                  .tag = self->turns.out.tag,
                                  .epoch = self->turns.out.scan.epoch,
                                  .link = self->turns.out.link,
                                  .cells = cells,
                                  .event_room = room};
    struct ss_answer_in answer = {.turn = begins(self, SS_TURN_ANSWER),
                                  .left_turn = begins(self, SS_TURN_LEFT),
                                  .expire_turn = begins(self, SS_TURN_EXPIRE),
                                  .release_turn = begins(self, SS_TURN_RELEASE),
                                  .release = in->local,
                                  .scan = self->turns.out.scan,
                                  .ask = in->ask,
                                  .left = self->turns.out.gone,
                                  .place = self->open.out.free[1],
                                  .cells = cells,
                                  .event_room = room};
    struct ss_commands_in commands = commands_inputs(self, in, cells);
    struct ss_event_in event = {.part = told_part(self),
                                .set = self->commands.out.set,
                                .index = in->index,
                                .write_room = in->write_room};
    struct ss_scratch_in scratch = scratch_inputs(self, in);

    turns.event_room = room;
    for (int s = 0; s < SS_PROCESSES; s++) {
        walk.process[s] = self->commands.out.process[s];
        owed.process[s] = self->commands.out.process[s];
        source.process[s] = self->commands.out.process[s];
    }
    ss_turns(&self->turns, &turns);
    ss_walk(&self->walk, &walk);
    ss_open(&self->open, &open);
    ss_owed(&self->owed, &owed);
    ss_free(&self->free, &free);
    ss_source(&self->source, &source);
    ss_answer(&self->answer, &answer);
    ss_commands(&self->commands, &commands);
    ss_event(&self->teller, &event);
    ss_scratch(&self->scratch, &scratch);
    forward_outputs(self);
    self->out.moves = moves;
}
