// SPDX-License-Identifier: Apache-2.0
/*
 * ss_engine.h - ports of the engine: what becomes of messages of accelerated processes, without their host, and which messages a node sends.
 *
 * Its parts share the scratch memory and work in turn, so a message is matched and its descriptor changed before the next one is looked at.
 */
#ifndef SS_ENGINE_H
#define SS_ENGINE_H

#include "seastar/portals/ss_answer.h"
#include "seastar/portals/ss_commands.h"
#include "seastar/portals/ss_free.h"
#include "seastar/portals/ss_open.h"
#include "seastar/portals/ss_owed.h"
#include "seastar/portals/ss_source.h"
#include "seastar/portals/ss_turns.h"
#include "seastar/portals/ss_walk.h"

struct ss_engine_in {
    struct ss_command local;      /* from op 8 on */
    struct ss_command command[2]; /* SEND, PUT and GET: of class 0, of class 1 */
    struct ss_ask ask;            /* its fields stay for four clocks behind the decision */
    struct ss_end end;
    struct ss_move move;            /* of cells of an open operation, ... */
    struct ss_moved_cell cell_back; /* ... that come back */
    struct ss_left left[2];
    u2 send_room; /* by class */
    ss_node node;
    struct ss_index_write index;
    struct ss_scratch_driver driver;
    u16 scrub_period;
    u32 get_timeout;
    u1 write_room;
    u1 told, command_told; /* the entry of `tell`, of `command_tell`, was taken */
};

struct ss_engine_out {
    u1 local_taken;
    u1 released; /* a RELEASE was taken */
    u2 command_taken;
    struct ss_decision decision[2]; /* about a request, about an ack or reply */
    u1 ended;
    u2 left_taken;
    struct ss_send_push send[2]; /* acks and replies; commands */
    struct ss_write write;       /* of events */
    struct ss_entry_push tell;
    struct ss_entry_push command_tell;
    struct ss_process process[SS_PROCESSES];
    uint(SS_PLACES)
        busy;      /* operations that are open: a record whose place is busy is not used again */
    u2 place_room; /* class c: a place is free for a message in one packet */
    u1 moves;      /* the turn of `move` begins */
    struct ss_moved_cell cell_gone; /* that leaves */
    u1 idle;
    u1 ready;
    /* events, each for one clock */
    u1 refused, poisoned, late, illegal, command_illegal, lost;
    /* scratch memory */
    u1 scratch_done, corrected, fatal, scrubbed;
    ss_cell scratch_read;
};

struct ss_engine {
    struct ss_engine_out out;
    struct ss_turns turns;
    struct ss_walk walk;
    struct ss_open open;
    struct ss_owed owed;
    struct ss_free free;
    struct ss_source source;
    struct ss_answer answer;
    struct ss_commands commands;
    struct ss_event teller;
    struct ss_scratch scratch;
};

HLS_RESET void ss_engine_reset(struct ss_engine *self);
HLS_MODULE void ss_engine(struct ss_engine *self, const struct ss_engine_in *in);

#endif
