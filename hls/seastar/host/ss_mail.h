// SPDX-License-Identifier: Apache-2.0
/*
 * ss_mail.h - ports and registers of the mailboxes: an AXI4 subordinate that takes commands of 64 bytes.
 *
 * A page of 4 KB for each process; page 0 is the driver's as well:
 *
 *     0x000   write   local commands (driver)
 *     0x100   write   messages of class 1: SEND (driver)
 *     0x200   write   messages of class 0: PUT, GET; SEND (driver)
 *     0x400 + 8 line  read   commands taken off line 0, 1, 2 of this page
 *     0x800 + 8 q     write  events of queue q that have been read: one beat
 *
 * A command is one burst of eight beats with all their bytes, at the start of its line; each line has a queue of 16. Word 7 is
 * {0 4, op 4, ticket 16, length 40}. SLVERR, and nothing is done: anything else, and a queue that is full.
 */
#ifndef SS_MAIL_H
#define SS_MAIL_H

#include "seastar/packet/ss_axi.h"
#include "seastar/packet/ss_host.h"

#define SS_LINES_LOG2                                                                              \
    (SS_PROCESSES_LOG2 + 1) /* lines: the driver's three, and one of each other page */
#define SS_LINES     (1 << SS_LINES_LOG2)
#define SS_LINE_LOG2 4 /* commands that wait in a line */

typedef uint(SS_LINES_LOG2) ss_line;

struct ss_mail_in {
    struct ss_axi_to_sub s_axi;
    u1 local_taken; /* the command shown, for one clock */
    u2 send_taken;  /* by class */
};

struct ss_mail_out {
    struct ss_axi_from_sub s_axi;
    struct ss_command local;
    struct ss_command send[2];   /* by class */
    struct ss_index_write index; /* for one clock */
};

enum ss_mail_write { SS_WRITE_IDLE, SS_WRITE_BEATS, SS_WRITE_ANSWER };

struct ss_mail {
    struct ss_mail_out out;

    enum ss_mail_write state;
    ss_line line;
    ss_slot page; /* of the burst */
    u1 good;      /* so far */
    u1 index;     /* it is an index */
    u8 of_queue;  /* of this queue */
    u4 beats;     /* of it that came, up to 8 */
    u1 passes;    /* its words go to the front of its line, which is empty, as they come */
    uint(SS_LINE_LOG2 + 1) tail[SS_LINES];
    uint(SS_LINE_LOG2 + 1) head[SS_LINES];
    u32 taken[SS_LINES];

    /* Three fronts are filled, word by word: of the local line, of class 1, of class 0 of the pages in turn. */
    u1 loads;
    ss_line load_line;
    ss_line after; /* the line of class 0 that was served last */
    u4 load_word;
    u1 read_valid; /* the memory's register has word load_word - 1 */
    u64 read;
    HLS_BRAM u64 queue[1 << (SS_LINES_LOG2 + SS_LINE_LOG2 + 3)];
};

HLS_RESET void ss_mail_reset(struct ss_mail *self);
HLS_MODULE void ss_mail(struct ss_mail *self, const struct ss_mail_in *in);

#endif
