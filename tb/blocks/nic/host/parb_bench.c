// SPDX-License-Identifier: Apache-2.0
/*
 * parb_bench.c - what the ports send, a memory that stops and answers late, and what must leave.
 */
#include "tb/blocks/nic/host/parb_bench.h"
#include "tb/blocks/nic/host/parb_port.h"
#include "tb/models/nic_beats.h"

#include <stdlib.h>
#include <string.h>

struct parb_bench pb;

enum {
    MOST = 1 << 15, /* accesses of a port */
    RAT_STAGES = 4, /* clocks from where rat_net sees room of the queue to the beat */
    ATOMICS = 40,   /* operations of amo that may be under way */
};

/* A read that will be. */
struct late {
    uint64_t due;
};

/* A write that will be answered. */
struct flying {
    uint64_t due;
    unsigned port;
};

/* A fetch that stands before parb, or the last one that did. */
struct fetcher {
    struct mem_fetch drives;
    bool shown, gone;
    unsigned ready;  /* clocks for which it may leave */
    unsigned passed; /* reads of others that left in them */
};

static struct fetcher fetchers[PARB_FETCHES];
static const unsigned fetch_of[READERS] = {
    [READER_AMO] = PARB_FETCH_AMO, [READER_RINGS] = PARB_FETCH_RINGS};
static const unsigned reader_of[PARB_FETCHES] = {READER_AMO, READER_RINGS};
static struct mem_word word_drives, back_drives;
static u8 room_seen[PARB_PORTS];            /* of the clocks before, the last one lowest */
static struct beat queued_line[RAT_STAGES]; /* on their way to the queue */
static struct late reads_late[MOST];        /* reads that have left and have no data yet */
static unsigned reads_first, reads_end;
static unsigned get_ready, get_passed; /* as of a fetch */
static struct flying *flying;
static unsigned flying_count, out_beat;
static int out_port; /* whose access leaves, -1: none */
static bool read_second;

/* ---- what is sent ------------------------------------------------------------------------------- */

static struct beat sending[PARB_PORTS][BEATS_MOST];
static unsigned sending_beats[PARB_PORTS];

/* What the port's register drives next, by the room that it sees now. */
static void drive(unsigned p, bool room)
{
    struct parb_test_port *port = &pb.ports[p];
    bool inside = port->beat != 0;
    bool goes = p == PARB_CQ ? inside || (room && port->cq_wait == 0) : room;

    port->drives.valid = 0;
    port->cq_wait -= port->cq_wait != 0;
    if (!goes || (inside && p != PARB_CQ && rng_below(&pb.rng, 8) == 0)) {
        return;
    }
    if (!inside) {
        if (port->made == MOST || !rng_chance(&pb.rng, pb.load.begin[p])) {
            return;
        }
        struct parb_test_access *a = &port->access[port->made++];

        sending_beats[p] = parb_make(p, a, sending[p]);
        a->came = pb.now;
        port->writes_sent += !a->read;
        port->cq_wait = 1;
    }
    port->drives = sending[p][port->beat++];
    if (port->beat == sending_beats[p]) {
        port->beat = 0;
        port->sent++;
    }
}

/* It looks at room, but some of what it sends was begun before: of amo more than of descriptors. */
static struct mem_word drive_word(unsigned p, bool room)
{
    struct parb_test_port *port = &pb.ports[p];
    unsigned lag = p == PARB_AMO ? pb.load.lag : 0;
    struct mem_word word = {0};

    room_seen[p] = (u8)(room_seen[p] << 1 | room);
    if ((unsigned)room_seen[p] >> lag & 1 && port->made != MOST &&
        rng_chance(&pb.rng, pb.load.begin[p])) {
        word = parb_make_word(p, &port->access[port->made++]);
        port->sent++;
        port->writes_sent++;
    }
    return word;
}

/* A fetch goes in the clock behind that in which it was seen to be taken; the next one may follow at once. */
static void drive_fetch(unsigned n, bool taken)
{
    struct fetcher *f = &fetchers[n];

    f->drives.valid &= !taken;
    if (!f->drives.valid && rng_chance(&pb.rng, pb.load.fetch)) {
        uint64_t addr = rng_next(&pb.rng) >> 16;

        *f = (struct fetcher){0};
        pb.fetches[n]++;
        f->drives =
            (struct mem_fetch){.valid = 1,
                               .space = (mem_space)rng_below(&pb.rng, 32),
                               .bytes = n == PARB_FETCH_RINGS   ? 63
                                        : rng_below(&pb.rng, 2) ? 7
                                                                : 3,
                               .addr = (u48)addr & (n == PARB_FETCH_RINGS ? ~(u48)63 : ~(u48)7)};
    }
}

/* ---- what comes out ------------------------------------------------------------------------------ */

/* The oldest access of a port of that kind that has not left. */
static struct parb_test_access *oldest(unsigned p, bool read)
{
    struct parb_test_port *port = &pb.ports[p];
    unsigned *next = read ? &port->read_out : &port->written;

    if (p == PARB_QUEUED && read) {
        return NULL;
    }

    while (*next < port->made && port->access[*next].read != read && p != PARB_QUEUED) {
        ++*next;
    }
    return *next < port->made ? &port->access[*next] : NULL;
}

static void check_before(const struct parb_test_access *a, enum order_kind kind, const char *what)
{
    must_at_least(&pb.wrong, pb.done[kind], a->before[kind],
                  "%s (accesses of kind %u that are done)", what, kind);
}

/* The next event's turn is told. */
static void check_released(void)
{
    struct parb_test_port *port = &pb.ports[PARB_QUEUED];
    const struct parb_test_access *a = oldest(PARB_QUEUED, false);

    if (!pb.dut.out.released) {
        return;
    }
    if (a == NULL || !a->token) {
        miss(&pb.wrong, "an event is released, expected %s of the queue first",
             a == NULL ? "nothing, nothing is left" : "the write at the front");
        return;
    }
    check_before(a, ORDER_READS, "an event overtakes a read");
    check_before(a, ORDER_ATOMICS, "an event overtakes an operation");
    port->written++;
    port->gone++;
}

static void check_write(void)
{
    const struct beat *out = &pb.dut.out.write;

    if (!out->valid) {
        return;
    }
    if (out_port < 0) {
        for (unsigned p = 0; p < PARB_PORTS; p++) {
            bool is_it = p != PARB_QUEUED && ((unsigned)out->word & 15) == parb_client_of[p];

            out_port = is_it ? (int)p : out_port;
        }
        out_port = out_port == PARB_TARGET && (out->word >> 4 & 1) ? PARB_QUEUED : out_port;
        out_beat = 0;
        if (out_port < 0 || !out->head) {
            miss(&pb.wrong,
                 "%s of client %u, expected the head of an access of one of the ports: %s",
                 out->head ? "head" : "data", (unsigned)out->word & 15, nic_word_text(out->word));
            out_port = -1;
            return;
        }
    }
    struct parb_test_access *a = oldest((unsigned)out_port, false);

    if (a != NULL && a->ordered && out_beat == 0) {
        check_before(a, ORDER_READS, "a queued write overtakes a read");
        check_before(a, ORDER_ATOMICS, "a queued write overtakes an operation");
    }
    struct beat due = {0};

    if (a != NULL && !a->token && out_beat < a->beats) {
        due = a->beat[out_beat];
        due.valid = 1;
    }
    if (!must_beat(&pb.wrong, out, &due, "port %d, access %u: beat %u", out_port,
                   pb.ports[out_port].written, out_beat) ||
        a == NULL) {
        out_port = -1;
        return;
    }
    if (++out_beat == a->beats) {
        struct parb_test_port *port = &pb.ports[out_port];

        must(&pb.wrong, out->tail, "port %d, access %u: its last beat is no tail", out_port,
             port->written);
        port->written++;
        port->gone++;
        port->writes_out++;
        pb.left[out_port]++;
        flying[flying_count++] = (struct flying){
            pb.now + pb.load.latency + rng_below(&pb.rng, pb.load.latency + 1), (unsigned)out_port};
        unsigned under_way = port->writes_out - port->done;

        pb.most_flying = under_way > pb.most_flying ? under_way : pb.most_flying;
        out_port = -1;
    }
}

static const unsigned places_of[READERS] = READER_PLACES;
static unsigned held[READERS]; /* places that a client's reads have */

/* A read that leaves has a place; says whether it begins. */
static void check_place(void)
{
    const struct mem_read *out = &pb.dut.out.read;

    if (out->valid && !read_second) {
        /* holds parb.places */
        must_at_most(&pb.wrong, ++held[out->reader], places_of[out->reader], "places of reader %u",
                     (unsigned)out->reader);
    }
}

/* Replies give places back, some time later; none of a client that is stuck. */
static mem_reader_set give_back(void)
{
    mem_reader_set given = 0;

    for (unsigned r = 0; r < READERS; r++) {
        bool many = held[r] > places_of[r] / 2; /* more than one read a clock never comes */
        bool back = held[r] != 0 && !(pb.stuck >> r & 1) && (many || rng_chance(&pb.rng, 0.5));

        held[r] -= back;
        given |= (mem_reader_set)((mem_reader_set)back << r);
    }
    return given;
}

/* A read of TARGET or LOCAL. */
static void check_read(unsigned p)
{
    const struct mem_read *out = &pb.dut.out.read;
    struct parb_test_access *a = oldest(p, true);

    if (a == NULL) {
        miss(&pb.wrong, "a read of %#llx by port %u, expected none", (unsigned long long)out->addr,
             p);
        return;
    }
    unsigned n = pb.ports[p].read_out;

    must_equal(&pb.wrong, out->bytes, (u6)(a->beat[0].word >> 16), "read %u: bytes less one", n);
    must_equal(&pb.wrong, out->fault, a->refused ? MEM_WRONG_BITS : 0, "read %u: fault", n);
    if (!a->refused) {
        const struct beat *head = &a->beat[read_second];

        must_equal(&pb.wrong, out->addr, (u48)(head->word >> 48), "read %u: address", n);
        must_equal(&pb.wrong, out->space, (u5)(head->word >> 23), "read %u: space", n);
        must_equal(&pb.wrong, out->split, a->beats == 2, "read %u: in two pages", n);
    }
    if (a->ordered) {
        check_before(a, ORDER_PUTS, "a read overtakes a write that it must see");
        check_before(a, ORDER_QUEUED, "a read overtakes a queued write that it must see");
        check_before(a, ORDER_ATOMICS, "a read overtakes an operation that it must see");
    }
    read_second = out->split && !read_second;
    if (p == PARB_TARGET && !read_second) {
        reads_late[reads_end++ % MOST] = (struct late){pb.now + rng_below(&pb.rng, 30)};
        pb.reads_left++;
    }
    pb.ports[p].read_out += !read_second;
    pb.ports[p].gone += !read_second;
    pb.locals_left += p == PARB_LOCAL && !read_second;
}

/* ... or of a client that brings its reads one by one. */
static void check_fetch(unsigned n)
{
    const struct mem_read *out = &pb.dut.out.read;
    struct fetcher *f = &fetchers[n];

    must(&pb.wrong, f->shown && !f->gone, "a fetch of %#llx leaves, expected none: %s",
         (unsigned long long)out->addr, f->gone ? "it has left" : "none was shown");
    must_equal(&pb.wrong, out->addr, f->drives.addr, "fetch %u: address", pb.fetches_left[n]);
    must_equal(&pb.wrong, out->bytes, f->drives.bytes, "fetch %u: bytes less one",
               pb.fetches_left[n]);
    must_equal(&pb.wrong, out->space, f->drives.space, "fetch %u: space", pb.fetches_left[n]);
    must(&pb.wrong, out->fault == 0 && !out->split, "fetch %u: fault %u, split %u, expected none",
         pb.fetches_left[n], (unsigned)out->fault, (unsigned)out->split);
    must(&pb.wrong, !read_second, "fetch %u between the two words of a read", pb.fetches_left[n]);
    f->gone = true;
    pb.fetches_left[n]++;
}

/* Whoever could leave is passed by a read of each other client at most. */
static void check_turns(void)
{
    const struct mem_read *out = &pb.dut.out.read;

    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        if (out->reader != reader_of[n] && fetchers[n].ready > SETTLED) {
            /* holds parb.fetches */
            must_at_most(&pb.wrong, ++fetchers[n].passed, READERS - 1,
                         "reads that pass a fetch of %#llx that may leave",
                         (unsigned long long)fetchers[n].drives.addr);
        }
    }
    if (out->reader != READER_TARGET && get_ready > SETTLED) {
        must_at_most(&pb.wrong, ++get_passed, READERS - 1,
                     "reads of others that pass read %u, which may leave", pb.reads_left);
    }
    if (out->reader == READER_TARGET) {
        get_ready = get_passed = 0;
    }
}

static void check_reads(void)
{
    const struct mem_read *out = &pb.dut.out.read;

    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        must_equal(&pb.wrong, pb.dut.out.fetch_taken >> n & 1,
                   out->valid && out->reader == reader_of[n],
                   "fetch %u is taken in the clock in which it leaves", n);
    }
    if (!out->valid) {
        return;
    }
    if (!read_second) {
        check_turns();
    }
    if (out->reader == READER_TARGET || out->reader == READER_LOCAL) {
        check_read(out->reader == READER_TARGET ? PARB_TARGET : PARB_LOCAL);
    } else {
        check_fetch(fetch_of[out->reader]);
    }
}

/* For how long fetches, and the oldest read, had no reason to wait but turns and room. */
static void watch_reads(void)
{
    const struct parb_test_access *a = oldest(PARB_TARGET, true);
    bool get = a != NULL && held[READER_TARGET] != places_of[READER_TARGET] &&
               pb.now - a->came > SETTLED + BEATS_MOST &&
               (!a->ordered || (pb.done[ORDER_PUTS] >= a->before[ORDER_PUTS] &&
                                pb.done[ORDER_QUEUED] >= a->before[ORDER_QUEUED] &&
                                pb.done[ORDER_ATOMICS] >= a->before[ORDER_ATOMICS]));

    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        struct fetcher *f = &fetchers[n];
        bool may = f->shown && !f->gone && held[reader_of[n]] != places_of[reader_of[n]];

        f->ready = may ? f->ready + 1 : 0;
        f->passed = may ? f->passed : 0;
    }
    get_ready = get ? get_ready + 1 : 0;
}

/* The next answer: in order per port, between ports in any. */
static unsigned done_of; /* the kind of what is answered in this clock */

static struct mem_done next_done(void)
{
    bool blocked[PARB_PORTS] = {0};

    for (unsigned i = 0; pb.answers && i < flying_count; i++) {
        struct flying f = flying[i];

        if (f.due <= pb.now && !blocked[f.port]) {
            memmove(flying + i, flying + i + 1, (--flying_count - i) * sizeof(*flying));
            pb.ports[f.port].done++;
            unsigned kind = f.port == PARB_QUEUED ? ORDER_QUEUED : ORDER_PUTS;

            done_of = parb_client_of[f.port] == MEM_TARGET ? kind : ORDER_KINDS;
            return (struct mem_done){.valid = 1,
                                     .client = (u4)parb_client_of[f.port],
                                     .place = (u12)(f.port == PARB_QUEUED)};
        }
        blocked[f.port] = true;
    }
    return (struct mem_done){0};
}

/* ---- order ---------------------------------------------------------------------------------------- */

/* An access is seen by parb: with what came before it; counted behind all in this clock. */
static void see(unsigned p, unsigned seen)
{
    memcpy(pb.ports[p].access[seen].before, pb.accepted, sizeof(pb.accepted));
}

static unsigned seen[PARB_PORTS]; /* accesses whose head parb has seen */

static void count_order(const struct parb_in *in)
{
    const struct beat *target = &in->target;
    bool head = target->valid && target->head, queued = in->queued.valid && in->queued.head;
    bool read = head && target->tail;
    bool more = pb.accepted[ORDER_ATOMICS] - pb.done[ORDER_ATOMICS] < ATOMICS;

    if (head) {
        see(PARB_TARGET, seen[PARB_TARGET]++);
    }
    if (queued) {
        see(PARB_QUEUED, seen[PARB_QUEUED]++);
    }
    pb.accepted[ORDER_PUTS] += head && !read;
    pb.accepted[ORDER_READS] += read;
    pb.accepted[ORDER_QUEUED] += queued && !in->queued.tail;
    pb.accepted[ORDER_ATOMICS] += more && rng_chance(&pb.rng, pb.load.order);
}

static void answer_order(void)
{
    bool atomic = pb.done[ORDER_ATOMICS] != pb.accepted[ORDER_ATOMICS];
    bool read = reads_first != reads_end && reads_late[reads_first % MOST].due <= pb.now;

    if (done_of != ORDER_KINDS) {
        pb.done[done_of]++;
    }
    done_of = ORDER_KINDS;
    pb.done[ORDER_READS] += read;
    reads_first += read;
    pb.done[ORDER_ATOMICS] += atomic && rng_chance(&pb.rng, pb.load.order);
}

/* ---- a clock ------------------------------------------------------------------------------------- */

void parb_bench_step(void)
{
    struct parb_in in = {.room_write = rng_chance(&pb.rng, pb.load.room),
                         .room_read = rng_chance(&pb.rng, pb.load.room * pb.load.read_room),
                         .word = word_drives,
                         .back = back_drives,
                         .fetch = {fetchers[0].drives, fetchers[1].drives},
                         .given = give_back(),
                         .done = next_done()};
    bool room[PARB_PORTS];
    unsigned begun[PARB_PORTS];
    unsigned taken = pb.dut.out.fetch_taken;

    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        fetchers[n].shown |= in.fetch[n].valid;
    }
    for (unsigned k = 0; k < ORDER_KINDS; k++) {
        in.counts.accepted[k] = (order_number)pb.accepted[k];
        in.counts.answered[k] = (order_number)pb.done[k];
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        begun[p] = p == PARB_QUEUED ? seen[p] : pb.ports[p].made;
        room[p] = parb_room_of(p);
        if (p == PARB_AMO) {
            word_drives = drive_word(p, room[p]);
        } else if (p == PARB_RINGS) {
            back_drives = drive_word(p, room[p]);
        } else if (p == PARB_QUEUED) {
            in.queued = queued_line[0];
            memmove(queued_line, queued_line + 1, sizeof(queued_line) - sizeof(*queued_line));
            queued_line[RAT_STAGES - 1] = pb.ports[p].drives;
            drive(p, room[p] || pb.ports[p].beat != 0);
        } else {
            *parb_input_of(&in, p) = pb.ports[p].drives;
            drive(p, room[p]);
        }
    }
    count_order(&in);
    parb(&pb.dut, &in);
    answer_order();
    pb.now++;
    check_released();
    check_write();
    check_place();
    check_reads();
    watch_reads();
    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        must(&pb.wrong, !pb.dut.out.idle || !in.fetch[n].valid || fetchers[n].gone,
             "idle, and a fetch of %#llx waits", (unsigned long long)in.fetch[n].addr);
        drive_fetch(n, taken >> n & 1);
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        must(&pb.wrong, !pb.dut.out.idle || begun[p] == pb.ports[p].gone,
             "idle, and of port %u %u accesses have begun, %u have left", p, begun[p],
             pb.ports[p].gone);
    }
    must(&pb.wrong, !pb.dut.out.idle || (!pb.dut.out.write.valid && !pb.dut.out.read.valid),
         "idle, and a %s leaves", pb.dut.out.write.valid ? "write" : "read");
}

void parb_bench_begin(void)
{
    if (flying == NULL) {
        flying = calloc(MOST * PARB_PORTS, sizeof(*flying));
        for (unsigned p = 0; p < PARB_PORTS; p++) {
            pb.ports[p].access = calloc(MOST, sizeof(struct parb_test_access));
        }
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        struct parb_test_access *access = pb.ports[p].access;

        pb.ports[p] = (struct parb_test_port){.access = access};
        pb.load.begin[p] = 1;
        pb.left[p] = 0;
    }
    parb_reset(&pb.dut);
    memset(fetchers, 0, sizeof(fetchers));
    memset(pb.fetches, 0, sizeof(pb.fetches));
    memset(pb.fetches_left, 0, sizeof(pb.fetches_left));
    word_drives.valid = back_drives.valid = 0;
    memset(room_seen, 0, sizeof(room_seen));
    pb.locals_left = 0;
    memset(queued_line, 0, sizeof(queued_line));
    memset(seen, 0, sizeof(seen));
    memset(pb.accepted, 0, sizeof(pb.accepted));
    memset(pb.done, 0, sizeof(pb.done));
    done_of = ORDER_KINDS;
    reads_first = reads_end = 0;
    pb.load.begin[PARB_QUEUED] = pb.load.begin[PARB_RINGS] = 0;
    pb.load.token = 0.3;
    pb.reads_left = get_ready = get_passed = 0;
    memset(held, 0, sizeof(held));
    pb.stuck = 0;
    flying_count = out_beat = pb.most_flying = 0;
    out_port = -1;
    read_second = false;
    pb.wrong = (struct misses){0};
    pb.load.read = pb.load.order = pb.load.fetch = 0;
    pb.load.room = pb.load.read_room = 1;
    pb.load.lag = 0;
    pb.load.latency = 20;
    pb.answers = true;
}

void parb_bench_finish(void)
{
    unsigned stood = 0;
    double share = pb.load.room;

    for (unsigned p = 0; p < PARB_PORTS; p++) {
        pb.load.begin[p] = 0;
    }
    pb.load.fetch = 0;
    pb.load.room = share < 0.5 ? 0.5 : share;
    for (unsigned i = 0; i < 100000 && stood < 100; i++) {
        parb_bench_step();
        pb.load.order =
            pb.load.order == 0 ? 1 : pb.load.order; /* operations of amo that some wait for */
        stood = pb.dut.out.idle && flying_count == 0 ? stood + 1 : 0;
    }
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        must(&pb.wrong,
             oldest(p, false) == NULL && oldest(p, true) == NULL && pb.ports[p].beat == 0,
             "port %u: in the end %u accesses have left, expected %u", p, pb.ports[p].gone,
             pb.ports[p].made);
    }
    for (unsigned n = 0; n < PARB_FETCHES; n++) {
        must_equal(&pb.wrong, pb.fetches_left[n], pb.fetches[n],
                   "fetches of client %u that have left in the end", n);
    }
}

void parb_bench_free(void)
{
    for (unsigned p = 0; p < PARB_PORTS; p++) {
        free(pb.ports[p].access);
    }
    free(flying);
}
