// SPDX-License-Identifier: Apache-2.0
/*
 * orb_bench.c - requests and network; what must come of them. Memory is orb_memory.c.
 */
#include "tb/blocks/nic/initiator/orb_inside.h"

#include <stdio.h>
#include <string.h>

struct orb_bench ob;

static struct beat way[WAY]; /* beats between tarb and orb */
static int ended = -1;       /* tag whose request ended in the clock before, and does not rest */
static bool head_before;     /* orb had a head in the clock before */
static struct beat packet[6];
static unsigned op_tag;       /* what orb ends in this clock */
static struct request coming; /* what the stream brings: its local beat may not be here yet */
static unsigned coming_beats;

static unsigned length_of(unsigned bytes)
{
    return 1 + (bytes + 2 + 5) / 6;
}

/* ---- requests ---------------------------------------------------------------------------------- */

/* As tarb counts: heads on their way to orb, and the one that it had in the clock before, whose tag it still counts as free. */
static unsigned promised(void)
{
    unsigned heads = head_before;

    for (unsigned i = 0; i < WAY; i++)
        heads += way[i].valid && way[i].head;
    return heads;
}

static bool begin(void)
{
    static const unsigned cmds[] = {GET, GET, PUT, PUT, AMO, FAMO, 4, 5};
    const unsigned cmd =
        ob.how.only == 0 ? cmds[rng_below(&ob.r, 8)] : (ob.how.only == 1 ? PUT : GET);
    const bool gets = cmd == GET || cmd == FAMO;

    if (!ob.dut.out.room || ob.dut.out.tags <= promised() || !orb_often(ob.how.requests))
        return false;
    ob.beats = cmd == GET || ob.how.only ? 2 : 2 + gets + rng_below(&ob.r, 4 - gets);
    ob.next = 0;
    for (unsigned i = 0; i < ob.beats; i++)
        packet[i] = (struct beat){
            .valid = 1, .head = i == 0, .tail = i == ob.beats - 1, .word = any_word(&ob.r)};
    for (unsigned i = 1 + gets; i < ob.beats; i++)
        packet[i].bad = orb_seldom(ob.how.bad);
    packet[0].word = with(packet[0].word, AT_CMD, 4, cmd);
    packet[0].word = with(packet[0].word, AT_SSID, 9, rng_below(&ob.r, NIC_SSIDS));
    if (gets) {
        unsigned bytes =
            cmd == GET ? 4 * (1 + rng_below(&ob.r, 15)) : 4 * (1 + rng_below(&ob.r, 2));
        bytes = ob.how.only == 2 ? 4 : ob.how.only == 3 ? 60 : bytes;
        beat_word w = with(packet[1].word, AT_TO_BYTES, 6, bytes - 1);
        packet[1].word = with(w, AT_TO_FLAGGED, 1, orb_seldom(ob.how.flagged));
        packet[1].bad = orb_seldom(ob.how.bad);
        if (cmd == GET && ob.how.only != 2 && rng_below(&ob.r, 4) == 0)
            packet[1].word = with(with(w, AT_TO_BYTES, 6, 63), AT_TO_FLAGGED, 1, 0);
    }
    return true;
}

/* A beat enters the way to orb, one leaves it. */
static void stream(struct beat *out)
{
    struct beat fresh = {};

    if (ob.next < ob.beats || begin())
        if (ob.how.only || orb_often(15))
            fresh = packet[ob.next++];
    *out = way[0];
    head_before = out->valid && out->head;
    memmove(way, way + 1, sizeof way - sizeof way[0]);
    way[WAY - 1] = fresh;
}

/* ---- the network ------------------------------------------------------------------------------- */

static beat_word response_head(unsigned tag, unsigned gen, unsigned length, bool err)
{
    beat_word w = any_word(&ob.r);

    w = with(with(w, AT_RSP_TAG, 10, tag), AT_RSP_GEN, 2, gen);
    w = with(with(w, AT_RSP_ERR, 1, err), AT_LENGTH, 4, length);
    return with(w, AT_NODE, 18, NODE);
}

/* A response of some length, with data or garbage. */
static struct post *add_post(unsigned tag, unsigned gen, unsigned length, bool err, uint64_t serial)
{
    struct post *p = &ob.post[ob.posts];

    if (ob.posts == POSTS)
        return NULL;
    ob.posts++;
    *p = (struct post){.due = ob.now + rng_below(&ob.r, ob.how.delay + 1),
                       .beats = 1,
                       .tag = (int)tag,
                       .gen = gen,
                       .serial = serial};
    p->beats += err || length < 2 ? 0 : (6 * (length - 1) - 2 + 15) / 16;
    for (unsigned i = 0; i < p->beats; i++)
        p->beat[i] = (struct beat){.valid = 1,
                                   .head = i == 0,
                                   .tail = i == p->beats - 1,
                                   .bad = i && orb_wrong_bits(serial, i - 1),
                                   .word = i ? orb_data_of(serial, i - 1)
                                             : response_head(tag, gen, length, err)};
    return p;
}

static void answer_request(unsigned tag, const struct request *q)
{
    const unsigned right = q->data ? length_of(q->bytes) : 1;
    const bool err = orb_seldom(ob.how.error), misfit = orb_seldom(ob.how.misfit);
    unsigned length = err ? 2 : right;

    if (misfit)
        length = 1 + (length + rng_below(&ob.r, 11)) % 12;
    struct post *p = add_post(tag, q->gen, length, err, q->serial);
    if (p == NULL)
        return;
    const unsigned status = rng_below(&ob.r, 15);
    p->beat[0].word = with(p->beat[0].word, AT_RSP_STATUS, 4, status);
    if (err)
        p->answer = length != 2 || status == OK ? (unsigned)DATA : status;
    else if (q->lost)
        p->answer = UNCORRECTABLE;
    else if (length != right)
        p->answer = DATA;
    p->writes = !err && !q->lost && length == right && q->data;
    if (orb_seldom(ob.how.late))
        p->due += ob.how.delay * 16;
    if (orb_seldom(ob.how.twice) && ob.posts < POSTS) {
        ob.post[ob.posts] = *p;
        ob.post[ob.posts++].due += rng_below(&ob.r, 200);
    }
}

/* What nobody asked for: other tags, generations, nodes; heads with a double-bit error. */
static void stray(void)
{
    const unsigned tag = rng_below(&ob.r, rng_below(&ob.r, 2) ? TAGS : 1024);
    const struct request *q = &ob.req[tag % TAGS];
    struct post *p =
        add_post(tag, (q->gen + 1 + rng_below(&ob.r, 3)) % 4, 1 + rng_below(&ob.r, 12), false, 0);

    if (p == NULL)
        return;
    p->tag = -1;
    p->wrong = rng_below(&ob.r, 2);
    if (p->wrong && rng_below(&ob.r, 2)) {
        p->beat[0].word =
            with(with(p->beat[0].word, AT_RSP_TAG, 10, tag % TAGS), AT_RSP_GEN, 2, q->gen);
        p->beat[0].word = with(p->beat[0].word, AT_NODE, 18, NODE ^ (1u << rng_below(&ob.r, 18)));
    } else if (p->wrong) {
        p->beat[0].bad = 1;
    }
}

/* The head goes into orb: does it fit a request now? What comes later than that request can no longer fit. */
static void note_head(void)
{
    const struct beat *head = &ob.current.beat[0];
    struct request *q = &ob.req[ob.current.tag < 0 ? 0 : ob.current.tag];

    ob.heads++;
    if (head->bad)
        ob.wanted[ORB_HEAD_LOST]++;
    else if (bits(head->word, AT_NODE, 18) != NODE)
        ob.wanted[ORB_MISROUTED]++;
    else if (ob.current.tag >= 0 && q->state == SENT && q->serial == ob.current.serial &&
             !q->posted) {
        q->posted = true;
        q->answer = ob.current.answer;
        q->note = bits(head->word, 4, 1);
        q->writes = ob.current.writes;
    }
    ob.seen.late += ob.current.tag >= 0 && q->serial != ob.current.serial;
}

/* The next packet, if one is there and may begin. */
static bool next_post(void)
{
    const unsigned i = ob.posts > 0 ? rng_below(&ob.r, ob.posts) : 0;
    const unsigned tag = (unsigned)bits(ob.post[i].beat[0].word, AT_RSP_TAG, 10);
    const struct request *q = &ob.req[tag % TAGS];
    const bool old =
        !ob.post[i].wrong && tag < TAGS && (ob.post[i].tag < 0 || q->serial != ob.post[i].serial);

    if (ob.posts == 0 || !ob.dut.out.room_response || ob.post[i].due > ob.now)
        return false;
    ob.current = ob.post[i];
    ob.post[i] = ob.post[--ob.posts];
    ob.current_next = 0;
    /* it is of the use before this one, and may wait in orb for two more: after four uses it would fit again */
    if (old && (ob.current.gen - q->gen + 4) % 4 != 3)
        ob.current.beats = 0;
    return ob.current.beats > 0;
}

static void network(struct beat *out)
{
    if (orb_seldom(ob.how.stray))
        stray();
    if (ob.current_next == ob.current.beats && !next_post())
        return;
    if (!orb_often(ob.how.responses))
        return;
    if (ob.current_next == 0)
        note_head();
    *out = ob.current.beat[ob.current_next++];
}

/* ---- what must be ------------------------------------------------------------------------------ */

const char *orb_bench_state(const struct request *q)
{
    static const char *const states[] = {"free", "sent", "at memory", "at its flag", "at rest"};

    return states[q->state];
}

/* A tag that no request has, and that does not rest. */
static bool is_free(const struct request *q)
{
    return q->state == FREE || (q->state == RESTS && ob.epochs >= q->rests + 3);
}

/* A request has its tag: it must be one that nobody has. */
static void given(unsigned tag)
{
    struct request *q = &ob.req[tag];
    const unsigned gen = (unsigned)bits(ob.dut.out.forward.word, AT_GEN, 2);

    must(&ob.seen.tag, is_free(q),
         "tag %u: given to a request, while the one of clock %llu has it (%s, ended %llu epochs "
         "ago), "
         "expected a free one",
         tag, (unsigned long long)q->clock, orb_bench_state(q),
         (unsigned long long)(ob.epochs - q->rests));
    must(&ob.seen.back, !q->owed,
         "tag %u: given again, descriptor %u has not heard that it is free, expected that before",
         tag, q->place);
    if (q->uses > 0)
        must_equal(&ob.seen.gen, gen, (q->gen + 1) % 4, "generation of tag %u", tag);
    coming.uses = q->uses + 1;
    coming.gen = gen;
    coming.clock = ob.now;
    *q = coming;
    ob.seen.requests++;
    if (!orb_seldom(ob.how.lost))
        answer_request(tag, q);
}

/* What leaves for the network is what came a clock before, but for tag, generation and source. */
static void check_forward(const struct beat *in)
{
    static beat_word held;
    const struct beat *out = &ob.dut.out.forward;
    const bool local = in->valid && coming_beats == 1 && coming.data;
    const bool gets = in->valid && in->head &&
                      (bits(in->word, AT_CMD, 4) == GET || bits(in->word, AT_CMD, 4) == FAMO);
    const bool valid = in->valid && !gets;
    beat_word want = in->word;

    if (in->valid && in->head) {
        coming = (struct request){.state = SENT,
                                  .ssid = (unsigned)bits(in->word, AT_SSID, 9),
                                  .cmd = (unsigned)bits(in->word, AT_CMD, 4),
                                  .place = (unsigned)bits(in->word, AT_LENGTH, 7) % NIC_FMAS,
                                  .data = gets,
                                  .sent = ob.epochs,
                                  .serial = ++ob.serials};
        coming_beats = 0;
        ob.wanted[ORB_REQUESTS]++;
    }
    if (local) {
        want = held;
        coming.offset = bits(in->word, AT_TO_OFFSET, 40);
        coming.mdh = (unsigned)bits(in->word, AT_TO_MDH, 12);
        coming.ptag = (unsigned)bits(in->word, AT_TO_PTAG, 8);
        coming.bytes = (unsigned)bits(in->word, AT_TO_BYTES, 6) + 1;
        coming.flagged = bits(in->word, AT_TO_FLAGGED, 1) && !in->bad;
        coming.lost = in->bad;
        ob.wanted[ORB_LOST] += in->bad;
    }
    held = in->valid && in->head ? in->word : held;
    coming_beats += in->valid;
    const bool head = valid && (in->head || local);
    if (head) {
        const unsigned tag = (unsigned)bits(out->word, AT_TAG, 10);
        want = with(with(want, AT_TAG, 10, tag), AT_GEN, 2, bits(out->word, AT_GEN, 2));
        want = with(with(want, AT_SRC, 18, NODE), 36, 2, 0);
        must(&ob.seen.tag, tag < TAGS, "tag %u: there are only %u", tag, TAGS);
        given(tag % TAGS);
    }
    const struct beat expected = {valid, head, in->tail, in->bad && !local, want};
    must_beat(&ob.seen.forward, out, &expected, "beat %u of request %llu", coming_beats - in->valid,
              (unsigned long long)ob.serials);
}

/* Idle: no beat comes, and every tag is free. */
static void check_idle(const struct beat *in)
{
    must(&ob.seen.idle, !ob.dut.out.idle || !in->valid,
         "idle, and a beat of request %llu comes, expected busy", (unsigned long long)ob.serials);
    for (unsigned i = 0; i < TAGS && ob.dut.out.idle && ob.now % 64 == 0; i++)
        must(&ob.seen.idle, is_free(&ob.req[i]), "idle, and tag %u is %s, expected all to be free",
             i, orb_bench_state(&ob.req[i]));
}

bool orb_may_end(const struct request *q, unsigned status)
{
    if (q->state == SENT && status == TIMEOUT && ob.epochs >= q->sent + 2)
        return true;
    if (q->state == SENT)
        return q->posted && !q->writes && q->answer == status;
    return q->state == AT_MEMORY && q->done && q->status == status;
}

const char *orb_due_text(const struct request *q)
{
    static char text[80];
    const bool at_memory = q->state == AT_MEMORY || q->state == AT_FLAG;

    if (q->state == FREE || q->state == RESTS)
        return "none, it has ended";
    if ((at_memory && !q->done) || (q->state == SENT && q->posted && q->writes))
        return "none until memory has its data";
    snprintf(text, sizeof text, "status %u%s",
             at_memory || q->posted ? at_memory ? q->status : q->answer : TIMEOUT,
             q->flagged && q->state != AT_FLAG ? " behind its flag"
             : at_memory || q->posted          ? ""
                                               : " at the end of the second epoch");
    return text;
}

static void check_answer(void)
{
    const unsigned ssid = (unsigned)ob.dut.out.answer.ssid,
                   status = (unsigned)ob.dut.out.answer.status;
    struct request *q = &ob.req[op_tag];
    bool right;

    if (!ob.dut.out.answer.valid)
        return;
    ob.seen.answers++;
    if (q->state == AT_FLAG)
        right = q->done && q->status == status;
    else
        right = orb_may_end(q, status) && !q->flagged;
    must(&ob.seen.answer, right,
         "tag %u (request %llu, %s for %llu epochs): status %u, expected %s", op_tag,
         (unsigned long long)q->serial, orb_bench_state(q),
         (unsigned long long)(ob.epochs - q->sent), status, orb_due_text(q));
    must_equal(&ob.seen.answer, ssid, q->ssid, "tag %u: ssid of its answer", op_tag);
    /* holds orb.note */
    if (status != TIMEOUT) { /* a response may come into the queue too late */
        must_equal(&ob.seen.answer, ob.dut.out.answer.note, q->note,
                   "tag %u: note in its answer, as its response had it", op_tag);
    }
    ob.seen.timeouts += status == TIMEOUT;
    if (status == TIMEOUT) {
        const uint64_t took = ob.now - 1 - q->clock;

        ob.seen.soonest = took < ob.seen.soonest ? took : ob.seen.soonest;
        ob.seen.latest = took > ob.seen.latest ? took : ob.seen.latest;
    }
    q->state = status == TIMEOUT ? RESTS : FREE;
    q->rests = ob.epochs;
    q->owed = true;
    q->ended = ob.now;
}

/* A tag is free again: in the clock behind its request's end, or when it has rested; the descriptor that sent that hears of it once. */
static void check_back(void)
{
    const struct tag_back *back = &ob.dut.out.back;
    int tag = ended;

    ended = ob.dut.out.answer.valid && ob.dut.out.answer.status != TIMEOUT ? (int)op_tag : -1;
    if (tag >= 0) {
        must(&ob.seen.back, back->valid && back->place == ob.req[tag].place && ob.req[tag].owed,
             "tag %d ended in the clock before: back %u, of descriptor %u, expected of %u%s", tag,
             (unsigned)back->valid, (unsigned)back->place, ob.req[tag].place,
             ob.req[tag].owed ? "" : ", once");
        ob.req[tag].owed = false;
        return;
    }
    for (unsigned i = 0; back->valid && i < TAGS; i++) {
        const struct request *q = &ob.req[i];

        if (q->owed && q->state == RESTS && ob.epochs >= q->rests + 3 &&
            (tag < 0 || q->ended < ob.req[tag].ended))
            tag = (int)i;
    }
    if (back->valid && tag < 0)
        miss(&ob.seen.back,
             "a tag of descriptor %u is back, expected none: no tag has rested for three epochs",
             (unsigned)back->place);
    else if (back->valid)
        must_equal(&ob.seen.back, back->place, ob.req[tag].place,
                   "tag %d has rested: descriptor that hears of it", tag);
    if (tag >= 0) {
        ob.req[tag].owed = false;
    }
}

/*
 * holds orb.time: a response that fits says how long its request took, in 16 clocks, off by less than one of them, 511 at most; and how many
 * bytes it brings, if they are written.
 */
static void check_time(void)
{
    const struct beat *local = &ob.dut.out.local;
    const struct request *q = &ob.req[op_tag];
    const uint64_t took = ob.now - 1 - q->clock, units = (uint64_t)ob.dut.out.time.units;
    const bool writes = local->valid && local->head && !orb_memory_flag();
    const uint64_t low = took / 16 < 511 ? took / 16 : 511;

    if (ob.dut.out.time.valid) {
        must_at_least(&ob.seen.time, units, low, "tag %u: units of 16 clocks, of %llu clocks",
                      op_tag, (unsigned long long)took);
        must_at_most(&ob.seen.time, units, low < 511 ? low + 1 : low,
                     "tag %u: units of 16 clocks, of %llu clocks", op_tag,
                     (unsigned long long)took);
        ob.seen.slow += units == 511;
    }
    must_equal(&ob.seen.time, ob.dut.out.time.valid, (u1)(ob.dut.out.count >> ORB_RESPONSES),
               "tag %u: a time, where a response is counted", op_tag);
    must_equal(&ob.seen.time, ob.dut.out.brought, writes ? q->bytes : 0, "tag %u: bytes brought",
               op_tag);
}

/* ---- a clock ----------------------------------------------------------------------------------- */

void orb_bench_step(void)
{
    struct orb_in in = {.room_request = orb_often(ob.how.room_request),
                        .room_local = orb_often(ob.how.room_local)};

    stream(&in.request);
    network(&in.response);
    orb_memory_answer(&in.done, &in.refused);
    in.config.node = NODE;
    /* no epoch while memory stands still: test_valve is about that */
    in.config.epoch = orb_seldom(ob.how.epochs) && ob.dut.valve.waited == 0;
    op_tag = (unsigned)ob.dut.judged.op.tag;
    orb(&ob.dut, &in);
    ob.now++;
    check_back();
    check_answer();
    orb_memory_check(in.room_local);
    check_time();
    check_forward(&in.request);
    check_idle(&in.request);
    ob.epochs += in.config.epoch;
    for (unsigned i = 0; i < ORB_COUNTS; i++)
        ob.counted[i] += (uint64_t)(ob.dut.out.count >> i) & 1;
}

void orb_bench_run(unsigned clocks)
{
    while (clocks-- > 0)
        orb_bench_step();
}

void orb_bench_reset(void)
{
    struct orb_in in = {.config = {.node = NODE}};

    if (ob.dut.awaits_local)
        ob.req[(unsigned)ob.dut.tag].uses = 0;
    orb_reset(&ob.dut);
    for (unsigned i = 0; i < 2048; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        orb(&ob.dut, &in);
    }
    in.wipe.valid = 0;
    for (unsigned i = 0; i < 3; i++)
        orb(&ob.dut, &in);
    must(&ob.seen.idle, ob.dut.out.idle && !ob.dut.out.room && ob.dut.out.tags == 7,
         "behind a reset: idle %u, room %u, tags %u, expected 1, 0, 7", (unsigned)ob.dut.out.idle,
         (unsigned)ob.dut.out.room, (unsigned)ob.dut.out.tags);
    head_before = false;
    ended = -1;
    for (unsigned i = 0; i < TAGS; i++) {
        ob.req[i].state = FREE;
        ob.req[i].owed = false;
        ob.req[i].posted = false;
    }
    memset(way, 0, sizeof way);
    ob.beats = ob.next = ob.current.beats = ob.current_next = 0;
    orb_memory_reset();
    coming_beats = 0;
    coming.data = false;
    memset(ob.counted, 0, sizeof ob.counted);
    memset(ob.wanted, 0, sizeof ob.wanted);
    ob.heads = 0;
    ob.epochs = 0;
}
