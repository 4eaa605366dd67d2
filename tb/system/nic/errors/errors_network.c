// SPDX-License-Identifier: Apache-2.0
/*
 * errors_network.c - what becomes of packets on their way, and what management does. Only the actor's packets are touched.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

enum {
    NO_TAG = NIC_TAGS,
    LONG_EPOCH = 8 * NIC_TAGS /* so many stores, one by one, fit into two of them */
};

/* Changes a packet, says whether it goes on; NULL: as it is. */
typedef bool change(struct channel_packet *p);

static struct {
    struct actor *actor;
    change *request, *response; /* of each packet of the actor's */
    unsigned tag;               /* of its last request */
    struct channel_packet last; /* response to it, as it was */
    unsigned resting, reused;   /* a tag that nobody may have now; requests that have it */
} way;

static bool tamper(void *whose, int class, struct channel_packet *p)
{
    beat_word head = p->beat[0].word;

    (void)whose;
    way.reused += class == 0 && req_src(head) == 0 && req_tag(head) == way.resting;
    if (class == 0 && req_src(head) == 0 && req_ptag(head) == ACTOR_DOMAIN) {
        way.tag = req_tag(head);
        return way.request == NULL || way.request(p);
    }
    if (class == 1 && req_node(head) == 0 && rsp_tag(head) == way.tag) {
        way.last = *p;
        way.tag = NO_TAG; /* others may have it next */
        return way.response == NULL || way.response(p);
    }
    return true;
}

static void on_the_way(struct actor *a, change *request, change *response)
{
    struct nic_channel *c = channel_of(a->bench);

    way.actor = a;
    way.request = request;
    way.response = response;
    way.tag = NO_TAG;
    way.resting = NO_TAG;
    way.reused = 0;
    c->tamper = request != NULL || response != NULL ? tamper : NULL;
}

/* Until what timed out has rested: tag and id. */
static bool rests(struct actor *a)
{
    on_the_way(a, NULL, NULL);
    for (int i = 0; i < 10 && (actor_status(a) & 0x3FF) != 0; i++) {
        actor_run(a, ACTOR_EPOCH / 2);
    }
    return (actor_status(a) & 0x3FF) == 0 && actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

/* A put or a get with this done to its packets ends so; then all is well again. */
static bool put_ends(struct actor *a, change *request, change *response, int status)
{
    bool good;

    on_the_way(a, request, response);
    good = actor_put(a, 1, ACTOR_THERE, 0) == status;
    return rests(a) && good;
}

static bool get_ends(struct actor *a, change *request, change *response, int status)
{
    bool good;

    on_the_way(a, request, response);
    good = actor_get(a, 1, ACTOR_THERE, 0, 0) == status;
    return rests(a) && good;
}

/* ---- lost and late ------------------------------------------------------------------------------- */

static bool is_lost(struct channel_packet *p)
{
    (void)p;
    return false;
}

/*
 * Sent at the beginning of an epoch it times out when the next one has ended, as soon as the scrubber comes to its tag, which takes half an
 * epoch at most. Its id rests for two epochs more, and counts as in flight.
 */
static bool request_lost(struct actor *a)
{
    uint64_t begin, took;
    bool good;

    on_the_way(a, is_lost, NULL);
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    begin = a->bench->clock;
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_TIMEOUT;
    took = a->bench->clock - begin;
    if (took < ACTOR_EPOCH || took > 2 * ACTOR_EPOCH + ACTOR_EPOCH / 2) {
        tap_note("timed out after %llu clocks, expected %u to %u", (unsigned long long)took,
                 ACTOR_EPOCH, 2 * ACTOR_EPOCH + ACTOR_EPOCH / 2);
        good = false;
    }
    actor_run(a, ACTOR_EPOCH / 2);
    return good && (actor_status(a) & 0x1FF) == 1 && rests(a);
}

static bool is_noted(struct channel_packet *p)
{
    (void)p;
    return true;
}

/*
 * An answer may come an epoch after its request was given up. So its tag rests for two, however many requests there are: more than there are
 * tags, in one transaction.
 */
static bool tag_rests(struct actor *a)
{
    uint64_t begin;
    unsigned tag, sent = 0;
    bool good;

    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, LONG_EPOCH);
    on_the_way(a, is_lost, NULL);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_put(ACTOR_FMA, 0, actor_data, 8));
    actor_end(a, WANTS_GLOBAL);
    actor_run(a, 100);
    tag = way.tag;
    good = tag != NO_TAG && actor_ending(a) == GN_TIMEOUT;
    begin = a->bench->clock;
    on_the_way(a, is_noted, NULL);
    way.resting = tag;
    actor_begin(a, 1, ACTOR_THERE, 0);
    for (; a->bench->clock - begin < 2 * LONG_EPOCH - 200; sent++) {
        actor_store(a, store_launch(ACTOR_FMA, (uint64_t)1 << 40, false, sent));
    }
    good = good && way.reused == 0 && (sent > NIC_TAGS || a->traffic);
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    actor_end(a, WANTS_GLOBAL);
    good = actor_ending(a) == GN_OK && good;
    return rests(a) && good;
}

static bool response_lost(struct actor *a)
{
    memset(actor_bytes(a, 1, ACTOR_THERE), 0, 8);
    return put_ends(a, NULL, is_lost, GN_TIMEOUT) &&
           memcmp(actor_bytes(a, 1, ACTOR_THERE), actor_data, 8) == 0;
}

static bool is_late(struct channel_packet *p)
{
    p->due += 3 * ACTOR_EPOCH;
    return true;
}

/* It is done all the same, and its answer fits nothing. */
static bool request_late(struct actor *a)
{
    bool before, good;

    on_the_way(a, is_late, NULL);
    memset(actor_bytes(a, 1, ACTOR_THERE), 0, 8);
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_TIMEOUT;
    before = memcmp(actor_bytes(a, 1, ACTOR_THERE), actor_data, 8) == 0;
    actor_run(a, 3 * ACTOR_EPOCH);
    good = good && !before && memcmp(actor_bytes(a, 1, ACTOR_THERE), actor_data, 8) == 0;
    return rests(a) && good;
}

/* ---- responses --------------------------------------------------------------------------------------- */

static beat_word with_tag(beat_word w, nic_tag tag)
{
    return BEAT_WITH(w, RSP_TAG_AT, 10, tag);
}

/* The answer once more; with another generation; for tags that nothing has, or that there are not. */
static bool response_unknown(struct actor *a)
{
    uint64_t before = actor_counter(a, 0, NR_ORB_UNKNOWN);
    struct channel_packet p;

    on_the_way(a, NULL, NULL);
    channel_of(a->bench)->tamper = tamper;
    if (actor_put(a, 1, ACTOR_THERE, 0) != GN_OK) {
        return false;
    }
    on_the_way(a, NULL, NULL);
    p = way.last;
    channel_send(a->bench, 0, 1, &p);
    for (nic_gen gen = 1; gen != 0; gen++) {
        p.beat[0].word = BEAT_WITH(way.last.beat[0].word, RSP_GEN_AT, 2,
                                   (nic_gen)(rsp_gen(way.last.beat[0].word) + gen));
        channel_send(a->bench, 0, 1, &p);
    }
    p.beat[0].word = with_tag(way.last.beat[0].word, (nic_tag)~0);
    channel_send(a->bench, 0, 1, &p);
    actor_run(a, 200);
    return actor_counter(a, 0, NR_ORB_UNKNOWN) == before + 5 &&
           actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

static bool is_other_use(struct channel_packet *p)
{
    nic_gen gen = rsp_gen(p->beat[0].word);

    p->beat[0].word = BEAT_WITH(p->beat[0].word, RSP_GEN_AT, 2, (nic_gen)(gen + 1));
    return true;
}

static bool response_of_other_use(struct actor *a)
{
    return put_ends(a, NULL, is_other_use, GN_TIMEOUT);
}

/* Data where an acknowledgement should be; another length than the request wants. */
static bool has_data(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_LENGTH_AT, 4, rsp_flits(0, 8));
    p->beat[0].tail = 0;
    p->beat[1] = (struct beat){.valid = 1, .tail = 1, .word = 0x1234};
    p->count = 2;
    return true;
}

static bool has_none(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_LENGTH_AT, 4, 1);
    p->beat[0].tail = 1;
    p->count = 1;
    return true;
}

static bool is_longer(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_LENGTH_AT, 4, rsp_flits(0, 16));
    return true;
}

static bool response_misfits(struct actor *a)
{
    uint8_t *here = actor_bytes(a, 0, ACTOR_HERE);
    bool good;

    memset(here, 0x55, 16);
    good = put_ends(a, NULL, has_data, GN_DATA) && get_ends(a, NULL, has_none, GN_DATA) &&
           get_ends(a, NULL, is_longer, GN_DATA);
    for (int i = 0; i < 16; i++) {
        good = good && here[i] == 0x55;
    }
    return good;
}

static beat_word with_node(beat_word w, nic_node node)
{
    return BEAT_WITH(w, REQ_NODE_AT, 18, node);
}

static bool is_for_another(struct channel_packet *p)
{
    p->beat[0].word = with_node(p->beat[0].word, 77);
    return true;
}

static bool response_astray(struct actor *a)
{
    return put_ends(a, NULL, is_for_another, GN_TIMEOUT);
}

static bool has_bad_head(struct channel_packet *p)
{
    p->beat[0].bad = 1;
    return true;
}

static bool response_lost_inside(struct actor *a)
{
    return put_ends(a, NULL, has_bad_head, GN_TIMEOUT);
}

static bool has_bad_data(struct channel_packet *p)
{
    p->beat[1].bad = 1;
    return true;
}

/* What comes with a double-bit error is not written, and the request says so. */
static bool response_data_bad(struct actor *a)
{
    uint8_t *here = actor_bytes(a, 0, ACTOR_HERE);
    bool good, kept = true;

    memset(here, 0x55, 8);
    on_the_way(a, NULL, has_bad_data);
    good = actor_get(a, 1, ACTOR_THERE, 0, 0) == GN_DATA;
    for (int i = 0; i < 8; i++) {
        kept = kept && here[i] == 0x55;
    }
    return rests(a) && good && kept;
}

/* ---- requests ------------------------------------------------------------------------------------------- */

static bool request_astray(struct actor *a)
{
    return put_ends(a, is_for_another, NULL, GN_TIMEOUT);
}

static bool request_lost_inside(struct actor *a)
{
    return put_ends(a, has_bad_head, NULL, GN_TIMEOUT);
}

static bool request_data_bad(struct actor *a)
{
    uint8_t *there = actor_bytes(a, 1, ACTOR_THERE);
    bool good;

    memset(there, 0x55, 8);
    on_the_way(a, has_bad_data, NULL);
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_DATA && there[0] == 0x55 && there[7] == 0x55;
    return rests(a) && good;
}

static u4 other_command;

static bool has_other_command(struct channel_packet *p)
{
    p->beat[0].word = BEAT_WITH(p->beat[0].word, REQ_CMD_AT, 4, other_command);
    return true;
}

/* All that are not built, and all that there are not. */
static bool request_unknown(struct actor *a)
{
    uint8_t *there = actor_bytes(a, 1, ACTOR_THERE);
    bool good = true;

    memset(there, 0x55, 64);
    on_the_way(a, has_other_command, NULL);
    for (u4 cmd = CMD_AMO; cmd != 0; cmd++) {
        other_command = cmd;
        bool is_one = cmd >= CMD_PUT_MSG && cmd <= CMD_NOTE;

        good = good && (is_one || actor_put(a, 1, ACTOR_THERE, 0) == GN_BAD_COMMAND);
    }
    for (int i = 0; i < 64; i++) {
        good = good && there[i] == 0x55;
    }
    return rests(a) && good;
}

static bool is_odd(struct channel_packet *p)
{
    p->beat[0].word = req_with_offset(p->beat[0].word, req_offset(p->beat[0].word) + 2);
    return true;
}

static bool request_odd(struct actor *a)
{
    return get_ends(a, is_odd, NULL, GN_BAD_COMMAND);
}

/* ---- hosts that stand still, management ----------------------------------------------------------------------- */

/* A node's processes are as good as not there, and whoever asks it, or is asked by it, may fail. */
static void alone(struct actor *a, unsigned node, bool on)
{
    program_rest(a->others, node, on);
    if (on) {
        for (unsigned i = 0; i < ACTOR_PATIENCE && !driver_idle(&a->bench->node[node].driver);
             i++) {
            actor_run(a, 1);
        }
    }
    for (unsigned i = 0; i < ACTOR_NODES; i++) {
        nic_bench_doubt(a->bench, node, i, on);
    }
}

static bool host_stands_still(struct actor *a)
{
    struct host *h = a->bench->node[1].host;
    bool good;

    alone(a, 1, true);
    memset(actor_bytes(a, 1, ACTOR_THERE), 0, 8);
    host_set(h, &(struct host_knobs){.dead = true});
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_TIMEOUT && *actor_bytes(a, 1, ACTOR_THERE) == 0;
    good = good && actor_put(a, 2, ACTOR_THERE, 0) == GN_OK;
    actor_memory(a, 1, ACTOR_LATENCY);
    actor_run(a, 5 * ACTOR_EPOCH);
    alone(a, 1, false);
    return good && rests(a);
}

static bool target_disabled(struct actor *a)
{
    bool good;

    alone(a, 1, true);
    nic_bench_write(a->bench, 1, NR_CONTROL, 0);
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_UNREACHABLE;
    nic_bench_write(a->bench, 1, NR_CONTROL, 1);
    alone(a, 1, false);
    return good && actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

/* What was sent is answered, and its event comes; what is stored meanwhile is refused. */
static bool disabled_in_flight(struct actor *a)
{
    bool good;

    alone(a, 0, true);
    actor_memory(a, 1, 400);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_put(ACTOR_FMA, 0, actor_data, 8));
    actor_end(a, WANTS_GLOBAL);
    nic_bench_write(a->bench, 0, NR_CONTROL, 0);
    good = !actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 0));
    good = actor_ending(a) == GN_OK && good;
    actor_memory(a, 1, ACTOR_LATENCY);
    nic_bench_write(a->bench, 0, NR_CONTROL, 1);
    alone(a, 0, false);
    return good && actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

/* Nothing new goes out: what is stored waits. What was on its way ends, and then the NIC says that it is drained. */
static bool drained(struct actor *a)
{
    const uint64_t drain = 1 | 1 << NR_CONTROL_DRAIN_AT;
    struct driver_burst put = store_put(ACTOR_FMA, 0, actor_data, 8);
    uint8_t *there = actor_bytes(a, 1, ACTOR_THERE);
    bool good, empty;

    program_rest(a->others, 0, true);
    memset(there, 0, 8);
    actor_begin(a, 1, ACTOR_THERE, 0);
    nic_bench_write(a->bench, 0, NR_CONTROL, drain);
    driver_burst(&a->bench->node[0].driver, &put);
    actor_run(a, 1000);
    empty = (actor_counter(a, 0, NR_STATUS) >> NR_STATUS_DRAINED_AT & 1) == 1;
    good = *there == 0 && !driver_idle(&a->bench->node[0].driver) && (empty || a->traffic);
    nic_bench_write(a->bench, 0, NR_CONTROL, 1);
    actor_end(a, WANTS_GLOBAL);
    good = actor_ending(a) == GN_OK && good && memcmp(there, actor_data, 8) == 0;
    program_rest(a->others, 0, false);
    return good;
}

static struct channel_packet copied;

static bool is_copied(struct channel_packet *p)
{
    copied = *p;
    return true;
}

/* Puts of a node that there is not, more of them than the NIC has room for while its memory stands still: they wait, and each is answered. */
static bool crowd(struct actor *a)
{
    enum { PUTS = 100 };
    struct nic_channel *c = channel_of(a->bench);
    bool good;

    on_the_way(a, is_copied, NULL);
    good = actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
    on_the_way(a, NULL, NULL);
    copied.beat[0].word = BEAT_WITH(copied.beat[0].word, REQ_SRC_AT, 18, 77);
    actor_memory(a, 1, 600);
    const uint64_t answered = c->stray;

    for (unsigned i = 0; i < PUTS; i++) {
        channel_send(a->bench, 1, 0, &copied);
    }
    actor_run(a, 600);
    actor_memory(a, 1, ACTOR_LATENCY);
    for (unsigned i = 0; i < 100 && c->stray - answered != PUTS; i++) {
        actor_run(a, 1000);
    }
    return c->stray - answered == PUTS && rests(a) && good;
}

const struct error_row errors_network[] = {
    {"request lost: TIMEOUT, and its id rests", request_lost, NR_ORB_TIMEOUT, 0},
    {"request lost: nobody has its tag for two epochs", tag_rests, NR_ORB_TIMEOUT, 0},
    {"response lost: TIMEOUT, and it is done", response_lost, NR_ORB_TIMEOUT, 0},
    {"request later than its timeout: it is done", request_late, NR_ORB_TIMEOUT, 0},
    {"response twice, of no use, for no tag: dropped", response_unknown, NR_ORB_UNKNOWN, 0},
    {"response of another use alone: dropped, TIMEOUT", response_of_other_use, NR_ORB_UNKNOWN, 0},
    {"response of another kind or length: DATA", response_misfits, NR_ORB_MISFIT, 0},
    {"response for another node: dropped, TIMEOUT", response_astray, NR_ORB_MISROUTED, 0},
    {"response with a double-bit error in its head: TIMEOUT", response_lost_inside,
     NR_ORB_HEAD_LOST, 0},
    {"response with a double-bit error in its data: DATA", response_data_bad, NR_SSID_FAILED, 0},
    {"request for another node: dropped, TIMEOUT", request_astray, NR_RAT_STRAY, 1},
    {"request with a double-bit error in its head: TIMEOUT", request_lost_inside, NR_RAT_LOST, 1},
    {"request with a double-bit error in its data: DATA", request_data_bad, NR_NPT_DATA, 1},
    {"requests that there are not, or not yet: BAD_COMMAND", request_unknown, NR_RAT_BAD_COMMAND,
     1},
    {"get of an odd place: BAD_COMMAND", request_odd, NR_RAT_BAD_COMMAND, 1},
    {"a host that stands still: TIMEOUT", host_stands_still, NR_ORB_TIMEOUT, 0},
    {"target not enabled: UNREACHABLE", target_disabled, NR_RAT_UNREACHABLE, 1},
    {"disabled with work in flight: it ends", disabled_in_flight, NR_FMA_DISABLED, 0},
    {"drained: nothing new goes out", drained, 0, 0},
    {"more than there is room for: it waits, and all is answered", crowd, 0, 0},
    {0},
};
