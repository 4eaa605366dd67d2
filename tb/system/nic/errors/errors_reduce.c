// SPDX-License-Identifier: Apache-2.0
/*
 * errors_reduce.c - rows of the table of errors: reductions whose joins, packets, trees or memory are wrong. The actor is both endpoints of an
 * engine here; behind it, if there is one, the engine of node 1.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

enum {
    WORD_CE = 11,
    ENGINE = 1,
    ENGINE_AT = 0x400 + 64 * ENGINE,
    ADD = 0x15,
    NO_OPERATION = 0x16,
    CE_STATUS = 14,
    RESULT = 64, /* where its control word goes */
    TAG = 0xC0FFEE,
};

/* ---- joins and what comes of them ---------------------------------------------------------------- */

static bool join(struct actor *a, unsigned child, unsigned id, unsigned operation, unsigned mdh)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_MODES,
                              (uint64_t)mdh << 12 | (uint64_t)ACTOR_QUEUE << 30 |
                                  (uint64_t)operation << 40));
    actor_store(a, store_word(ACTOR_FMA, WORD_FLAG + 1, RESULT));
    actor_store(a, store_word(ACTOR_FMA, WORD_EVENT, TAG + child));
    actor_store(a, store_word(ACTOR_FMA, WORD_OPERANDS, 100 + child));
    return actor_store(
        a, store_word(ACTOR_FMA, WORD_CE, id | (uint64_t)child << 16 | (uint64_t)ENGINE << 21));
}

#if NIC_CE

/* The next event is of an endpoint that joined as this child, with this status. */
static bool hears(struct actor *a, unsigned child, unsigned status)
{
    const uint64_t event = actor_event(a, 2 * ACTOR_PATIENCE);
    const bool good = event == ((uint64_t)status << 59 | (uint64_t)4 << 56 | (TAG + child));

    if (!good) {
        tap_note("event %#llx, expected status %u of child %u", (unsigned long long)event, status,
                 child);
    }
    return good;
}

/* The control word at its place says so, and that is all that there is. */
static bool says(struct actor *a, unsigned id, unsigned status, unsigned reason)
{
    uint64_t control;

    memcpy(&control, actor_bytes(a, 0, ACTOR_HERE) + RESULT, sizeof(control));
    memset(actor_bytes(a, 0, ACTOR_HERE) + RESULT, 0, 24);
    return control == ((uint64_t)1 << 63 | (uint64_t)id << 16 | reason << 8 | status);
}

/* ---- trees --------------------------------------------------------------------------------------- */

static uint64_t config(unsigned children, bool root, unsigned timeout)
{
    return (uint64_t)ACTOR_DOMAIN | (uint64_t)3 << 13 | (uint64_t)children << 15 |
           (uint64_t)timeout << 21 | (uint64_t)root << 62 | (uint64_t)1 << 63;
}

static void enable(struct actor *a, unsigned node, uint64_t how)
{
    nic_bench_write(a->bench, node, ENGINE_AT, how);
}

/* The engine here has two endpoints, both of the actor, and is the root, or child 0 of the engine of node 1, which is. */
static void plant(struct actor *a, bool alone, unsigned timeout)
{
    struct nic_bench *b = a->bench;
    const uint64_t process = (uint64_t)1 << 20 | (uint64_t)ACTOR_FMA << 22;

    nic_bench_write(b, 0, ENGINE_AT + 1, b->node[1].address | (uint64_t)ENGINE << 18);
    nic_bench_write(b, 0, ENGINE_AT + 2, process);
    nic_bench_write(b, 0, ENGINE_AT + 3, process);
    nic_bench_write(b, 1, ENGINE_AT + 2,
                    b->node[0].address | (uint64_t)ENGINE << 18 | (uint64_t)2 << 20);
    enable(a, 0, config(2, alone, timeout));
    enable(a, 1, config(1, true, 0));
}

/* Both engines are disabled, and busy no longer. */
static bool uproot(struct actor *a)
{
    channel_of(a->bench)->tamper = NULL;
    for (unsigned node = 0; node < 2; node++) {
        nic_bench_write(a->bench, node, ENGINE_AT, 0);
        for (int i = 0; (nic_bench_read(a->bench, node, ENGINE_AT + 34) & 7) != 0; i++) {
            if (i == 100) {
                tap_note("the engine of node %u stays busy", node);
                return false;
            }
            actor_run(a, ACTOR_EPOCH / 4);
        }
    }
    return true;
}

/* Both endpoints join a reduction, and hear of its end. */
static bool reduces(struct actor *a, unsigned id)
{
    return join(a, 0, id, ADD, ACTOR_HERE) && join(a, 1, id, ADD, ACTOR_HERE) &&
           hears(a, 0, GN_OK) && hears(a, 1, GN_OK) && says(a, id, GN_OK, 0);
}

/* All is well afterwards. */
static bool ends(struct actor *a, bool good)
{
    bool well = uproot(a);

    plant(a, false, 0);
    well = well && reduces(a, 900);
    return uproot(a) && well && good;
}

/* ---- joins that are wrong ------------------------------------------------------------------------ */

static bool is_refused(struct actor *a, unsigned child, unsigned id, unsigned operation,
                       unsigned status, unsigned reason)
{
    return join(a, child, id, operation, ACTOR_HERE) && hears(a, child, status) &&
           says(a, id, status, reason);
}

static bool disabled(struct actor *a)
{
    plant(a, true, 0); /* for its events */
    uproot(a);
    return ends(a, is_refused(a, 0, 5, ADD, GN_PROTECTION, 0));
}

static bool foreign(struct actor *a)
{
    bool good;

    plant(a, true, 0);
    good = is_refused(a, 2, 5, ADD, GN_PROTECTION, 0); /* no such child */
    uproot(a);
    enable(a, 0, config(2, true, 0) + 1);
    good = good && is_refused(a, 0, 5, ADD, GN_PROTECTION, 0); /* another domain's */
    uproot(a);
    nic_bench_write(a->bench, 0, ENGINE_AT + 2,
                    (uint64_t)1 << 20 | (uint64_t)(ACTOR_FMA + 1) << 22);
    enable(a, 0, config(2, true, 0));
    good = good && is_refused(a, 0, 5, ADD, GN_PROTECTION, 0); /* another descriptor's */
    return ends(a, good);
}

/* Another id, another operation, twice; and the reduction goes on. */
static bool against(struct actor *a)
{
    bool good;

    plant(a, true, 0);
    good = join(a, 0, 7, ADD, ACTOR_HERE) && is_refused(a, 1, 8, ADD, CE_STATUS, 1) &&
           is_refused(a, 1, 7, ADD - 1, CE_STATUS, 2) && is_refused(a, 0, 7, ADD, CE_STATUS, 3) &&
           join(a, 1, 7, ADD, ACTOR_HERE) && hears(a, 0, GN_OK) && hears(a, 1, GN_OK) &&
           is_refused(a, 1, 7, ADD, CE_STATUS, 1); /* it is over */
    return ends(a, good);
}

static bool unknown(struct actor *a)
{
    plant(a, true, 0);
    return ends(a, is_refused(a, 0, 5, NO_OPERATION, GN_BAD_COMMAND, 0));
}

static bool no_number(struct actor *a)
{
    bool good;

    plant(a, true, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_STATUS, 0));
    good = join(a, 0, 5, 64 + ADD, ACTOR_HERE) && actor_dropped(a, 2);
    return ends(a, good);
}

/* ---- memory of results ---------------------------------------------------------------------------- */

/* The first endpoint's result cannot be written, so its event says; the second one's is. */
static bool missed(struct actor *a, unsigned mdh, unsigned status)
{
    return join(a, 0, 5, ADD, mdh) && join(a, 1, 5, ADD, ACTOR_HERE) && hears(a, 0, status) &&
           hears(a, 1, GN_OK) && says(a, 5, GN_OK, 0);
}

static bool refused_segment(struct actor *a)
{
    static const struct {
        unsigned mdh, status;
    } segments[] = {{ACTOR_READ_ONLY, GN_PROTECTION},
                    {ACTOR_ALIEN, GN_PROTECTION},
                    {ACTOR_NONE, GN_MDD},
                    {ACTOR_OUTSIDE, GN_TRANSLATION}};
    bool good = true;

    for (unsigned i = 0; i < sizeof(segments) / sizeof(segments[0]); i++) {
        plant(a, true, 0);
        good = missed(a, segments[i].mdh, segments[i].status) && uproot(a) && good;
    }
    return ends(a, good);
}

static bool broken_memory(struct actor *a)
{
    const struct host_fault fault = {.from = actor_place(ACTOR_FAULTY),
                                     .to = actor_place(ACTOR_FAULTY) + ACTOR_BYTES,
                                     .bus_error = true};
    bool good;

    host_add_fault(a->bench->node[0].host, &fault);
    plant(a, true, 0);
    good = missed(a, ACTOR_FAULTY, GN_BUS);
    host_clear_faults(a->bench->node[0].host);
    return ends(a, good);
}

/* ---- packets -------------------------------------------------------------------------------------- */

static unsigned loses; /* command whose next packet is lost; 0: none */
static void (*change)(struct channel_packet *p);

static bool tamper(void *whose, int class, struct channel_packet *p)
{
    const beat_word head = p->beat[0].word;
    const bool ours = class == 0 && req_ptag(head) == ACTOR_DOMAIN;
    const bool lost = ours && loses != 0 && req_cmd(head) == loses;

    (void)whose;
    loses = lost ? 0 : loses;
    if (ours && req_cmd(head) == CMD_CE_UP && change != NULL) {
        change(p);
        change = NULL;
    }
    return !lost;
}

static bool fails_on_its_way(struct actor *a, unsigned status)
{
    channel_of(a->bench)->tamper = tamper;
    plant(a, false, 0);
    return ends(a, join(a, 0, 5, ADD, ACTOR_HERE) && join(a, 1, 5, ADD, ACTOR_HERE) &&
                       hears(a, 0, status) && hears(a, 1, status) && says(a, 5, status, 0));
}

static bool up_lost(struct actor *a)
{
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    loses = CMD_CE_UP;
    return fails_on_its_way(a, GN_TIMEOUT);
}

static void wrong_child(struct channel_packet *p)
{
    p->beat[0].word = req_with_offset(p->beat[0].word,
                                      req_offset(p->beat[0].word) ^ (nic_offset)1 << CE_CHILD_AT);
}

static void bad_data(struct channel_packet *p)
{
    p->beat[1].bad = 1;
}

static void short_data(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_Z_AT, 6, 7);
}

static bool up_foreign(struct actor *a)
{
    change = wrong_child;
    return fails_on_its_way(a, GN_PROTECTION);
}

static bool up_bad(struct actor *a)
{
    change = bad_data;
    return fails_on_its_way(a, GN_DATA);
}

static bool up_short(struct actor *a)
{
    change = short_data;
    return fails_on_its_way(a, GN_BAD_COMMAND);
}

/* The result is lost on its way: the endpoints hear TIMEOUT by their own engine's; who sent it counts a child that was not told. */
static bool down_lost(struct actor *a)
{
    const uint64_t untold = actor_counter(a, 1, NR_CE_UNTOLD);
    bool good;

    channel_of(a->bench)->tamper = tamper;
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    nic_bench_write(a->bench, 1, NR_ORB_EPOCH, ACTOR_EPOCH);
    loses = CMD_CE_DOWN;
    plant(a, false, 3);
    good = join(a, 0, 5, ADD, ACTOR_HERE) && join(a, 1, 5, ADD, ACTOR_HERE) &&
           hears(a, 0, GN_TIMEOUT) && hears(a, 1, GN_TIMEOUT) && says(a, 5, GN_TIMEOUT, 0);
    good = uproot(a) && good && actor_counter(a, 1, NR_CE_UNTOLD) == untold + 1;
    return ends(a, good);
}

/* ---- trees that are wrong, engines that change hands --------------------------------------------- */

static bool alone(struct actor *a)
{
    plant(a, true, 2); /* the second endpoint never joins */
    return ends(a, join(a, 0, 5, ADD, ACTOR_HERE) && hears(a, 0, GN_TIMEOUT) &&
                       says(a, 5, GN_TIMEOUT, 0) &&
                       is_refused(a, 1, 5, ADD, CE_STATUS, 1)); /* nor may it now */
}

static bool taken_away(struct actor *a)
{
    bool good;

    plant(a, true, 0);
    good = join(a, 0, 5, ADD, ACTOR_HERE);
    actor_run(a, 200);
    nic_bench_write(a->bench, 0, ENGINE_AT, 0);
    return ends(a, good && hears(a, 0, GN_SEQUENCE) && says(a, 5, GN_SEQUENCE, 0));
}

static bool wrong_config(struct actor *a)
{
    const uint64_t refused = a->bench->node[0].driver.lite_refused;

    enable(a, 0, config(33, true, 0));
    enable(a, 0, config(2, true, 0) | (uint64_t)7 << 10);
    return ends(a, a->bench->node[0].driver.lite_refused == refused + 2);
}

const struct error_row errors_reduce[] = {
    {"join of an engine that is disabled: PROTECTION", disabled, NR_CE_REFUSED, 0},
    {"join as a child of another: PROTECTION", foreign, NR_CE_REFUSED, 0},
    {"join of another id, operation, or twice: CE, with its reason", against, NR_CE_REFUSED, 0},
    {"join with an operation that there is not: BAD_COMMAND", unknown, NR_CE_REFUSED, 0},
    {"join with a command that is no number of one: STATUS", no_number, NR_FMA_BAD_COMMAND, 0},
    {"result for a segment that refuses it: its status", refused_segment, NR_LOCAL_REFUSED, 0},
    {"result for memory that fails: BUS", broken_memory, NR_WRITE_ERROR, 0},
    {"CE_UP lost: TIMEOUT to all endpoints", up_lost, NR_ORB_TIMEOUT, 0},
    {"CE_UP of another child: PROTECTION", up_foreign, NR_CE_REFUSED, 1},
    {"CE_UP with wrong bits in its data: DATA", up_bad, NR_CE_FATAL, 1},
    {"CE_UP of another length: BAD_COMMAND", up_short, NR_RAT_BAD_COMMAND, 1},
    {"CE_DOWN lost: TIMEOUT, and a child that is not told", down_lost, NR_ORB_TIMEOUT, 1},
    {"reduction that not all join: TIMEOUT", alone, NR_CE_FAILED, 0},
    {"engine disabled under a reduction: SEQUENCE", taken_away, NR_CE_FAILED, 0},
    {"engine with too many children, or a mode by source: SLVERR", wrong_config,
     NR_REGISTER_REFUSED, 0},
    {0}};

#else

static bool no_engines(struct actor *a)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_STATUS, 0));
    return join(a, 0, 5, ADD, ACTOR_HERE) && actor_dropped(a, 2);
}

const struct error_row errors_reduce[] = {
    {"join where there are no collective engines: STATUS", no_engines, NR_FMA_BAD_COMMAND, 0}, {0}};

#endif
