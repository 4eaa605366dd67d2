// SPDX-License-Identifier: Apache-2.0
/*
 * nicbench.c - puts and gets between the NICs of two native chips, from their own ports without any library: latency and its parts,
 * bytes per clock over the size. build/reports/nic-bench.json.
 *
 * Time begins with the first store of a transaction at the NIC's port. A put is over when memory has answered its write at the
 * target, a get when it has answered that at its origin; the event is seen when it is in its ring.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "sim/base/whole.h"
#include "sim/host/driver.h"
#include "sim/host/fma.h"
#include "sim/host/machined/chips.h"

enum {
    NODES = 2,
    MEMORY = 1 << 20,
    SEGMENT = 1 << 16,
    RING_LOG2 = 10,
    ISSUERS = 8,
    FLIGHT = 16,    /* transactions of an issuer */
    MEASURE = 6000, /* clocks of a rate */
    WARM = 2000,
    PATIENCE = 100000,
    TRIALS = 5,
    MOST = 4096,
    SIZES = 10 /* 8 to 4,096 */
};

static const double NS = 1.25; /* of a clock at the 800 MHz of the field's Aries */

static struct {
    struct chips *chips;
    struct ptags ptags;
    struct drv *driver[NODES];
    uint8_t *memory[NODES];
    uint64_t written[NODES], watched,
        watched_at; /* bytes written; a word, and the clock in which it was */
    unsigned watched_node;
} b;

struct end {
    struct drv_process *process;
    uint64_t place, ring;
    unsigned mdh, queue, node;
    uint32_t read;
    struct fma fma[ISSUERS];
};

static bool access_memory(void *whose, unsigned node, uint64_t address, void *data, unsigned bytes,
                          bool write)
{
    (void)whose;
    if (address > MEMORY || MEMORY - address < bytes)
        return !write;
    if (!write) {
        memcpy(data, b.memory[node] + address, bytes);
        return true;
    }
    memcpy(b.memory[node] + address, data, bytes);
    b.written[node] += bytes;
    if (node == b.watched_node && address <= b.watched && b.watched < address + bytes)
        b.watched_at = chips_clocks(b.chips);
    return true;
}

static void given(enum drv_result result)
{
    if (result != DRV_OK)
        sim_fail("nicbench: %s", drv_says(result));
}

/* ---- begin ------------------------------------------------------------------------------------------- */

static void start(unsigned latency, unsigned cable)
{
    const struct chips_config config = {
        .chips = NODES, .cable = cable, .latency = latency, .memory = access_memory};
    for (unsigned i = 0; i < NODES; i++)
        b.memory[i] = sim_alloc(1, MEMORY);
    b.chips = chips_new(&config);
    if (b.chips == NULL)
        sim_fail("nicbench: the chips' links do not come up");
    ptags_start(&b.ptags);
    for (unsigned i = 0; i < NODES; i++) {
        const struct nic_host host = chips_host(b.chips, i);
        const struct drv_config drv = {.node = chips_address(b.chips, i),
                                       .epoch = 1 << 20,
                                       .memory_bytes = MEMORY,
                                       .window_log2 = chips_sizes.window_log2,
                                       .ptags = &b.ptags};
        given(drv_start(&b.driver[i], &host, &drv));
    }
}

static void start_end(struct end *e, unsigned node, unsigned issuers)
{
    struct drv *d = b.driver[node];
    const struct nic_host host = chips_host(b.chips, node);
    const struct drv_descriptor fma = {.transactions = FLIGHT, .requests = 120};
    struct drv_queue queue = {.log2 = RING_LOG2, .threshold = 1};
    struct drv_segment segment = {.bytes = SEGMENT, .read = true, .write = true};
    *e = (struct end){.node = node};
    given(drv_process(d, 1, &e->process));
    given(drv_memory(e->process, 0, SEGMENT, &e->place));
    given(drv_memory(e->process, 0, 8 << RING_LOG2, &e->ring));
    segment.place = e->place;
    queue.place = e->ring;
    given(drv_queue(e->process, NAMES_ANY, &queue, &e->queue));
    given(drv_segment(e->process, NAMES_ANY, &segment, &e->mdh));
    for (unsigned i = 0; i < issuers; i++) {
        unsigned name;
        given(drv_descriptor(e->process, &fma, &name));
        e->fma[i] = (struct fma){drv_page(d, name), drv_put_window(d, name),
                                 drv_get_window(d, name), host.context, host.store};
    }
}

/* The next event of a ring, or 0. */
static uint64_t event(struct end *e)
{
    uint64_t *at = (uint64_t *)(void *)(b.memory[e->node] + e->ring) + e->read % (1u << RING_LOG2);
    const uint64_t word = *at, read = e->read + 1;
    const struct nic_host host = chips_host(b.chips, e->node);
    if (word == 0)
        return 0;
    *at = 0;
    e->read++;
    if (e->read % 64 == 0)
        host.store(host.context, drv_queue_page(b.driver[e->node], e->queue), &read, 8);
    return word;
}

static void transaction(struct end *from, const struct end *to, unsigned issuer, bool get,
                        uint64_t offset, unsigned bytes, uint64_t tag)
{
    static const uint8_t data[MOST];
    const struct fma *f = &from->fma[issuer];
    const struct fma_target t = {.node = chips_address(b.chips, to->node),
                                 .mdh = to->mdh,
                                 .local_mdh = from->mdh,
                                 .queue = from->queue,
                                 .command = FMA_PUT};
    fma_open(f, &t, 0);
    if (get)
        fma_read(f, offset, offset, bytes);
    else
        fma_write(f, offset, data, bytes);
    fma_close(f, FMA_GLOBAL_EVENT, tag);
}

/* ---- latency --------------------------------------------------------------------------------------------- */

/* Clocks from the first store until ... */
struct parts {
    uint64_t store_to_flit; /* the last flit of the request leaves the NIC */
    uint64_t network;       /* and comes to the other */
    uint64_t target;        /* to the access of memory */
    uint64_t memory;        /* to its answer */
    uint64_t back;          /* of a get: from there until its last flit is here */
    uint64_t arrive;        /* to the write of the data, answered */
    uint64_t data, seen;    /* all: data in memory, event in the ring */
};

static struct parts one(struct end *from, const struct end *to, bool get, unsigned bytes)
{
    struct parts p = {0};
    const uint64_t begin = chips_clocks(b.chips), offset = 256;
    uint64_t out = 0, in = 0, address = 0, answer = 0, home = 0;
    b.watched_at = 0;
    b.watched_node = get ? from->node : to->node;
    b.watched = (get ? from->place : to->place) + offset + bytes - 1;
    transaction(from, to, 0, get, offset, bytes, 1);
    uint64_t word = 0;
    while (word == 0 || b.watched_at == 0) {
        chips_clock(b.chips);
        const uint64_t now = chips_clocks(b.chips) - begin;
        const struct chips_marks here = chips_marks(b.chips, from->node),
                                 there = chips_marks(b.chips, to->node);
        out = here.flit_out && in == 0 ? now : out;
        in = there.flit_in && address == 0 ? now : in;
        address = there.address && address == 0 ? now : address;
        answer = there.answer && answer == 0 ? now : answer;
        home = here.flit_in && b.watched_at == 0 ? now : home;
        word = word == 0 ? event(from) : word;
        p.seen = word != 0 && p.seen == 0 ? now : p.seen;
        if (now > PATIENCE)
            sim_fail("nicbench: a %s of %u bytes does not end", get ? "get" : "put", bytes);
    }
    p.data = b.watched_at - begin;
    p.store_to_flit = out;
    p.network = in - out;
    p.target = address - in;
    p.memory = answer - address;
    p.back = get ? home - answer : 0;
    p.arrive = get ? p.data - home : 0;
    for (unsigned i = 0; i < 500; i++)
        chips_clock(b.chips);
    return p;
}

/* The shortest of some trials: the others wait for a sideband's word. */
static struct parts best(struct end *from, const struct end *to, bool get, unsigned bytes)
{
    struct parts p = one(from, to, get, bytes);
    for (unsigned i = 1; i < TRIALS; i++) {
        const struct parts q = one(from, to, get, bytes);
        p = q.data < p.data ? q : p;
    }
    return p;
}

/* ---- bandwidth --------------------------------------------------------------------------------------------- */

/* Takes the events that are there; how many transactions are still in flight. */
static unsigned take(struct end *from, unsigned flight[ISSUERS])
{
    unsigned all = 0;
    for (uint64_t word; (word = event(from)) != 0;)
        flight[word % ISSUERS]--;
    for (unsigned i = 0; i < ISSUERS; i++)
        all += flight[i];
    return all;
}

/* Bytes per clock of messages of a size, each a transaction, by so many issuers. */
static double rate(struct end *from, struct end *to, bool get, unsigned bytes, unsigned issuers)
{
    unsigned flight[ISSUERS] = {0}, next = 0;
    uint64_t begin = 0, before = 0;
    struct end *counted = get ? from : to;
    for (uint64_t clock = 0; clock < WARM + MEASURE; clock++) {
        take(from, flight);
        const unsigned i = next % issuers, most = 120 / ((bytes + 63) / 64) > FLIGHT
                                                      ? FLIGHT
                                                      : 120 / ((bytes + 63) / 64);
        if (flight[i] < most && chips_room(b.chips, from->node)) {
            transaction(from, to, i, get, (uint64_t)i * MOST, bytes, i);
            flight[i]++;
        }
        next++;
        chips_clock(b.chips);
        if (clock == WARM) {
            begin = chips_clocks(b.chips);
            before = b.written[counted->node];
        }
    }
    const double all = (double)(b.written[counted->node] - before);
    const double clocks = (double)(chips_clocks(b.chips) - begin);
    for (unsigned n = 0; take(from, flight) > 0; n++) {
        chips_clock(b.chips);
        if (n > PATIENCE)
            sim_fail("nicbench: transactions of %u bytes do not end", bytes);
    }
    return all / clocks;
}

/* ---- report --------------------------------------------------------------------------------------------------- */

static void print_parts(FILE *f, const char *name, const struct parts *p, bool get)
{
    fprintf(f, "  \"%s\": {\"clocks\": %" PRIu64 ", \"ns\": %.1f, \"event_clocks\": %" PRIu64 ",\n",
            name, p->data, (double)p->data * NS, p->seen);
    fprintf(f,
            "    \"parts\": {\"stores and NIC\": %" PRIu64 ", \"network\": %" PRIu64
            ", \"target NIC\": %" PRIu64 ", \"target memory\": %" PRIu64,
            p->store_to_flit, p->network, p->target, p->memory);
    if (get)
        fprintf(f, ", \"NIC and network back\": %" PRIu64 ", \"NIC and memory here\": %" PRIu64,
                p->back, p->arrive);
    fprintf(f, "}},\n");
}

static void say(const char *name, const struct parts *p, bool get)
{
    printf("%s of 8 bytes: %" PRIu64 " clocks, %.0f ns at 800 MHz, event seen at %" PRIu64
           ": stores and NIC %" PRIu64 ", network %" PRIu64 ", target NIC %" PRIu64
           ", memory %" PRIu64,
           name, p->data, (double)p->data * NS, p->seen, p->store_to_flit, p->network, p->target,
           p->memory);
    if (get)
        printf(", back %" PRIu64 ", NIC and memory here %" PRIu64, p->back, p->arrive);
    printf("\n");
}

/* The least size that moves half of what the largest does. */
static unsigned half_size(const double *rates)
{
    unsigned i = 0;
    while (rates[i] * 2 < rates[SIZES - 1])
        i++;
    return 8u << i;
}

int main(int argc, char **argv)
{
    const char *json = "build/reports/nic-bench.json";
    unsigned latency = 200, cable = 10;
    double puts[SIZES], gets[SIZES];
    static struct end end[NODES];
    const struct args_option table[] = {
        args_unsigned("--latency", &latency, 1, 1000, "clocks of host memory"),
        args_unsigned("--cable", &cable, 1, 63, "clocks of a cable"),
        args_text("--json", "FILE", &json, "the report"), args_end()};
    const struct args args = {.about = "Puts and gets between two NICs: clocks and bytes per clock",
                              .option = table};
    struct whole file;
    args_read(&args, argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!whole_open(&file, json))
        sim_fail("nicbench: %s: %s", json, strerror(errno));
    start(latency, cable);
    for (unsigned i = 0; i < NODES; i++)
        start_end(&end[i], i, ISSUERS);
    const struct parts put = best(&end[0], &end[1], false, 8),
                       get = best(&end[0], &end[1], true, 8);
    say("put", &put, false);
    say("get", &get, true);
    printf("get : put %.2f\n", (double)get.data / (double)put.data);
    fprintf(file.stream, "{\n  \"memory_latency\": %u, \"cable\": %u, \"ns_per_clock\": %.2f,\n",
            latency, cable, NS);
    print_parts(file.stream, "put_8", &put, false);
    print_parts(file.stream, "get_8", &get, true);
    fprintf(file.stream, "  \"get_over_put\": %.3f,\n  \"bytes_per_clock\": [\n",
            (double)get.data / (double)put.data);
    for (unsigned i = 0; i < SIZES; i++) {
        puts[i] = rate(&end[0], &end[1], false, 8u << i, ISSUERS);
        gets[i] = rate(&end[0], &end[1], true, 8u << i, ISSUERS);
        printf("%5u bytes, %u issuers: puts %.3f, gets %.3f bytes per clock\n", 8u << i, ISSUERS,
               puts[i], gets[i]);
        fprintf(file.stream,
                "    {\"bytes\": %u, \"issuers\": %u, \"put\": %.4f, \"get\": %.4f}%s\n", 8u << i,
                ISSUERS, puts[i], gets[i], i + 1 < SIZES ? "," : "");
    }
    printf("half of the rate of %u bytes: puts from %u bytes on\n", 8u << (SIZES - 1),
           half_size(puts));
    fprintf(file.stream, "  ],\n  \"half_rate_bytes\": %u\n}\n", half_size(puts));
    if (!whole_close(&file, true))
        sim_fail("nicbench: %s: %s", json, strerror(errno));
    return 0;
}
