// SPDX-License-Identifier: Apache-2.0
/*
 * npt_bench.c - contexts and memory before npt, netlink and cq behind it; and what must leave. amo is npt_amo.c.
 */
#include "tb/blocks/nic/target/npt_inside.h"
#include "tb/golden/nic/nic_packet.h"
#include "tb/models/nic_beats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct npt_bench nb;

enum {
    MOST = 1 << 15, /* contexts */
    QUEUE = 32,     /* beats of netlink's entrance */
    AXI_STAGES = 3, /* from where axi_master sees room to the first beat of a reply */
    PUT = 1,
    PUT_MSG = 4,
    CQWRITE = 5,
    END = 6,
};

/* Of the contexts of writes, of those that were not queued and those that were: the next one that memory answers, that is answered. */
static unsigned done_at[2], put_at[2], released_at;
static unsigned get_replied, get_at;
static unsigned in_netlink, events_in_cq;
static struct beat replies[BEATS], line[AXI_STAGES]; /* the reply that goes, and its way */
static unsigned reply_beat, reply_beats;
static bool response_inside;
static uint64_t ready_since[2], reply_since;

/* ---- contexts ------------------------------------------------------------------------------------- */

static struct npt_context random_context(bool read)
{
    bool refused = !read && rng_chance(&nb.rng, nb.load.refuse);
    bool event = !read && rng_chance(&nb.rng, nb.load.event);
    bool cqwrite = event && rng_below(&nb.rng, 2);
    unsigned mode = rng_below(&nb.rng, 7);
    bool counted = !read && rng_chance(&nb.rng, nb.load.counted);
    bool ends = counted && !event && rng_below(&nb.rng, 3) == 0,
         notes = ends && rng_below(&nb.rng, 2);

    return (struct npt_context){
        .valid = 1,
        .read = read,
        .ready = refused || cqwrite || ends,
        .status = refused ? (u4)(1 + rng_below(&nb.rng, 13)) : (u4)0,
        .cmd = (u4)(read      ? 0
                    : cqwrite ? CQWRITE
                    : event   ? PUT_MSG
                    : ends    ? END + notes
                              : PUT),
        .src = (nic_node)rng_next(&nb.rng),
        .tag = (nic_tag)rng_next(&nb.rng),
        .gen = (nic_gen)rng_next(&nb.rng),
        .mode = (u3)mode,
        .queued = !read && !refused && !ends && mode >= 4,
        .ptag = (nic_ptag)rng_next(&nb.rng),
        .queue = (u10)rng_next(&nb.rng),
        .event = (u56)rng_next(&nb.rng),
        .kind = notes     ? RMT_OP_NOTE
                : ends    ? RMT_OP_END
                : counted ? RMT_OP_COUNT
                          : RMT_OP_NONE,
        .ssid = (nic_ssid)rng_next(&nb.rng),
        .use = (u2)rng_next(&nb.rng),
        .wants = (u1)rng_next(&nb.rng),
        .total = (u32)rng_next(&nb.rng),
        .flag = {.wanted = ends && rng_below(&nb.rng, 2),
                 .mdh = (nic_mdh)rng_next(&nb.rng),
                 .offset = (nic_offset)rng_next(&nb.rng),
                 .value = rng_next(&nb.rng)},
    };
}

/* What rat_net would decide in this clock; it is seen RAT_STAGES later. */
static struct npt_context next_context(void)
{
    struct npt_context out = nb.pipe[RAT_STAGES - 1];
    bool read = rng_chance(&nb.rng, nb.load.get / (nb.load.get + nb.load.put + 1e-9));
    bool wants = rng_chance(&nb.rng, nb.load.get + nb.load.put);
    bool room = nb.dut.out.room_write && (!read || nb.dut.out.room_read);

    memmove(nb.pipe + 1, nb.pipe, sizeof(nb.pipe) - sizeof(*nb.pipe));
    nb.pipe[0].valid = 0;
    if (wants && room && nb.made < MOST) {
        struct npt_test_asked *a = &nb.asked[nb.made++];

        nb.pipe[0] = random_context(read);
        *a = (struct npt_test_asked){
            .context = nb.pipe[0],
            .bytes = 4 * (1 + rng_below(&nb.rng, 16)),
            .memory = rng_chance(&nb.rng, nb.load.error) ? 1 + rng_below(&nb.rng, 3) : 0,
            .due = nb.now + RAT_STAGES + nb.load.latency + rng_below(&nb.rng, nb.load.latency + 1)};
        a->never = a->context.queued && !a->context.ready && rng_chance(&nb.rng, nb.load.error / 4);
        a->memory = a->never ? MEM_WRONG_BITS : a->memory;
        for (unsigned i = 0; i < 64; i++) {
            a->data[i] = (uint8_t)rng_next(&nb.rng);
        }
    }
    return out;
}

/* ---- memory --------------------------------------------------------------------------------------- */

/* Whether a context is one of this FIFO. */
static bool of_fifo(unsigned at, unsigned queued)
{
    const struct npt_context *c = &nb.asked[at].context;

    return !c->read && (unsigned)c->queued == queued;
}

static struct mem_done next_done(void)
{
    struct mem_done other = {.valid = rng_below(&nb.rng, 3) == 0,
                             .client = 2 + 2 * (u4)rng_below(&nb.rng, 2)};

    unsigned first = rng_below(&nb.rng, 2);

    for (unsigned i = 0; i < 2; i++) {
        unsigned c = (first + i) % 2, *at = &done_at[c];

        while (*at < nb.made && (!of_fifo(*at, c) || nb.asked[*at].context.ready)) {
            ++*at;
        }
        if (*at < nb.made && nb.asked[*at].due <= nb.now && !nb.asked[*at].never) {
            return (struct mem_done){.valid = 1,
                                     .client = 0,
                                     .place = (u12)(c | rng_next(&nb.rng) << 1),
                                     .status = (u2)nb.asked[(*at)++].memory};
        }
    }
    return other; /* of clients that are not npt's */
}

/* parb: the next queued event may be posted. */
static bool next_released(void)
{
    while (released_at < nb.made &&
           (!of_fifo(released_at, 1) || !nb.asked[released_at].context.ready)) {
        released_at++;
    }
    bool goes = released_at < nb.made && nb.asked[released_at].due <= nb.now;

    released_at += goes;
    return goes;
}

/* The next queued write is lost. */
static bool next_lost(void)
{
    unsigned *at = &done_at[1];
    bool goes =
        *at < nb.made && of_fifo(*at, 1) && nb.asked[*at].never && nb.asked[*at].due <= nb.now;

    *at += goes;
    return goes;
}

/* The next complete read, if there is one, as head and data. */
static void begin_reply(void)
{
    while (get_replied < nb.made && !nb.asked[get_replied].context.read) {
        get_replied++;
    }
    if (get_replied == nb.made || nb.asked[get_replied].due > nb.now) {
        return;
    }
    const struct npt_test_asked *a = &nb.asked[get_replied++];
    unsigned bytes = a->bytes;

    reply_beat = 0;
    reply_beats = a->memory != 0 ? 1 : 1 + (bytes + 15) / 16;
    replies[0] = (struct beat){.valid = 1,
                               .head = 1,
                               .tail = reply_beats == 1,
                               .word = (beat_word)(bytes - 1) << 16 | (beat_word)a->memory << 24};
    for (unsigned i = 1; i < reply_beats; i++) {
        unsigned __int128 word;

        memcpy(&word, a->data + 16 * (i - 1), 16);
        replies[i] = (struct beat){.valid = 1, .tail = i + 1 == reply_beats, .word = word};
    }
}

/* Waits for room, as far as it is due. */
static void watch_reply(void)
{
    unsigned next = get_replied;

    while (next < nb.made && !nb.asked[next].context.read) {
        next++;
    }
    bool waits = reply_beats == 0 && next < nb.made && nb.asked[next].due <= nb.now &&
                 !nb.dut.out.room_reply;

    reply_since = waits ? reply_since : nb.now;
    nb.longest_reply_wait =
        nb.now - reply_since > nb.longest_reply_wait ? nb.now - reply_since : nb.longest_reply_wait;
}

/* A reply begins where room was seen, goes on without gaps, and comes AXI_STAGES later. */
static struct beat next_reply(void)
{
    struct beat out = line[AXI_STAGES - 1];

    memmove(line + 1, line, sizeof(line) - sizeof(*line));
    line[0].valid = 0;
    if (reply_beats == 0 && nb.dut.out.room_reply) {
        begin_reply();
    }
    if (reply_beats != 0) {
        line[0] = replies[reply_beat++];
        reply_beats = reply_beat == reply_beats ? 0 : reply_beats;
    }
    return out;
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static unsigned flits(unsigned bytes)
{
    return 1 + (bytes + 2 + 5) / 6;
}

beat_word npt_head(const struct npt_context *c, unsigned status, unsigned bytes, bool note)
{
    beat_word w = (beat_word)c->src << 18 | (beat_word)c->mode << 38 | (beat_word)c->tag << 8 |
                  (beat_word)c->gen << 6;

    if (status != 0) {
        return w | (beat_word)1 << 5 | (beat_word)2 << 41 | (beat_word)status << 58 |
               (beat_word)NODE << 62;
    }
    return w | (beat_word)(bytes == 0 ? 1 : flits(bytes)) << 41 | (beat_word)note << 4;
}

static unsigned status_of(unsigned memory)
{
    return memory == 0 ? 0 : memory == 1 ? 3 : memory == 2 ? 13 : 10;
}

/* The status that the oldest put that is not answered must have. */
unsigned npt_put_status(const struct npt_test_asked *a)
{
    unsigned status = a->context.ready ? (unsigned)a->context.status : status_of(a->memory);
    bool event = a->context.cmd == PUT_MSG || a->context.cmd == CQWRITE || a->context.cmd >= END;

    return status == 0 && event && a->event_corrupt ? 1 : status;
}

static void count_expected(unsigned status)
{
    nb.expected[NPT_BUS] += status == 13;
    nb.expected[NPT_DATA] += status == 10;
}

static void skip_lost(void)
{
    for (unsigned c = 0; c < 2; c++) {
        while (put_at[c] < nb.made && (!of_fifo(put_at[c], c) || nb.asked[put_at[c]].lost)) {
            put_at[c]++;
        }
    }
    while (get_at < nb.made && (!nb.asked[get_at].context.read || nb.asked[get_at].lost)) {
        get_at++;
    }
}

/* Memory has answered it, or it need not. */
static bool may_be_answered(unsigned c)
{
    const struct npt_test_asked *a = &nb.asked[put_at[c]];

    return put_at[c] < nb.made &&
           (a->context.ready ? c == 0 || put_at[c] < released_at : put_at[c] < done_at[c]);
}

struct npt_test_asked *npt_oldest_counted(unsigned src, unsigned ssid)
{
    skip_lost();
    for (unsigned c = 0; c < 2; c++) {
        struct npt_test_asked *a = &nb.asked[put_at[c]];

        if (may_be_answered(c) && npt_rmt_counts(a) && !a->told && a->context.src == src &&
            a->context.ssid == ssid) {
            return a;
        }
    }
    return NULL;
}

/* Whose oldest one this is the answer to; 2: of none. */
static unsigned fifo_of(const struct beat *r)
{
    for (unsigned c = 0; c < 2; c++) {
        const struct npt_test_asked *a = &nb.asked[put_at[c]];

        bool told = may_be_answered(c) && (!npt_rmt_counts(a) || a->told);

        if (told && r->word == npt_head(&a->context, npt_put_status(a), 0, a->note)) {
            return c;
        }
    }
    return 2;
}

/* Tag and status of a head of one of its answers, and what is in the word besides. */
static const char *ack_text(beat_word word)
{
    static char texts[3][80];
    static unsigned next;
    char *text = texts[next++ % 3];

    snprintf(text, sizeof(texts[0]), "tag %u status %u (%s)", (unsigned)(word >> 8) & 0x3FF,
             word >> 5 & 1 ? (unsigned)(word >> 58) & 15 : 0, nic_word_text(word));
    return text;
}

/* An answer to a write that is none of those that may come. */
static void miss_ack(const struct beat *r)
{
    const char *due[2] = {"none", "none"}, *when[2] = {"", ""};

    for (unsigned c = 0; c < 2; c++) {
        const struct npt_test_asked *a = &nb.asked[put_at[c]];

        if (put_at[c] < nb.made) {
            due[c] = ack_text(npt_head(&a->context, npt_put_status(a), 0, a->note));
            when[c] = may_be_answered(c) ? "" : " when memory has answered";
        }
    }
    miss(&nb.wrong, "answer to a write: %s, expected %s%s, or queued %s%s", ack_text(r->word),
         due[0], when[0], due[1], when[1]);
}

static void check_ack(const struct beat *r)
{
    skip_lost();
    unsigned c = fifo_of(r);

    if (c == 2) {
        miss_ack(r);
        return;
    }
    const struct npt_test_asked *a = &nb.asked[put_at[c]];
    unsigned status = npt_put_status(a);
    bool event = status == 0 && (a->context.cmd == PUT_MSG || a->context.cmd == CQWRITE);
    const struct nic_event *e = &nb.dut.out.event;

    /* holds npt.events */
    must_equal(&nb.wrong, e->valid, event, "write of tag %u, command %u, status %u: events",
               (unsigned)a->context.tag, (unsigned)a->context.cmd, status);
    if (event && e->valid) {
        must_equal(&nb.wrong, e->queue, a->context.queue, "write of tag %u: queue of its event",
                   (unsigned)a->context.tag);
        must_equal(&nb.wrong, e->ptag, a->context.ptag, "write of tag %u: ptag of its event",
                   (unsigned)a->context.tag);
        must_equal(&nb.wrong, e->word, (uint64_t)5 << 56 | (uint64_t)a->context.event,
                   "write of tag %u: word of its event", (unsigned)a->context.tag);
    }
    nb.events += event;
    count_expected(status);
    put_at[c]++;
    nb.answers++;
}

static unsigned get_beats;

static void check_get(const struct beat *r)
{
    skip_lost();
    if (get_at >= nb.made) {
        miss(&nb.wrong, "an answer to a read, %s, expected none", nic_word_text(r->word));
        return;
    }
    const struct npt_test_asked *a = &nb.asked[get_at];
    unsigned bytes = a->bytes;

    struct beat due = {.valid = 1, .head = r->head};

    if (r->head) {
        get_beats = 0;
        due.tail = a->memory != 0;
        due.word = npt_head(&a->context, status_of(a->memory), bytes, false);
        count_expected(status_of(a->memory));
    } else {
        unsigned __int128 word;

        memcpy(&word, a->data + 16 * get_beats++, 16);
        due.tail = get_beats == (bytes + 15) / 16;
        due.word = word;
    }
    must_beat(&nb.wrong, r, &due, "read of tag %u, %u bytes, status %u: beat %u of its answer",
              (unsigned)a->context.tag, bytes, status_of(a->memory), r->head ? 0 : get_beats);
    if (r->tail) {
        get_at++;
        nb.answers++;
    }
}

static bool replying;

static void check_response(bool reply, bool room)
{
    const struct beat *r = &nb.dut.out.response;

    if (!r->valid) {
        must(&nb.wrong, !nb.dut.out.event.valid,
             "an event for queue %u, and no answer leaves, expected both in one clock",
             (unsigned)nb.dut.out.event.queue);
        return;
    }
    must(&nb.wrong, r->head == !response_inside, "%s %s, expected a %s", nic_word_text(r->word),
         r->head ? "is a head" : "is data", response_inside ? "data beat" : "head");
    response_inside = !r->tail;
    must(&nb.wrong, !r->head || reply || room, "an answer begins without room of netlink: %s",
         nic_word_text(r->word));
    in_netlink++;
    must_at_most(&nb.wrong, in_netlink, QUEUE, "beats in netlink's queue");
    if (reply || replying) {
        must(&nb.wrong, !nb.dut.out.event.valid,
             "an event for queue %u with the answer to a read, expected none",
             (unsigned)nb.dut.out.event.queue);
        check_get(r);
        replying = !r->tail;
        nb.reply_beats_out++;
    } else if (npt_amo_old_due()) {
        npt_amo_check_old(r);
    } else if (nb.dut.out.taken) {
        npt_amo_check_head(r);
    } else if (nb.dut.out.taken_end) {
        npt_rmt_check_head(r);
    } else {
        check_ack(r);
        nb.acks_out++;
    }
}

/* ---- a clock -------------------------------------------------------------------------------------- */

static bool netlink_room = true, cq_room = true;

void npt_bench_step(void)
{
    struct npt_in in = {
        .context = next_context(),
        .done = next_done(),
        .released = next_released(),
        .reply = next_reply(),
        .atomic = *npt_amo_stands(),
        .result = npt_rmt_result(),
        .settled = npt_rmt_settled(),
        .room_response = netlink_room,
        .room_event = cq_room,
        .config = {.ready = 1, .enable = 1, .node = NODE},
    };
    in.lost = !(in.done.valid && in.done.client == MEM_TARGET && (u1)in.done.place) && next_lost();
    bool event_before = nb.dut.out.event.valid, taken_before = nb.dut.out.taken;

    npt(&nb.dut, &in);
    nb.now++;
    npt_amo_check_taken(taken_before, in.reply.valid);
    npt_rmt_check_op();
    check_response(in.reply.valid, in.room_response);
    npt_amo_drive(taken_before);
    watch_reply();
    must(&nb.wrong, !nb.dut.out.event.valid || in.room_event,
         "an event for queue %u without room of cq", (unsigned)nb.dut.out.event.queue);
    events_in_cq += event_before; /* its own register is a clock later */
    must_at_most(&nb.wrong, events_in_cq, 4, "events in cq");
    events_in_cq -= events_in_cq != 0 && rng_chance(&nb.rng, nb.load.cq);
    cq_room = events_in_cq <= 1;
    in_netlink -= in_netlink != 0 && rng_chance(&nb.rng, nb.load.drain);
    netlink_room = QUEUE - in_netlink >= BEAT_ROOM;
    for (unsigned i = 0; i < NPT_COUNTS; i++) {
        nb.counted[i] += (unsigned)nb.dut.out.count >> i & 1;
    }
    skip_lost();
    for (unsigned c = 0; c < 2; c++) {
        static unsigned last_put[2];
        bool stays = may_be_answered(c) && put_at[c] == last_put[c];

        ready_since[c] = stays ? ready_since[c] : nb.now;
        last_put[c] = put_at[c];
        nb.oldest_ack_wait = nb.now - ready_since[c] > nb.oldest_ack_wait ? nb.now - ready_since[c]
                                                                          : nb.oldest_ack_wait;
    }
}

void npt_bench_begin(void)
{
    if (nb.asked == NULL) {
        nb.asked = calloc(MOST, sizeof(*nb.asked));
    }
    npt_reset(&nb.dut);
    memset(nb.pipe, 0, sizeof(nb.pipe));
    memset(nb.counted, 0, sizeof(nb.counted));
    memset(nb.expected, 0, sizeof(nb.expected));
    nb.made = get_replied = get_at = released_at = 0;
    memset(done_at, 0, sizeof(done_at));
    memset(put_at, 0, sizeof(put_at));
    in_netlink = events_in_cq = nb.answers = nb.events = 0;
    memset(line, 0, sizeof(line));
    reply_beat = reply_beats = 0;
    response_inside = replying = false;
    npt_amo_begin();
    npt_rmt_begin();
    nb.operations = nb.operations_done = nb.reply_beats_out = nb.acks_out = 0;
    nb.longest_operation_wait = nb.longest_reply_wait = 0;
    reply_since = nb.now;
    netlink_room = cq_room = true;
    nb.wrong = (struct misses){0};
    nb.oldest_ack_wait = 0;
    ready_since[0] = ready_since[1] = nb.now;
    nb.load.put = nb.load.get = 0;
    nb.load.refuse = nb.load.event = nb.load.error = nb.load.operation = nb.load.counted = 0;
    nb.counted_packets = nb.counted_operations = nb.parked = 0;
    nb.load.fetch = 0.5;
    nb.load.drain = nb.load.cq = 1;
    nb.load.latency = 30;
}

static bool all_acked(void)
{
    return put_at[0] >= nb.made && put_at[1] >= nb.made;
}

void npt_bench_finish(void)
{
    nb.load.put = nb.load.get = nb.load.operation = 0;
    for (unsigned i = 0;
         i < 200000 && (!all_acked() || get_at < nb.made || npt_amo_stands()->valid ||
                        !npt_rmt_idle() || !nb.dut.out.idle);
         i++) {
        npt_bench_step();
        skip_lost();
    }
    for (unsigned i = 0; i < 10; i++) {
        npt_bench_step();
    }
    for (unsigned c = 0; c < 2; c++) {
        must(&nb.wrong, put_at[c] >= nb.made, "the %s write of tag %u is never answered",
             c == 0 ? "oldest" : "oldest queued", (unsigned)nb.asked[put_at[c]].context.tag);
    }
    must(&nb.wrong, get_at >= nb.made, "the oldest read, of tag %u, is never answered",
         (unsigned)nb.asked[get_at].context.tag);
    must_equal(&nb.wrong, nb.operations_done, nb.operations, "operations that are answered");
    must(&nb.wrong, nb.dut.out.idle && nb.dut.out.room_read && nb.dut.out.room_write,
         "in the end idle is %u, room for reads %u, for writes %u, expected 1 of each",
         (unsigned)nb.dut.out.idle, (unsigned)nb.dut.out.room_read,
         (unsigned)nb.dut.out.room_write);
    for (unsigned i = NPT_LOST; i < NPT_COUNTS; i++) {
        static const char *const names[NPT_COUNTS] = {"corrected", "lost", "BUS", "DATA"};

        must_equal(&nb.wrong, nb.counted[i], nb.expected[i], "counted as %s", names[i]);
    }
}

void npt_bench_free(void)
{
    free(nb.asked);
}
