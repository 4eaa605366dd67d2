// SPDX-License-Identifier: Apache-2.0
/*
 * test_valve.c - what stands in front of the queues of rat_net and orb when host memory does not move (beat_valve.h): nothing for
 * half an epoch; then packets are taken and dropped, whole ones, and counted (two in one clock once); and what is in the queue goes on when memory does.
 * A memory that is slow costs no packet, and rat_local, behind orb's, drops none. While a NIC wipes its memories all that comes is taken at once, and
 * dropped, up to the packet whose head comes in the clock in which it is ready.
 *
 * Built for aries: fast; proto: san. Recorded for orb, rat.
 */
#include "tb/base/harness.h"
#include "tb/models/nic_beats.h"
#include "nic/initiator/orb.h"
#include "nic/target/rat.h"

enum { NODE = 5, HALF = 100, LATE = 3, WIPE = 1 << 13 };

static uint64_t now;
static bool wiping;
static struct rng rng;
static struct misses wrong; /* in the check under way */

/* A stream of packets, each begun when room was 1 and then sent with gaps, LATE clocks behind what was seen of room. */
struct sender {
    unsigned left;  /* beats of the packet that has begun */
    unsigned beats; /* of it */
    unsigned begun;
    bool room[LATE];
};

static struct beat send(struct sender *s, bool room,
                        beat_word (*head)(unsigned number, unsigned beats))
{
    struct beat beat = {};
    bool seen = s->room[now % LATE];

    s->room[now % LATE] = room;
    if (s->left == 0 && seen && rng_chance(&rng, 0.8)) {
        s->beats = s->left = 1 + rng_below(&rng, BEATS);
        s->begun++;
    }
    if (s->left != 0 && rng_chance(&rng, 0.8)) {
        beat = (struct beat){.valid = 1,
                             .head = s->left == s->beats,
                             .tail = s->left == 1,
                             .word = s->left == s->beats ? head(s->begun, s->beats) : (beat_word)0};
        s->left--;
    }
    return beat;
}

/* As nic_regs has it: it is ready when the wipe is over, and no epoch ends before. */
static struct nic_config config(void)
{
    return (struct nic_config){.ready = !wiping,
                               .enable = !wiping,
                               .node = wiping ? 0 : NODE,
                               .half = !wiping && now % (2 * HALF) == HALF,
                               .epoch = !wiping && now % (2 * HALF) == 0};
}

static struct nic_wipe wipe(void)
{
    return (struct nic_wipe){.valid = wiping, .index = (u13)now};
}

/* ---- rat_net ---------------------------------------------------------------------------------------- */

/* To no segment: answered MDD. */
static beat_word put_head(unsigned number, unsigned beats)
{
    beat_word head = CMD_PUT;

    head = BEAT_WITH(head, REQ_NODE_AT, 18, (u18)NODE);
    head = BEAT_WITH(head, REQ_Z_AT, 6, (u6)(beats == 1 ? 0 : 16 * (beats - 1) - 1));
    return BEAT_WITH(head, REQ_TAG_AT, 10, (nic_tag)number);
}

static unsigned answered, dropped;
static bool is_local;

/* A clock with this request, or without one. */
static void rat_clock(struct rat *r, const struct beat *request, bool memory)
{
    struct rat_in in = {.request = *request,
                        .is_local = is_local,
                        .client = is_local ? MEM_LOCAL : MEM_TARGET,
                        .room_memory = memory,
                        .room_read = 1,
                        .room_write = 1,
                        .wipe = wipe(),
                        .config = config()};

    rat(r, &in);
    answered += r->out.context.valid;
    dropped += (u1)(r->out.count >> RAT_STRAY);
    now++;
}

static void rat_send(struct rat *r, struct sender *s, bool memory)
{
    struct beat beat = send(s, r->out.room, put_head);

    rat_clock(r, &beat, memory);
}

/* The rest of a packet, and what is inside. */
static void rat_drain(struct rat *r, struct sender *s)
{
    while (s->left != 0) {
        rat_send(r, s, true);
    }
    for (unsigned i = 0; i < 200; i++) {
        rat_clock(r, &(struct beat){}, true);
    }
}

/* The queue fills, and then stands still; `phase`: where in an epoch. */
static void test_rat(unsigned phase)
{
    static struct rat r;
    struct sender s = {};
    unsigned begun, clocks = 0;

    answered = dropped = 0;
    now = 1;
    rat_reset(&r);
    for (unsigned i = 0; i < 1000 + phase; i++) {
        rat_send(&r, &s, true);
    }
    must_be(&wrong, dropped, 0);
    must_at_least(&wrong, answered, 201, "requests answered");
    tap_taken(&wrong, "rat_net: %u requests are answered", answered);
    for (; r.out.room; clocks++) {
        rat_send(&r, &s, false);
    }
    while (!r.out.room && clocks < 10 * HALF) {
        rat_send(&r, &s, false);
        clocks++;
    }
    /* holds beat_valve.when */
    must_be(&wrong, r.out.room, 1);
    must_at_least(&wrong, clocks, HALF, "clocks until packets are taken");
    must_at_most(&wrong, clocks, 2 * HALF + 4, "clocks until packets are taken");
    tap_taken(
        &wrong,
        "rat_net: memory stands still for %u clocks until packets are taken, half an epoch is %d",
        clocks, HALF);
    begun = s.begun;
    for (unsigned i = 0; i < 1000; i++) {
        rat_send(&r, &s, false);
    }
    /* holds beat_valve.dropped */
    must_at_least(&wrong, s.begun - begun, 201, "packets taken");
    must_at_least(&wrong, dropped + 1, s.begun - begun, "packets dropped, and one under way");
    tap_taken(&wrong, "rat_net: then %u packets are taken, %u dropped", s.begun - begun, dropped);
    for (unsigned i = 0; i < 2000; i++) {
        rat_send(&r, &s, i % 50 != 0);
    }
    rat_drain(&r, &s);
    must_be(&wrong, answered + dropped, s.begun);
    must_at_most(&wrong, dropped, 499, "packets dropped");
    tap_taken(&wrong, "rat_net: memory moves again: of %u packets %u were answered, %u dropped",
              s.begun, answered, dropped);
}

/* One beat in 16 clocks, for many epochs: the queue is full, but it moves. */
static void test_slow(void)
{
    static struct rat r;
    struct sender s = {};
    unsigned full = 0;

    answered = dropped = 0;
    rat_reset(&r);
    for (unsigned i = 0; i < 20 * HALF; i++) {
        rat_send(&r, &s, i % 16 == 0);
        full += !r.out.room;
    }
    rat_drain(&r, &s);
    must_be(&wrong, dropped, 0);
    must_be(&wrong, answered, s.begun);
    must_at_least(&wrong, full, 15 * HALF + 1, "clocks without room");
    tap_taken(&wrong,
              "rat_net: a slow memory: %u clocks without room, %u packets answered, none dropped",
              full, answered);
}

static void test_local(void)
{
    static struct rat r;
    struct sender s = {};

    is_local = true;
    answered = dropped = 0;
    rat_reset(&r);
    for (unsigned i = 0; i < 200; i++) {
        rat_send(&r, &s, false);
    }
    for (unsigned i = 0; i < 20 * HALF; i++) {
        rat_send(&r, &s, false);
        must(&wrong, !r.out.room, "room while memory stands still");
    }
    rat_drain(&r, &s);
    must_be(&wrong, dropped, 0);
    must_be(&wrong, answered, s.begun);
    must_at_least(&wrong, answered, 4, "packets answered");
    tap_taken(&wrong,
              "rat_local: memory stands still for ten epochs: no room, and all %u packets are "
              "there afterwards",
              answered);
    is_local = false;
}

/* While the NIC wipes its memories a sender finds room in each clock. */
static void rat_wipe(struct rat *r, struct sender *s)
{
    wiping = true;
    rat_reset(r);
    rat_clock(r, &(struct beat){}, false); /* behind the reset there is no room for a clock */
    for (unsigned i = 0; i < WIPE; i++) {
        rat_send(r, s, false);
        must(&wrong, r->out.room, "no room while tables are wiped");
    }
    wiping = false;
}

static void test_rat_wipe(void)
{
    static struct rat r;
    struct sender s = {};
    unsigned begun, late;

    answered = dropped = 0;
    rat_wipe(&r, &s);
    begun = s.begun;
    /* holds beat_valve.closed */
    must_at_least(&wrong, begun, WIPE / 10 + 1, "requests begun");
    must_be(&wrong, dropped, begun - (s.left == s.beats));
    must_be(&wrong, answered, 0);
    tap_taken(&wrong,
              "rat_net: while tables are wiped there is room in every clock: %u requests, %u "
              "dropped",
              begun, dropped);
    late = dropped;
    for (unsigned i = 0; i < 1000; i++) {
        rat_send(&r, &s, true);
    }
    rat_drain(&r, &s);
    must_at_most(&wrong, dropped - late, 1, "requests dropped behind the wipe");
    must_be(&wrong, answered, s.begun - dropped);
    must_at_least(&wrong, answered, 201, "requests answered");
    tap_taken(&wrong, "rat_net: behind that %u requests are answered, and %u dropped", answered,
              dropped - late);
}

/* ---- orb -------------------------------------------------------------------------------------------- */

/* Answers to nothing: counted, whether they are looked at or not. */
static beat_word response_head(unsigned number, unsigned beats)
{
    beat_word head = 0;

    (void)number;
    (void)beats;
    return BEAT_WITH(head, REQ_NODE_AT, 18, (u18)NODE);
}

static unsigned unknown;

static void orb_clock(struct orb *o, struct sender *s, bool memory)
{
    struct orb_in in = {.response = send(s, o->out.room_response, response_head),
                        .room_local = memory,
                        .room_request = 1,
                        .wipe = wipe(),
                        .config = config()};

    orb(o, &in);
    unknown += (u1)(o->out.count >> ORB_UNKNOWN);
    now++;
}

static void test_orb(unsigned phase)
{
    static struct orb o;
    struct sender s = {};
    unsigned begun, clocks = 0;

    unknown = 0;
    now = 1;
    orb_reset(&o);
    for (unsigned i = 0; i < 1000 + phase; i++) {
        orb_clock(&o, &s, true);
    }
    for (; o.out.room_response; clocks++) {
        orb_clock(&o, &s, false);
    }
    while (!o.out.room_response && clocks < 10 * HALF) {
        orb_clock(&o, &s, false);
        clocks++;
    }
    must_be(&wrong, o.out.room_response, 1);
    must_at_least(&wrong, clocks, HALF, "clocks until responses are taken");
    must_at_most(&wrong, clocks, 2 * HALF + 4, "clocks until responses are taken");
    tap_taken(&wrong, "orb: memory stands still for %u clocks until responses are taken", clocks);
    begun = s.begun;
    for (unsigned i = 0; i < 1000; i++) {
        orb_clock(&o, &s, false);
    }
    tap_at_least(s.begun - begun, 201, "orb: then %u responses are taken", s.begun - begun);
    for (unsigned i = 0; i < 1000; i++) {
        orb_clock(&o, &s, true);
    }
    while (s.left != 0) {
        orb_clock(&o, &s, true);
    }
    for (unsigned i = 0; i < 200; i++) {
        struct orb_in in = {.room_local = 1, .room_request = 1, .config = config()};

        orb(&o, &in);
        unknown += (u1)(o.out.count >> ORB_UNKNOWN);
        now++;
    }
    must_at_most(&wrong, unknown, s.begun, "responses counted");
    must_at_least(&wrong, unknown + 4, s.begun, "responses counted, and four dropped two by two");
    must_be(&wrong, o.responses.out.empty, 1);
    tap_taken(&wrong, "orb: memory moves again: %u responses, %u counted", s.begun, unknown);
}

/* Heads that come while the wipe is on are counted as they come, those behind it when they are looked at. */
static void test_orb_wipe(void)
{
    static struct orb o;
    struct sender s = {};
    unsigned begun;

    unknown = 0;
    wiping = true;
    orb_reset(&o);
    for (unsigned i = 0; i < WIPE; i++) {
        orb_clock(&o, &s, false);
        must(&wrong, o.out.room_response, "no room while tables are wiped");
    }
    wiping = false;
    begun = s.begun - (s.left == s.beats);
    must_at_least(&wrong, s.begun, WIPE / 10 + 1, "responses begun");
    must_be(&wrong, unknown, begun);
    must_be(&wrong, o.responses.out.empty, 1);
    tap_taken(&wrong,
              "orb: while tables are wiped there is room in every clock: %u responses, %u dropped",
              s.begun, unknown);
    for (unsigned i = 0; i < 1000; i++) {
        orb_clock(&o, &s, true);
    }
    while (s.left != 0) {
        orb_clock(&o, &s, true);
    }
    for (unsigned i = 0; i < 200; i++) {
        orb_clock(&o, &(struct sender){}, true);
    }
    must_be(&wrong, unknown, s.begun);
    must_at_least(&wrong, s.begun - begun, 201, "responses behind the wipe");
    tap_taken(&wrong, "orb: behind that each response is looked at: %u of %u", unknown - begun,
              s.begun - begun);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    harness_clock = &now;
    rng_seed(&rng, seed);
    for (unsigned phase = 0; phase < 2 * HALF; phase += 20) {
        test_rat(phase);
        test_orb(phase);
    }
    test_slow();
    test_local();
    test_rat_wipe();
    test_orb_wipe();
    tap_ok(harness_covers("hls/common/beat/beat_valve.h") == 2, "both valves have been shut");
    return tap_done();
}
