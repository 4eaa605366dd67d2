// SPDX-License-Identifier: Apache-2.0
/*
 * test_ss_spill.c - more messages are open at a chip than it has records for: five chips send to the sixth, which gets from all of them, in
 * accelerated and in generic mode. None is refused, none is cut, every byte is where it belongs; whenever the receiver is at rest each message that the
 * golden model (golden/seastar/ss_streams.h) says is open has its record on the chip or in memory, and not in both. Then all ways to the chip are cut:
 * each message that has begun ends.
 *
 * Built for seastar2: fast.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hls/seastar/host/seastar_map.h"
#include "sim/host/portals/portals.h"
#include "tb/base/harness.h"
#include "tb/golden/seastar/ss_streams.h"
#include "tb/system/seastar/ss_nodes.h"

enum {
    CHIPS = 6,
    ROUNDS = 3,
    MESSAGES = 2 * ROUNDS * (CHIPS - 1),
    PID = 30,
    SPAN = 1 << 13,
    LONGEST = 2500,
    EVENTS = 256,
    LIMIT = 400000,
    ROUTER_PORT = 0,
    TIMEOUT = 3500,
    NO_WAY = 7 | 0 << 7 | 7 << 19, /* of ROUTE_LOCAL, to node 0 */
};

/* A put from chip `from` to chip 0, or a get of chip 0 from it. */
struct message {
    unsigned from, length, shift;
    bool get, ack;
    ptl_handle_md_t here;
    unsigned starts, ends, failed;
};

static struct ss_nodes nodes;
static struct rng r;
static struct message message[MESSAGES];
static ptl_handle_ni_t ni[CHIPS];
static ptl_handle_eq_t eq[CHIPS];
static struct golden_ss_streams open;
static uint64_t head, looked, differ;

/* ---- records, on the chip and in memory ---------------------------------------------------------- */

static void watch_packets(void)
{
    const struct ss_port_out *o = &nodes.node[0].chip.router.out.to[ROUTER_PORT];
    if (o->valid && o->head)
        head = o->flit;
    if (o->valid && o->tail && !o->bad)
        golden_ss_streams_packet(&open, head);
}

static bool on_chip(const struct ss_receive *rx, unsigned n)
{
    bool there = false;
    for (unsigned i = 0; i < SS_RECORDS; i++)
        there = there || ((rx->open >> i & 1) && rx->keys[i] == n);
    return there;
}

static bool in_memory(const struct ss_node_host *h, unsigned n)
{
    const uint64_t at = h->chip.nic.regs.out.streams + golden_ss_streams_place(n);
    return at < NODES_BYTES && h->memory[at + 7] >> 7;
}

/* All that has come is in a record, or written: nothing is on its way to one. */
static bool rests(const struct ss_receive *rx)
{
    return rx->state == SS_RECEIVE_IDLE && rx->delivers == SS_DELIVER_NONE && !rx->parked &&
           rx->put[0] == rx->get[0] && rx->put[1] == rx->get[1] && rx->shown == 0 &&
           rx->fetching == 0 && !rx->out.ask.valid;
}

static void compare_records(void)
{
    const struct ss_node_host *h = &nodes.node[0];
    if (!rests(&h->chip.nic.dma.receive))
        return;
    looked++;
    for (unsigned class = 0; class < 2; class ++) {
        for (unsigned node = 0; node < CHIPS; node++) {
            const unsigned n = (class * 32768 + node) * 4;
            const bool chip = on_chip(&h->chip.nic.dma.receive, n), memory = in_memory(h, n);
            differ += chip + memory != open.open[n];
        }
    }
}

static void watch(void)
{
    compare_records();
    watch_packets(); /* the receiver sees them a clock later */
}

/* ---- programs ------------------------------------------------------------------------------------ */

static uint8_t *target_of(unsigned n)
{
    return nodes.node[0].memory + (uint64_t)n * SPAN + message[n].shift;
}

static uint8_t *source_of(unsigned n)
{
    return nodes.node[message[n].from].memory + (uint64_t)n * SPAN + message[n].shift % 7;
}

static void draw(void)
{
    for (unsigned n = 0; n < MESSAGES; n++)
        message[n] = (struct message){.from = 1 + n / 2 % (CHIPS - 1),
                                      .length = 13 + rng_below(&r, LONGEST),
                                      .shift = rng_below(&r, 64),
                                      .get = n % 2,
                                      .ack = rng_below(&r, 2)};
}

static bool begin(bool accelerated)
{
    int interfaces;
    bool good = PtlInit(&interfaces) == PTL_OK && nodes_start(&nodes, CHIPS);
    for (unsigned i = 0; i < CHIPS && good; i++) {
        ptl_choose(&nodes.node[i].port, accelerated);
        good = PtlNIInit(0, PID, &ni[i]) == PTL_OK && PtlEQAlloc(ni[i], EVENTS, &eq[i]) == PTL_OK;
        for (unsigned at = 0; at < MESSAGES * SPAN; at++)
            nodes.node[i].memory[at] = (uint8_t)rng_next(&r);
    }
    return good;
}

/* Both ends of a message. */
static bool prepare(unsigned n)
{
    struct message *m = &message[n];
    const unsigned at = m->get ? m->from : 0, by = m->get ? 0 : m->from;
    const ptl_process_id_t any = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_handle_me_t me;
    ptl_handle_md_t there;
    const ptl_md_t target = {.start = m->get ? source_of(n) : target_of(n),
                             .length = m->length,
                             .threshold = 1,
                             .options = m->get ? PTL_MD_OP_GET : PTL_MD_OP_PUT,
                             .eq_handle = eq[at]};
    const ptl_md_t own = {.start = m->get ? target_of(n) : source_of(n),
                          .length = m->length,
                          .threshold = m->ack && !m->get ? 2 : 1,
                          .eq_handle = eq[by]};
    return PtlMEAttach(ni[at], 3, any, n, 0, PTL_UNLINK, PTL_INS_AFTER, &me) == PTL_OK &&
           PtlMDAttach(me, target, PTL_UNLINK, &there) == PTL_OK &&
           PtlMDBind(ni[by], own, PTL_UNLINK, &m->here) == PTL_OK;
}

static bool launch(unsigned n)
{
    const struct message *m = &message[n];
    const ptl_process_id_t to = {m->get ? m->from : 0, PID};
    const ptl_ack_req_t ack = m->ack ? PTL_ACK_REQ : PTL_NOACK_REQ;
    return (m->get ? PtlGet(m->here, to, 3, 0, n, 0) : PtlPut(m->here, ack, to, 3, 0, n, 0, n)) ==
           PTL_OK;
}

/* All messages, as closely behind each other as the calls allow. */
static bool launch_all(void)
{
    bool good = true;
    for (unsigned n = 0; n < MESSAGES && good; n++)
        good = prepare(n);
    for (unsigned n = 0; n < MESSAGES && good; n++)
        good = launch(n);
    return good;
}

static unsigned take_events(void)
{
    unsigned came = 0;
    for (unsigned i = 0; i < CHIPS; i++) {
        ptl_event_t e;
        while (PtlEQGet(eq[i], &e) == PTL_OK) {
            struct message *m = &message[e.match_bits % MESSAGES];
            m->starts += e.type == PTL_EVENT_PUT_START || e.type == PTL_EVENT_REPLY_START;
            if (e.type != PTL_EVENT_PUT_END && e.type != PTL_EVENT_REPLY_END)
                continue;
            m->ends++;
            m->failed += e.ni_fail_type != 0 || e.mlength != m->length;
            came++;
        }
    }
    return came;
}

static uint64_t counted(unsigned reg)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < CHIPS; i++)
        sum += nodes.node[i].port.read(&nodes.node[i], reg);
    return sum;
}

static void check(const char *mode)
{
    unsigned whole = 0;
    for (unsigned n = 0; n < MESSAGES; n++)
        whole += message[n].ends == 1 && !message[n].failed &&
                 memcmp(source_of(n), target_of(n), message[n].length) == 0;
    tap_equal(whole, MESSAGES, "%s: messages that are whole, each told once", mode);
    tap_equal(counted(SS_REG_FULL) + counted(SS_REG_STRAY) + counted(SS_REG_UNSPILT) +
                  counted(SS_REG_REFUSED) + counted(SS_REG_LATE),
              0, "%s: refused, stray, lost", mode);
    const uint64_t went = counted(SS_REG_SPILLED);
    /* holds ss_receive.spilled */
    tap_ok(went > 10, "%s: %" PRIu64 " records went to memory, of %u messages open", mode, went,
           open.most);
    tap_ok(open.count == 0 && counted(SS_REG_STATUS) == 3 * CHIPS, "%s: all at rest", mode);
}

static bool set_up(bool accelerated)
{
    memset(&open, 0, sizeof open);
    draw();
    nodes = (struct ss_nodes){.interrupt = 50, .random = rng_next(&r)};
    harness_clock = &nodes.clock;
    const bool good = begin(accelerated);
    nodes.watch = watch;
    return good;
}

static void run(bool accelerated)
{
    const char *mode = accelerated ? "accelerated" : "generic";
    bool good = set_up(accelerated);
    good = good && launch_all();
    unsigned came = 0;
    for (unsigned t = 0; t < LIMIT && good && came < MESSAGES; t++) {
        came += take_events();
        nodes_step(&nodes);
    }
    for (unsigned t = 0; t < 2000; t++)
        nodes_step(&nodes);
    take_events();
    tap_ok(good, "%s: all messages begin", mode);
    check(mode);
    PtlFini();
    nodes_free(&nodes);
}

/* No chip knows a way to chip 0 any more once so many records are in memory. */
static bool cut_when_away(void)
{
    const struct ss_receive *rx = &nodes.node[0].chip.nic.dma.receive;
    bool away = false;
    for (unsigned t = 0; t < LIMIT && !away; t++) {
        nodes_step(&nodes);
        take_events();
        away = open.count > SS_RECORDS / 2 + 2 && rx->out.away;
    }
    for (unsigned i = 1; i < CHIPS; i++)
        nodes.node[i].port.write(&nodes.node[i], SS_REG_ROUTE_LOCAL, NO_WAY);
    return away;
}

/* All messages are long; their ways are cut while some are in memory. They end, and what they asked for, too. */
static void run_cut(void)
{
    bool good = set_up(true);
    nodes.watch = watch_packets;
    for (unsigned n = 0; n < MESSAGES; n++)
        message[n].length = LONGEST;
    for (unsigned i = 0; i < CHIPS; i++) {
        struct ss_node_host *h = &nodes.node[i];
        h->port.write(h, SS_REG_RX_TIMEOUT, TIMEOUT);
        h->port.write(h, SS_REG_GET_TIMEOUT, 4 * TIMEOUT);
    }
    const bool away = good && launch_all() && cut_when_away();
    for (unsigned t = 0; t < 10 * TIMEOUT; t++) {
        take_events();
        nodes_step(&nodes);
    }
    unsigned twice = 0, without = 0;
    for (unsigned n = 0; n < MESSAGES; n++) {
        twice += message[n].ends > 1;
        without += message[n].starts > message[n].ends;
    }
    const struct ss_receive *rx = &nodes.node[0].chip.nic.dma.receive;
    const uint64_t aged = nodes.node[0].port.read(&nodes.node[0], SS_REG_AGED);
    /* holds ss_spill.aged */
    tap_ok(away && aged == open.count && !rx->out.away && rx->used == 0,
           "no way any more: %" PRIu64 " of %u open messages end, on the chip and in memory", aged,
           open.count);
    tap_equal(twice + without, 0, "messages without END, or with two");
    PtlFini();
    nodes_free(&nodes);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    rng_seed(&r, seed);
    run(true);
    run(false);
    run_cut();
    /* holds ss_spill.places */
    tap_ok(looked > 1000 && differ == 0,
           "records on the chip or in memory: as the golden model has them, looked at %" PRIu64
           " times, %" PRIu64 " differ",
           looked, differ);
    return tap_done();
}
