// SPDX-License-Identifier: Apache-2.0
/*
 * ss_turns.c - turns: ends of messages, headers, messages that have left, acks and replies that are owed, commands. A command that waits
 * comes behind eight other things.
 */
#include "seastar/portals/ss_turns.h"

#define COMMANDS_AFTER 8

typedef uint(SS_PENDINGS) pending_set;

HLS_RESET void ss_turns_reset(struct ss_turns *self)
{
    *self = (struct ss_turns){};
}

static inline pending_set pending_bit(ss_pending_index p)
{
    return (pending_set)((pending_set)1 << p);
}

static inline void give(struct ss_turns *self, enum ss_turn turn)
{
    self->out.turn = turn;
    self->out.first = 1;
    self->out.link += turn == SS_TURN_WALK || turn == SS_TURN_SOURCE;
}

/* A command that can be done: what it needs is free. */
static inline u2 commands_ready(const struct ss_turns *self, const struct ss_turns_in *in)
{
    u1 tells = !self->out.tell.valid;
    u1 pending = self->pendings != (pending_set)-1;
    u1 zero = (u1)in->commands && (u1)in->send_room && pending && tells;
    u1 one = (u1)(in->commands >> 1) && (u1)(in->send_room >> 1) && tells;

    return (u2)((u2)zero | (u2)((u2)one << 1));
}

static inline void give_command(struct ss_turns *self, const struct ss_turns_in *in, u2 ready)
{
    self->served = 0;
    self->out.response = (u1)(ready >> 1);
    give(self, !in->has_local ? SS_TURN_SOURCE : in->releases ? SS_TURN_RELEASE : SS_TURN_COMMANDS);
}

/* An operation of a place has ended. */
static inline void give_end(struct ss_turns *self, ss_place place, ss_status status)
{
    self->out.place = place;
    self->out.status = status;
    give(self, SS_TURN_END);
}

static inline void give_left(struct ss_turns *self, const struct ss_turns_in *in)
{
    u1 class = in->left[1].valid;
    struct ss_left left = in->left[class];

    self->out.gone = left;
    self->out.left_taken = class ? (u2)2 : (u2)1;
    if (left.teller == SS_TELLS_PLACE) {
        give_end(self, (ss_place)left.who, left.status);
    } else {
        give(self, SS_TURN_LEFT);
    }
}

static inline void choose(struct ss_turns *self, const struct ss_turns_in *in)
{
    u1 tells = !self->out.tell.valid;
    u1 ends = tells && in->event_room && !in->reads;
    u1 place = (u1)(in->place_room >> in->ask_class);
    u1 asks = in->ask && (!in->ask_needs || place);
    u2 ready = commands_ready(self, in);
    u1 commands = in->has_local || ready != 0;
    u1 late = commands && self->served == COMMANDS_AFTER;

    self->served += self->served != COMMANDS_AFTER;
    if (in->moves && !in->reads && !in->writes) {
        give(self, SS_TURN_MOVE);
    } else if (late) {
        give_command(self, in, ready);
    } else if (in->end.valid && ends) {
        self->out.ended = 1;
        give_end(self, in->end.place, in->end.status);
    } else if (asks) {
        give(self, in->ask_class ? SS_TURN_ANSWER : SS_TURN_WALK);
    } else if ((in->left[0].valid || in->left[1].valid) && ends) {
        give_left(self, in);
    } else if (self->due && tells) {
        self->due = 0;
        give(self, SS_TURN_EXPIRE);
    } else if (in->owes && (u1)(in->send_room >> 1)) {
        give(self, SS_TURN_OWED);
    } else if (commands) {
        give_command(self, in, ready);
    }
}

static inline void count_pendings(struct ss_turns *self, const struct ss_turns_in *in)
{
    ss_pending_index at = 0;

    if (in->takes_pending) {
        self->pendings |= pending_bit(self->out.tag);
    }
    for (int f = 0; f < 2; f++) {
        self->pendings &= (u1)(in->frees >> f) ? ~pending_bit(in->freed[f]) : (pending_set)-1;
    }
    for (int p = SS_PENDINGS - 1; p >= 0; p--) {
        at = (u1)(self->pendings >> p) ? at : (ss_pending_index)p;
    }
    self->out.tag = at;
}

/* The next pending that is not free comes to be looked at; behind the last one the epoch moves. */
static inline void count_time(struct ss_turns *self, const struct ss_turns_in *in)
{
    u26 each = (u26)(in->get_timeout >> SS_PENDINGS_LOG2);
    u1 over = self->until == 0 && each != 0 && !self->due && self->out.turn != SS_TURN_EXPIRE;

    self->until = over ? each : self->until != 0 ? (u26)(self->until - 1) : (u26)0;
    if (over) {
        self->out.scan.pending++;
        self->out.scan.epoch += self->out.scan.pending == 0;
        self->due = (u1)(self->pendings >> self->out.scan.pending);
    }
}

/* An entry for the ring stays until it was taken. */
static inline void keep_entry(struct ss_turns *self, const struct ss_turns_in *in)
{
    if (in->told) {
        self->out.tell.valid = 0;
    }
    for (int t = 0; t < 3; t++) {
        if (in->says[t].valid) {
            self->out.tell = in->says[t];
        }
    }
}

HLS_MODULE void ss_turns(struct ss_turns *self, const struct ss_turns_in *in)
{
    u1 free = self->out.turn == SS_TURN_NONE || in->done;

    self->out.first = 0;
    self->out.ended = 0;
    self->out.left_taken = 0;
    keep_entry(self, in);
    count_pendings(self, in);
    count_time(self, in);
    if (in->done && in->ending.valid) {
        self->out.unlink = in->ending;
        give(self, SS_TURN_FREE);
    } else if (free) {
        self->out.turn = SS_TURN_NONE;
        if (in->ready) {
            choose(self, in);
        }
    }
    self->out.idle = self->out.turn == SS_TURN_NONE && self->pendings == 0 && in->quiet;
}
