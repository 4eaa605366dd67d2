// SPDX-License-Identifier: Apache-2.0
/*
 * errors_atomic.c - rows of the table of errors: atomic operations that are wrong, or whose variable's memory fails.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

enum {
    ADD = 0x55,       /* of 64 bits */
    ADD_KEPT = 0x75,  /* cached */
    NO_OPCODE = 0x4E, /* between CSWAP and IMIN */
    AT = 64           /* where the variable is */
};

/* ---- one operation ------------------------------------------------------------------------------- */

/* A transaction of one atomic operation without fetch: how it ended. */
static int add(struct actor *a, unsigned mdh, uint64_t offset, unsigned opcode, uint64_t operand)
{
    uint8_t bytes[8];

    memcpy(bytes, &operand, 8);
    actor_begin(a, 1, mdh, offset);
    actor_store(a, store_word(ACTOR_FMA, WORD_MODES,
                              mdh | (uint64_t)ACTOR_QUEUE << 30 | (uint64_t)opcode << 40));
    actor_store(a, store_put(ACTOR_FMA, 0, bytes, 8));
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a);
}

/* The same with fetch: the old value goes to the begin of a segment here. */
static int fetch_add(struct actor *a, unsigned local, uint64_t operand)
{
    actor_begin(a, 1, ACTOR_THERE, AT);
    actor_modes(a, ACTOR_THERE, local, ACTOR_QUEUE, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_OPERANDS, operand));
    actor_store(a, store_fetch(ACTOR_FMA, 0, 0, ADD, false));
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a);
}

static void set(struct actor *a, unsigned node, unsigned mdh, uint64_t offset, uint64_t value)
{
    memcpy(actor_bytes(a, node, mdh) + offset, &value, 8);
}

static bool is(struct actor *a, unsigned node, unsigned mdh, uint64_t offset, uint64_t value)
{
    return memcmp(actor_bytes(a, node, mdh) + offset, &value, 8) == 0;
}

/* ---- on the way ---------------------------------------------------------------------------------- */

static void (*change)(struct channel_packet *p); /* what happens to the next request, or NULL */
static bool loses;                               /* the response to it is lost */
static unsigned tag = NIC_TAGS;                  /* that it has */

static bool tamper(void *whose, int class, struct channel_packet *p)
{
    beat_word head = p->beat[0].word;
    bool ours = class == 1 && req_node(head) == 0 && rsp_tag(head) == tag;

    (void)whose;
    if (class == 0 && req_ptag(head) == ACTOR_DOMAIN && change != NULL) {
        change(p);
        change = NULL;
        tag = req_tag(head);
    }
    tag = ours ? (unsigned)NIC_TAGS : tag;
    return !(ours && loses);
}

static void no_change(struct channel_packet *p)
{
    (void)p;
}

static void no_opcode(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_Z_AT, 6, NO_OPCODE & 0x3F);
}

static void odd_place(struct channel_packet *p)
{
    p->beat[0].word = req_with_offset(p->beat[0].word, req_offset(p->beat[0].word) + 4);
}

static void bad_operands(struct channel_packet *p)
{
    p->beat[1].bad = 1;
}

/* How an operation ends whose request, or response, that happens to. */
static int add_changed(struct actor *a, void (*how)(struct channel_packet *p), bool lost)
{
    int status;

    change = how;
    loses = lost;
    channel_of(a->bench)->tamper = tamper;
    status = add(a, ACTOR_THERE, AT, ADD, 1);
    channel_of(a->bench)->tamper = NULL;
    return status;
}

/* With this status, and the variable stays as it was; the next one finds all in order. */
static bool is_refused(struct actor *a, void (*how)(struct channel_packet *p), int status)
{
    bool good;

    set(a, 1, ACTOR_THERE, AT, 100);
    good = add_changed(a, how, false) == status && is(a, 1, ACTOR_THERE, AT, 100);
    return good && add(a, ACTOR_THERE, AT, ADD, 1) == GN_OK && is(a, 1, ACTOR_THERE, AT, 101);
}

static bool unknown(struct actor *a)
{
    return is_refused(a, no_opcode, GN_BAD_COMMAND);
}

static bool odd(struct actor *a)
{
    return is_refused(a, odd_place, GN_BAD_COMMAND);
}

static bool operands_bad(struct actor *a)
{
    return is_refused(a, bad_operands, GN_DATA);
}

/* Done once; the initiator cannot know. */
static bool response_lost(struct actor *a)
{
    bool good;

    set(a, 1, ACTOR_THERE, AT, 100);
    good = add_changed(a, no_change, true) == GN_TIMEOUT && is(a, 1, ACTOR_THERE, AT, 101);
    for (int i = 0; i < 10 && (actor_status(a) & 0x3FF) != 0; i++) {
        actor_run(a, ACTOR_EPOCH);
    }
    return good;
}

/* ---- memory -------------------------------------------------------------------------------------- */

/* The variable's memory, while an operation wants it. */
static int add_faulty(struct actor *a, unsigned opcode, bool poison)
{
    struct host *h = a->bench->node[1].host;
    uint64_t at = actor_place(ACTOR_FAULTY) + AT;
    int status;

    host_add_fault(
        h, &(struct host_fault){.from = at, .to = at + 8, .bus_error = !poison, .poison = poison});
    status = add(a, ACTOR_FAULTY, AT, opcode, 1);
    host_clear_faults(h);
    return status;
}

static bool unreadable(struct actor *a)
{
    set(a, 1, ACTOR_FAULTY, AT, 100);
    return add_faulty(a, ADD_KEPT, false) == GN_BUS && is(a, 1, ACTOR_FAULTY, AT, 100) &&
           add(a, ACTOR_FAULTY, AT, ADD, 1) == GN_OK && is(a, 1, ACTOR_FAULTY, AT, 101);
}

static bool poisoned(struct actor *a)
{
    set(a, 1, ACTOR_FAULTY, AT, 100);
    return add_faulty(a, ADD_KEPT, true) == GN_DATA && is(a, 1, ACTOR_FAULTY, AT, 100) &&
           add(a, ACTOR_FAULTY, AT, ADD, 1) == GN_OK && is(a, 1, ACTOR_FAULTY, AT, 101);
}

/* A kept variable that could not be written is not kept: memory is read again. Others may need its place before that. */
static bool unwritable(struct actor *a)
{
    bool good;

    set(a, 1, ACTOR_FAULTY, AT, 100);
    good = add(a, ACTOR_FAULTY, AT, ADD_KEPT, 1) == GN_OK && is(a, 1, ACTOR_FAULTY, AT, 101);
    if (!a->traffic) {
        set(a, 1, ACTOR_FAULTY, AT, 200); /* not seen: it is kept */
        good = good && add(a, ACTOR_FAULTY, AT, ADD_KEPT, 1) == GN_OK &&
               is(a, 1, ACTOR_FAULTY, AT, 102);
    }
    good = good && add_faulty(a, ADD_KEPT, false) == GN_BUS;
    set(a, 1, ACTOR_FAULTY, AT, 300);
    return good && add(a, ACTOR_FAULTY, AT, ADD, 1) == GN_OK && is(a, 1, ACTOR_FAULTY, AT, 301);
}

/* ---- rights, and what is kept -------------------------------------------------------------------- */

static bool no_right(struct actor *a)
{
    set(a, 1, ACTOR_WRITE_ONLY, AT, 100);
    return add(a, ACTOR_WRITE_ONLY, AT, ADD, 1) == GN_PROTECTION &&
           is(a, 1, ACTOR_WRITE_ONLY, AT, 100);
}

/* The operation is done all the same. */
static bool nowhere_to_put_it(struct actor *a)
{
    set(a, 1, ACTOR_THERE, AT, 100);
    return fetch_add(a, ACTOR_READ_ONLY, 1) == GN_PROTECTION && is(a, 1, ACTOR_THERE, AT, 101) &&
           fetch_add(a, ACTOR_HERE, 1) == GN_OK && is(a, 1, ACTOR_THERE, AT, 102) &&
           is(a, 0, ACTOR_HERE, 0, 101);
}

/* The driver's flush: whoever has the place next sees memory. */
static bool flushed(struct actor *a)
{
    bool good;

    set(a, 1, ACTOR_THERE, AT, 100);
    nic_bench_write(a->bench, 1, NR_CONTROL, 1 | (uint64_t)1 << NR_CONTROL_FLUSH_AT);
    good = add(a, ACTOR_THERE, AT, ADD_KEPT, 1) == GN_OK && is(a, 1, ACTOR_THERE, AT, 101);
    set(a, 1, ACTOR_THERE, AT, 200);
    nic_bench_write(a->bench, 1, NR_CONTROL, 1 | (uint64_t)1 << NR_CONTROL_FLUSH_AT);
    return good && add(a, ACTOR_THERE, AT, ADD_KEPT, 1) == GN_OK &&
           is(a, 1, ACTOR_THERE, AT, 201) && add(a, ACTOR_THERE, AT, ADD, 1) == GN_OK;
}

const struct error_row errors_atomic[] = {
    {"atomic operation that there is not: BAD_COMMAND", unknown, NR_RAT_BAD_COMMAND, 1},
    {"atomic operation at an odd place: BAD_COMMAND", odd, NR_RAT_BAD_COMMAND, 1},
    {"atomic operation without the right: PROTECTION", no_right, NR_RAT_PROTECTION, 1},
    {"atomic operation, a double-bit error in its operands: DATA", operands_bad, NR_AMO_DATA, 1},
    {"atomic operation, response lost: TIMEOUT, and it is done once", response_lost, NR_ORB_TIMEOUT,
     0},
    {"variable that cannot be read: BUS", unreadable, NR_READ_ERROR, 1},
    {"variable that memory knows to be wrong: DATA", poisoned, NR_READ_POISON, 1},
    {"kept variable that cannot be written: BUS, and read again", unwritable, 0, 0},
    {"old value has no place here: PROTECTION, and it is done", nowhere_to_put_it, NR_LOCAL_REFUSED,
     0},
    {"variables flushed: read again", flushed, 0, 0},
    {0},
};
