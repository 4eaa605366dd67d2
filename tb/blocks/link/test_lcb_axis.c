// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_axis.c - the LCB as two AXI4-Stream channels: two lcb_axis back to back, a user at each.
 *
 * Users send packets on all VCs, with gaps between the beats, and take beats at a pace that changes. Some beats are marked
 * bad, some say tlast in the wrong place: such a packet is dropped up to its tlast, and no other. The golden flows see packets as their
 * last beat is taken and beats as they come out, and what a dead link reports. The cable has no errors: what those do is the other test_link_*.c's.
 *
 * Built for aries: san. Recorded for lcb_axis.
 */
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "link/lcb_axis.h"

#include <inttypes.h>

enum { CONTROL_KILL = 0x72, QUICK_DEATH = 16 | 1 << 8 | 1024 << 16, UP_LIMIT = 3000 };

struct user {
    struct lcb_axis axis;
    struct lcb_axis_in in;
    struct golden_flow flow; /* what this user sends */
    unsigned left;           /* beats of the packet that is offered, with this one */
    uint64_t gathered[16];   /* those of it that were taken */
    bool marked[16];
    unsigned beats;
    uint64_t beats_taken;
    bool skips;        /* its length is over without a tlast: what is offered is dropped */
    bool before_valid; /* in the clock before there was a beat that was not taken */
    struct axis_beat_marked before;
    unsigned got_left, vc; /* of the packet coming out */
    unsigned times;        /* the peer's time came */
};

static struct user user[2];
static struct rng r;
static uint64_t now, number, misframed;
static struct misses wrong;
static bool looped; /* both hear themselves */
/* How users behave, of 1024: beats offered, beats taken, marks, tlast in the wrong place. */
static struct {
    unsigned offer, take, mark, misframe;
    unsigned pause;   /* no beat is offered with so many to come, itself among them */
    unsigned longest; /* packets are of 1 to so many flits, or all of 16 */
    bool stop;        /* no more packets */
} habit;

static void check(bool pass, const char *what)
{
    must(&wrong, pass, "%s", what);
}

static bool often(unsigned in_1024)
{
    return rng_below(&r, 1024) < in_1024;
}

static void new_flit(struct user *u)
{
    uint64_t flit = (++number * UINT64_C(0x9e3779b97f4b)) & ((UINT64_C(1) << 48) - 1);
    if (u->left == 0 && !u->skips) {
        u->left = habit.longest ? 1 + rng_below(&r, habit.longest) : 16;
        flit = golden_set(flit, FIELD_HEAD_VC, rng_below(&r, 8));
        flit = golden_set(flit, FIELD_HEAD_LENGTH, u->left & 15);
    }
    u->in.s_axis.tdata = (u48)flit;
    u->in.s_axis.tuser = often(habit.mark);
    u->in.s_axis.tlast = u->skips ? often(256) : (u->left == 1) ^ often(habit.misframe);
}

/* A beat that is offered stays until it is taken. */
static bool offer(struct user *u)
{
    if (!u->in.s_axis.tvalid && (u->left || u->skips || !habit.stop) && often(habit.offer)) {
        new_flit(u);
        u->in.s_axis.tvalid = 1;
    }
    return u->in.s_axis.tvalid && u->axis.out.s_axis.tready &&
           !(habit.pause && u->left == habit.pause);
}

static void taken(struct user *u, bool misframes)
{
    const struct axis_beat beat = u->in.s_axis;
    u->in.s_axis.tvalid = 0;
    u->beats_taken++;
    if (u->skips || misframes) {
        u->skips = !beat.tlast;
        u->left = u->beats = 0;
        return;
    }
    u->gathered[u->beats] = (uint64_t)beat.tdata;
    u->marked[u->beats++] = beat.tuser;
    if (--u->left == 0) {
        for (unsigned i = 0; i < u->beats; i++)
            golden_sent(&u->flow, u->gathered[i], u->marked[i]);
        u->beats = 0;
    }
}

/* The beat at the output: the same until it is taken, then the next of its flow. */
static void take(struct user *u, struct user *from)
{
    const struct axis_beat_marked beat = u->axis.out.m_axis;
    if (u->before_valid)
        check(beat.tvalid && beat.tdata == u->before.tdata && beat.tlast == u->before.tlast &&
                  beat.tid == u->before.tid && beat.tuser == u->before.tuser,
              "a beat changes before it is taken");
    u->in.m_axis.tready = often(habit.take);
    u->before_valid = beat.tvalid && !u->in.m_axis.tready;
    u->before = beat;
    if (!beat.tvalid || u->before_valid)
        return;
    const uint64_t flit = (uint64_t)beat.tdata;
    const bool head = u->got_left == 0;
    u->vc = head ? (unsigned)golden_get(flit, FIELD_HEAD_VC) : u->vc;
    u->got_left = (head ? golden_length(flit) : u->got_left) - 1;
    must_equal(&wrong, beat.tid, u->vc, "tid of a beat of a packet of that VC");
    const struct golden_arrival a = {
        .flit = flit, .head = head, .tail = beat.tlast, .bad = beat.tuser};
    golden_arrived(&from->flow, &a);
}

/* Beside the streams: misframed, reports, the peer's time. */
static void look(struct user *u, const struct user *peer, bool takes, bool misframes)
{
    const struct lcb_axis_out *o = &u->axis.out;
    must_equal(&wrong, o->misframed, misframes, "misframed");
    misframed += misframes;
    if (o->report_valid)
        golden_reported(&u->flow, (uint64_t)o->report_flit, o->report_bad);
    if (o->peer_now_valid) {
        const uint64_t age = (uint64_t)peer->in.now - (uint64_t)o->peer_now;
        must_at_most(&wrong, age, 2999, "age of the peer's time");
        u->times++;
    }
    if (takes)
        taken(u, misframes);
}

static void step(void)
{
    bool takes[2], misframes[2];
    for (unsigned i = 0; i < 2; i++) {
        struct user *u = &user[i];
        takes[i] = offer(u);
        misframes[i] = takes[i] && !u->skips && u->in.s_axis.tlast != (u->left == 1);
        take(u, &user[!i]);
        u->in.now++;
        for (unsigned lane = 0; lane < LANES; lane++)
            u->in.rx_lane[lane] = user[looped ? i : !i].axis.out.tx_lane[lane];
    }
    for (unsigned i = 0; i < 2; i++) {
        struct lcb_axis_in in = user[i].in;
        in.s_axis.tvalid = in.s_axis.tvalid && !(habit.pause && user[i].left == habit.pause);
        lcb_axis(&user[i].axis, &in);
        user[i].in.restart = 0;
    }
    for (unsigned i = 0; i < 2; i++)
        look(&user[i], &user[!i], takes[i], misframes[i]);
    now++;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

static bool await(enum link_state state, unsigned limit)
{
    while (limit-- > 0 && (user[0].axis.out.state != state || user[1].axis.out.state != state))
        step();
    return user[0].axis.out.state == state && user[1].axis.out.state == state;
}

static uint64_t bus(struct user *u, bool write, unsigned addr, uint64_t data)
{
    u->in.bus = (struct reg_request){.valid = 1, .write = write, .addr = (u16)addr, .wdata = data};
    for (unsigned clock = 0; clock < 10; clock++) {
        step();
        if (u->axis.out.bus.ready)
            break;
    }
    u->in.bus.valid = 0;
    check(u->axis.out.bus.ready, "the register bus does not answer");
    const uint64_t rdata = u->axis.out.bus.rdata;
    step();
    return rdata;
}

/* Both, in the middle of whatever they did. */
static void reset(void)
{
    for (unsigned i = 0; i < 2; i++) {
        struct user *u = &user[i];
        golden_flow_free(&u->flow);
        golden_flow_start(&u->flow);
        lcb_axis_reset(&u->axis);
        u->in = (struct lcb_axis_in){.rx_lane_valid = 7, .rx_lane_up = 7};
        u->in.now = (lcb_time)(rng_next(&r) >> 14);
        u->left = u->got_left = u->times = u->beats = 0;
        u->beats_taken = 0;
        u->skips = false;
        u->before_valid = false;
    }
    habit = (typeof(habit)){.offer = 1024, .take = 1024, .longest = 16};
}

/* All that was sent has come out. */
static bool drained(void)
{
    habit.stop = true;
    habit.offer = habit.take = 1024;
    run(3000);
    return golden_clean(&user[0].flow) && golden_clean(&user[1].flow);
}

static const char *flows_why(void)
{
    return *user[0].flow.first_error ? user[0].flow.first_error : user[1].flow.first_error;
}

/* ---- the checks ---------------------------------------------------------------------------------- */

static bool streams(void)
{
    reset();
    habit.mark = 20;
    habit.misframe = 10;
    for (unsigned i = 0; i < 15; i++) {
        habit.offer = 1024 >> i % 3;
        habit.take = 1024 >> i % 5;
        run(3000);
    }
    habit.misframe = 0;
    const bool pass = drained();
    return pass && misframed > 100 && user[0].flow.marked > 100 && user[0].times > 5 &&
           user[1].times > 5 && user[0].flow.sent > 5000 && user[1].flow.sent > 5000;
}

static unsigned resets(void)
{
    unsigned pass = 0;
    for (unsigned i = 0; i < 20; i++) {
        reset();
        check(user[0].axis.out.state == LINK_TRAIN && !user[0].axis.out.m_axis.tvalid &&
                  !user[0].axis.out.s_axis.tready,
              "outputs after reset");
        pass += await(LINK_RUN, UP_LIMIT);
        run(300 + rng_below(&r, 300));
        habit.stop = i % 2;
        habit.take = i % 4 < 2 ? 100 : 1024;
        run(100 + rng_below(&r, 16));
        pass += user[0].flow.delivered > 100 && user[1].flow.delivered > 100;
    }
    return pass;
}

/* Beats and takers that never wait: flits a clock, in thousandths. */
static unsigned rate(void)
{
    reset();
    habit.longest = 0;
    run(2000);
    const uint64_t before = user[0].flow.delivered;
    run(10000);
    return (unsigned)(user[0].flow.delivered - before) / 10;
}

/* Before the link is up two packets of the greatest length find room, behind one beat more. */
static uint64_t taken_at_first(void)
{
    reset();
    habit.longest = 0;
    run(100);
    return user[0].beats_taken;
}

/* The last beat of every packet is missing: nothing more comes out until it is there. */
static bool whole(void)
{
    bool pass = true;
    reset();
    for (unsigned i = 0; i < 10; i++) {
        habit.pause = 0;
        run(1000 + i);
        habit.pause = 1;
        run(1000);
        for (unsigned end = 0; end < 2; end++) {
            pass = pass && user[end].left == 1 && golden_lost(&user[end].flow) == 0 &&
                   user[!end].got_left == 0;
        }
    }
    habit.pause = 0;
    return drained() && pass;
}

/* Nothing is taken: what the peer learns of the queue is all that came but two beats at the output. */
static bool load(void)
{
    bool pass = true;
    for (unsigned i = 0; i < 12; i++) {
        reset();
        habit.take = 0;
        while (user[0].flow.sent < 10 + 35 * i)
            step();
        habit.stop = true;
        run(1000);
        pass = pass && user[0].axis.out.peer_load == (user[0].flow.sent - 2) / 8 &&
               user[1].axis.out.peer_load == (user[1].flow.sent - 2) / 8;
        pass = drained() && pass && user[0].axis.out.peer_load == 0;
    }
    return pass;
}

/* Queues without shared space, from the first packet on: each VC has room for one of its packets. */
static unsigned unshared(void)
{
    unsigned pass = 0;
    for (unsigned i = 0; i < 20; i++) {
        reset();
        habit.offer = 0;
        for (unsigned end = 0; end < 2; end++)
            bus(&user[end], true, LCB_REG_TIMEOUT, LCB_TIMEOUT);
        habit.offer = 1024;
        run(800);
        habit.stop = true;
        run(1000);
        pass +=
            user[0].flow.sent > 33 && golden_clean(&user[0].flow) && golden_clean(&user[1].flow);
    }
    return pass;
}

/* Both ends die; all that was sent has come out or is reported. */
static bool killed(void)
{
    for (unsigned i = 0; i < 2; i++)
        bus(&user[i], true, LCB_REG_CONTROL, CONTROL_KILL);
    const bool pass = await(LINK_DEAD, 50000);
    habit.stop = true;
    habit.take = 1024;
    run(2000);
    golden_died(&user[0].flow);
    golden_died(&user[1].flow);
    return pass;
}

/*
 * Nothing is taken for long: packets, all of 16 flits, are begun while there is room for them, and those that were begun come
 * whole. So the queue holds a multiple of 16 flits, two of them at the output, none beyond its space, and a death cuts nothing.
 */
static bool full(void)
{
    bool pass = true;
    for (unsigned i = 0; i < 6; i++) {
        reset();
        habit.longest = 0;
        habit.take = 0;
        run(3000);
        for (unsigned end = 0; end < 2; end++) {
            const unsigned eights = (unsigned)user[end].axis.out.peer_load;
            pass = pass && eights % 2 == 1 && eights > LCB_SHARED - 2 &&
                   eights < LCB_SHARED + LCB_GUARANTEED;
        }
        pass = killed() && pass;
        for (unsigned end = 0; end < 2; end++)
            pass = pass && golden_clean(&user[end].flow) && user[end].flow.cut == 0 &&
                   user[end].flow.reported > 0;
    }
    return pass;
}

/* A lane without words for longer than the deskew buffer lasts: at once the link begins anew, and nothing is lost. */
static bool stalled(void)
{
    bool pass = true;
    for (unsigned lane = 0; lane < LANES; lane++) {
        reset();
        pass = await(LINK_RUN, UP_LIMIT) && pass;
        run(500);
        user[0].in.rx_lane_valid = (u3) ~(1u << lane);
        run(40);
        user[0].in.rx_lane_valid = 7;
        pass = pass && user[0].axis.out.state != LINK_RUN;
        pass = await(LINK_RUN, UP_LIMIT) && pass;
        pass = pass && (bus(&user[0], false, LCB_REG_FIRST_ERROR, 0) >> COUNT_OVERFLOWS & 1) &&
               bus(&user[0], false, LCB_REG_COUNTERS + COUNT_REINITS, 0) == 1;
        pass = drained() && pass;
    }
    return pass;
}

/* Killed by a register, one end only, in the middle of packets; what was not delivered is reported; a restart by the other port. */
static bool death(void)
{
    reset();
    habit.mark = 100;
    bool pass = await(LINK_RUN, UP_LIMIT);
    for (unsigned i = 0; i < 2; i++)
        bus(&user[i], true, LCB_REG_LIMITS, QUICK_DEATH);
    for (unsigned n = 1; n < 6; n++) {
        run(1000 + rng_below(&r, 100));
        bus(&user[n % 2], true, LCB_REG_CONTROL, CONTROL_KILL);
        pass = await(LINK_DEAD, 50000) && pass;
        habit.stop = true;
        run(2000);
        golden_died(&user[0].flow);
        golden_died(&user[1].flow);
        user[0].in.restart = user[1].in.restart = 1;
        pass = await(LINK_RUN, UP_LIMIT) && pass;
        habit.stop = false;
        pass = pass && (bus(&user[0], false, LCB_REG_STATUS, 0) & 0xffff) ==
                           (LINK_RUN | 7 << 3 | 7 << 6 | 7 << 9 | n << 12);
    }
    const struct golden_flow *f0 = &user[0].flow, *f1 = &user[1].flow;
    pass = drained() && pass && f0->reported > 0 && f1->reported > 0 && f0->cut + f1->cut > 0;
    tap_note("%" PRIu64 " sent, %" PRIu64 " reported, %" PRIu64 " packets cut", f0->sent + f1->sent,
             f0->reported + f1->reported, f0->cut + f1->cut);
    return pass && f0->uncorrectable + f1->uncorrectable == 0;
}

/* Identities come by a register: with them a loop is none that carries data, and all that is taken is reported. */
static bool identities(void)
{
    static const uint64_t who[2] = {0x3f1234, 0x015678};
    bool pass = true;
    reset();
    for (unsigned i = 0; i < 2; i++) {
        pass = pass && bus(&user[i], false, LCB_REG_IDENTITY, 0) == 0;
        bus(&user[i], true, LCB_REG_IDENTITY, who[i] | UINT64_C(0xff) << 40);
        pass = pass && bus(&user[i], false, LCB_REG_IDENTITY, 0) == who[i];
    }
    looped = true;
    pass = await(LINK_LOOP, UP_LIMIT) && pass;
    run(1000);
    habit.stop = true;
    run(200);
    for (unsigned i = 0; i < 2; i++) {
        pass = pass && bus(&user[i], false, LCB_REG_PEER, 0) == who[i] && user[i].flow.sent > 100 &&
               user[i].flow.delivered == 0;
        golden_died(&user[i].flow);
    }
    looped = false;
    pass = await(LINK_RUN, UP_LIMIT) && pass;
    habit.stop = false;
    run(1000);
    for (unsigned i = 0; i < 2; i++)
        pass = pass && bus(&user[i], false, LCB_REG_PEER, 0) == who[!i];
    return drained() && pass;
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    const bool streamed = streams();
    tap_why("%" PRIu64 " and %" PRIu64 " sent, %s", user[0].flow.sent, user[1].flow.sent,
            flows_why());
    tap_ok(misses_why(&wrong) && streamed,
           "streams arrive in order, with marks and last beats, at any pace");
    const unsigned up = resets();
    tap_why("%u, %s", up, flows_why());
    tap_ok(misses_why(&wrong) && up == 40, "after a reset in the middle of them, too");
    const unsigned flits = rate();
    tap_why("0.%03u", flits);
    tap_ok(flits >= 895 && flits <= 900, "0.9 flits a clock");
    const uint64_t first = taken_at_first();
    tap_why("%" PRIu64, first);
    tap_ok(first == 33, "two packets wait for the link");
    /* holds lcb_axis.whole */
    tap_ok(whole() && misses_why(&wrong), "a packet is sent once it is whole");
    /* holds lcb_axis.load */
    tap_ok(load(), "the peer knows how full the queue is");
    tap_ok(unshared() == 20, "without shared space, too, packets go their way");
    tap_ok(full() && misses_why(&wrong), "packets begin when the queue has room, and come whole");
    tap_ok(stalled() && misses_why(&wrong), "lanes too far apart: the link begins anew");
    const bool died = death();
    tap_why("%s", flows_why());
    tap_ok(misses_why(&wrong) && died, "a dead link reports, cuts, and is restarted");
    const bool named = identities();
    tap_why("%s", flows_why());
    tap_ok(misses_why(&wrong) && named,
           "identities by a register: a loop is seen, reported and left");
    golden_flow_free(&user[0].flow);
    golden_flow_free(&user[1].flow);
    return tap_done();
}
