// SPDX-License-Identifier: Apache-2.0
/*
 * test_chip_latency.c - how long the parts of a put of 8 bytes, of a get and of a block transfer take in idle NICs, in clocks: the worst of
 * trials with host memory of a latency of 10 and of 200 clocks.
 *
 * A clock is counted from the one in which a signal is taken or stands in a register to the one in which the next one
 * does: AXI beats when they are transferred, flits when they stand at the router's port, AW when it is valid.
 *
 * Built for proto: fast.
 */
#include "tb/system/chip/chip_pair.h"

enum { TRIALS = 100, SETTLE = 700 /* clocks in which all that an operation causes has ended */ };

/* Signals of one chip as they are in a clock. */
struct seen {
    bool store; /* a W beat is taken */
    bool head_out, tail_out;
    bool tail_in; /* of a packet from the router */
    bool aw, ar;
    bool b, r_last;
};

static struct seen look(const struct nic_bench *b, unsigned i, unsigned flits_left[2][NL_TILES])
{
    const struct chip *c = chip_network(b)->end[i].chip;
    const struct bench_node *n = &b->node[i];
    struct seen s = {
        .store = n->s_axi.wvalid && c->out.s_axi[0].wready,
        .aw = c->out.m_axi[0].awvalid,
        .ar = c->out.m_axi[0].arvalid,
        .b = n->m_axi.bvalid,
        .r_last = n->m_axi.rvalid && n->m_axi.rlast,
    };

    for (unsigned t = 0; t < NL_TILES; t++) {
        const struct port_in *out = &c->netlink[0].out.to_tile[t];
        const struct port_out *in = &c->device.out.to_processor[t];

        if (out->valid) {
            bool head = flits_left[i][t] == 0;

            flits_left[i][t] = head ? (unsigned)head_length(out->flit) : flits_left[i][t];
            flits_left[i][t]--;
            s.head_out |= head;
            s.tail_out |= flits_left[i][t] == 0;
        }
        s.tail_in |= in->valid && in->tail;
    }
    return s;
}

static struct nic_bench *start(uint64_t seed, unsigned latency)
{
    const struct channel_config cable = {.delay = 4};
    struct nic_bench *b = chip_pair_new(seed, &cable, false);

    for (unsigned node = 0; node < CHIPS; node++) {
        host_set(b->node[node].host, &(struct host_knobs){.latency = latency});
    }
    return b;
}

/* Parts of a put, then of a get; the worst of all trials. */
enum part {
    STORE_TO_HEAD,
    TAIL_TO_AW,
    B_TO_ACK,
    ACK_TO_EVENT,
    GET_STORE_TO_HEAD,
    TAIL_TO_AR,
    R_TO_HEAD,
    DATA_TO_AW,
    DOORBELL_TO_HEAD,
    LAUNCH_TO_HEAD,
    PARTS
};

static const struct {
    const char *name;
    unsigned wanted;
} parts[PARTS] = {
    {"put: AXI beat to head flit", 20},
    {"put: tail flit to AW", 24},
    {"put: B to head flit of the ack", 14},
    {"put: ack to AW of the event", 24},
    {"get: AXI beat to head flit", 20},
    {"get: tail flit to AR", 24},
    {"get: last R to head flit of the data", 14},
    {"get: tail flit of the data to AW", 24},
    {"block transfer: doorbell to head flit, less 3 memory latencies", 60},
    {"block transfer: AXI beat of a launch to head flit, less a memory latency", 40},
};

static unsigned worst[PARTS];
static struct misses late[PARTS];
static unsigned trials; /* of all */

static void idle(struct nic_bench *b, unsigned clocks)
{
    while (clocks-- > 0) {
        nic_bench_clock(b);
    }
}

/* Clocks until a signal is seen from now on. */
#define UNTIL(b, node, signal)                                                                     \
    ({                                                                                             \
        unsigned clocks_ = 0;                                                                      \
        do {                                                                                       \
            nic_bench_clock(b);                                                                    \
            now[0] = look(b, 0, left);                                                             \
            now[1] = look(b, 1, left);                                                             \
            clocks_++;                                                                             \
        } while (!now[node].signal && clocks_ < 1000);                                             \
        clocks_;                                                                                   \
    })

static void note(enum part part, unsigned clocks)
{
    worst[part] = clocks > worst[part] ? clocks : worst[part];
    must_at_most(&late[part], clocks, parts[part].wanted, "trial %u: clocks", trials);
}

/* One operation in a transaction of its own, that is closed first: its only event comes when all is answered. */
static void trial(struct nic_bench *b, bool get, unsigned i)
{
    struct seen now[2];
    unsigned left[2][NL_TILES] = {{0}};
    uint64_t to = (uint64_t)b->node[1].address << 40 | (8 * i);

    trials++;
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_OPEN, 0));
    nic_bench_settle_drivers(b);
    idle(b, SETTLE + rng_below(&b->rng, 20));
    chip_pair_post(b, 0, store_launch(PAIR_FMA, to, get, get ? (uint64_t)1 << 40 : i));
    UNTIL(b, 0, store);
    note(get ? GET_STORE_TO_HEAD : STORE_TO_HEAD, UNTIL(b, 0, head_out));
    UNTIL(b, 1, tail_in);
    note(get ? TAIL_TO_AR : TAIL_TO_AW, get ? UNTIL(b, 1, ar) : UNTIL(b, 1, aw));
    if (get) {
        UNTIL(b, 1, r_last);
        note(R_TO_HEAD, UNTIL(b, 1, head_out));
        UNTIL(b, 0, tail_in);
        note(DATA_TO_AW, UNTIL(b, 0, aw));
    } else {
        UNTIL(b, 1, b);
        note(B_TO_ACK, UNTIL(b, 1, head_out));
    }
    idle(b, SETTLE);
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_CLOSE, i | (uint64_t)1 << 57));
    nic_bench_settle_drivers(b);
    idle(b, SETTLE);
}

/* A put whose transaction is closed before its ack comes. */
static void trial_event(struct nic_bench *b, unsigned i)
{
    struct seen now[2];
    unsigned left[2][NL_TILES] = {{0}};

    trials++;
    host_set(b->node[1].host, &(struct host_knobs){.latency = 300});
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_OPEN, 0));
    chip_pair_post(b, 0,
                   store_launch(PAIR_FMA, (uint64_t)b->node[1].address << 40 | (8 * i), false, i));
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_CLOSE, i | (uint64_t)1 << 57));
    nic_bench_settle_drivers(b);
    UNTIL(b, 0, tail_in);
    note(ACK_TO_EVENT, UNTIL(b, 0, aw));
    idle(b, SETTLE);
}

/* A block transfer of 8 bytes: of a ring, then launched. */
static void trial_transfer(struct nic_bench *b, unsigned latency, unsigned i)
{
    struct seen now[2];
    unsigned left[2][NL_TILES] = {{0}};
    const uint64_t begin = b->clock;

    trials++;
    chip_pair_transfer(b, 0, 8);
    UNTIL(b, 0, head_out);
    note(DOORBELL_TO_HEAD, (unsigned)(b->clock - begin) > 3 * latency
                               ? (unsigned)(b->clock - begin) - 3 * latency
                               : 0);
    idle(b, SETTLE + i);
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_BYTES, 8));
    chip_pair_post(b, 0, store_word(PAIR_FMA, WORD_LOCAL, 8));
    nic_bench_settle_drivers(b);
    idle(b, SETTLE);
    chip_pair_post(
        b, 0,
        store_word(PAIR_FMA, WORD_TRANSFER, i | (uint64_t)PAIR_CHANNEL << 56 | (uint64_t)1 << 58));
    UNTIL(b, 0, store);
    note(LAUNCH_TO_HEAD, UNTIL(b, 0, head_out) - latency);
    idle(b, SETTLE);
}

static void measure(uint64_t seed, unsigned latency)
{
    struct nic_bench *b = start(seed, latency);

    for (unsigned i = 0; i < TRIALS; i++) {
        trial(b, i % 2 != 0, i);
    }
    for (unsigned i = 0; i < TRIALS / 4; i++) {
        trial_event(b, i);
    }
    host_set(b->node[1].host, &(struct host_knobs){.latency = latency});
    for (unsigned i = 0; i < TRIALS / 4; i++) {
        trial_transfer(b, latency, i);
    }
    chip_pair_free(b);
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);
    cJSON *report = cJSON_CreateArray();

    measure(seed, 10);
    measure(seed + 1, 200);
    for (unsigned i = 0; i < PARTS; i++) {
        cJSON *one = cJSON_CreateObject();

        tap_misses(&late[i], "%s: %u clocks, wanted at most %u", parts[i].name, worst[i],
                   parts[i].wanted);
        cJSON_AddStringToObject(one, "name", parts[i].name);
        cJSON_AddNumberToObject(one, "clocks", worst[i]);
        cJSON_AddNumberToObject(one, "wanted", parts[i].wanted);
        cJSON_AddItemToArray(report, one);
    }
    tap_ok(report_write("build/reports/nic-latency.json", report),
           "build/reports/nic-latency.json");
    return tap_done();
}
