// SPDX-License-Identifier: Apache-2.0
/*
 * test_orb.c - orb alone, between a stream of requests, a network that loses, delays, repeats and corrupts responses, and a memory
 * that refuses, fails and takes its time.
 *
 * The model knows requests by their tags: what each was answered with, what must be written for it, and what ssid must hear,
 * once. At the end nothing is outstanding, every tag is free (I3: a tag is never given out while it is in use or rests), and
 * every response is counted as what it was.
 */
#include "tb/base/harness.h"
#include "tb/nic/unit/trans_bits.h"
#include "nic/initiator/orb.h"

#include <string.h>

enum { TAGS = NIC_TAGS, LIVES = 40, WAY = 5, POSTS = 4 * NIC_TAGS, NODE = 0x2BEEF };

enum state { FREE, SENT, AT_MEMORY, AT_FLAG, RESTS };

/* The request that has a tag, or had it last. */
struct request {
    enum state state;
    unsigned gen, ssid, cmd, mdh, ptag, bytes, status, uses;
    uint64_t offset, sent, rests, serial; /* epochs; its number */
    bool flagged, lost, data;
    bool posted;     /* a response that fits has come: */
    unsigned answer; /* its status; OK with data: the data has to be written */
    bool writes;
    bool done;      /* memory or rat_local answered, with status */
    unsigned beats; /* of its data that were seen */
};

/* A response on its way. */
struct post {
    uint64_t due;
    struct beat beat[5];
    unsigned beats;
    int tag; /* of the request that it answers, if it fits; else -1 */
    unsigned gen, answer;
    bool writes, wrong; /* wrong: never looked up */
    uint64_t serial;
};

/* How things go; rates of 16, those of errors of 256. */
struct manners {
    unsigned requests, responses, delay, room_request, room_local, done, epochs;
    unsigned only; /* PUTs of 8 bytes, GETs of 4, GETs of 60 or 64 */
    unsigned lost, twice, late, misfit, error, stray, bad, refused, fails, flagged;
};

static struct orb dut;
static struct rng r;
static uint64_t now, epochs, serials;
static struct manners how;
static struct request req[TAGS];
static struct beat way[WAY]; /* beats between tarb and orb */
static struct beat packet[6];
static unsigned beats, next;
static struct post post[POSTS];
static unsigned posts;
static struct post current;
static unsigned current_next;
static int writes[TAGS],
    refusals[TAGS]; /* tags whose write memory has, in order; that rat_local refuses */
static unsigned n_writes, n_refusals, op_tag; /* op_tag: what orb ends in this clock */
static bool room_local;                       /* in the clock before */
static struct request coming; /* what the stream brings: its local beat may not be here yet */
static unsigned coming_beats;
static int local_tag; /* whose packet is on out.local, or -1 */
static bool local_flag, local_refused;

static struct {
    unsigned forward, tag, gen, local, answer, early, missing, idle, count;
    unsigned requests, answers, timeouts, flags, unknown, datas, late;
} seen;
static uint64_t counted[ORB_COUNTS], wanted[ORB_COUNTS], heads;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

static bool seldom(unsigned rate)
{
    return rng_below(&r, 256) < rate;
}

static beat_word any_word(void)
{
    beat_word w = 0;

    for (unsigned i = 0; i < 3; i++)
        w = (w << 48) | (beat_word)(rng_next(&r) >> 16);
    return w;
}

/* 16 bytes of the data that answers a request. */
static beat_word data_of(uint64_t serial, unsigned beat)
{
    const uint64_t a = (serial * 8 + beat + 1) * UINT64_C(0x9E3779B97F4A7C15);

    return ((beat_word)a << 64) | (beat_word)(a * UINT64_C(0xD1342543DE82EF95));
}

static bool wrong_bits(uint64_t serial, unsigned beat)
{
    return (serial + beat) % 41 == 0;
}

static unsigned length_of(unsigned bytes)
{
    return 1 + (bytes + 2 + 5) / 6;
}

/* ---- requests ---------------------------------------------------------------------------------- */

static bool begin(void)
{
    static const unsigned cmds[] = {GET, GET, PUT, PUT, AMO, FAMO, 4, 5};
    const unsigned cmd = how.only == 0 ? cmds[rng_below(&r, 8)] : (how.only == 1 ? PUT : GET);
    const bool gets = cmd == GET || cmd == FAMO;

    if (!dut.out.room || !often(how.requests))
        return false;
    beats = cmd == GET || how.only ? 2 : 2 + gets + rng_below(&r, 4 - gets);
    next = 0;
    for (unsigned i = 0; i < beats; i++)
        packet[i] =
            (struct beat){.valid = 1, .head = i == 0, .tail = i == beats - 1, .word = any_word()};
    packet[0].word = with(packet[0].word, AT_CMD, 4, cmd);
    packet[0].word = with(packet[0].word, AT_SSID, 9, rng_below(&r, NIC_SSIDS));
    if (gets) {
        unsigned bytes = cmd == GET ? 4 * (1 + rng_below(&r, 15)) : 4 * (1 + rng_below(&r, 2));
        bytes = how.only == 2 ? 4 : how.only == 3 ? 60 : bytes;
        beat_word w = with(packet[1].word, AT_TO_BYTES, 6, bytes - 1);
        packet[1].word = with(w, AT_TO_FLAGGED, 1, seldom(how.flagged));
        packet[1].bad = seldom(how.bad);
        if (cmd == GET && how.only != 2 && rng_below(&r, 4) == 0)
            packet[1].word = with(with(w, AT_TO_BYTES, 6, 63), AT_TO_FLAGGED, 1, 0);
    }
    return true;
}

/* A beat enters the way to orb, one leaves it. */
static void stream(struct beat *out)
{
    struct beat fresh = {};

    if (next < beats || begin())
        if (how.only || often(15))
            fresh = packet[next++];
    *out = way[0];
    memmove(way, way + 1, sizeof way - sizeof way[0]);
    way[WAY - 1] = fresh;
}

/* ---- the network ------------------------------------------------------------------------------- */

static beat_word response_head(unsigned tag, unsigned gen, unsigned length, bool err)
{
    beat_word w = any_word();

    w = with(with(w, AT_RSP_TAG, 10, tag), AT_RSP_GEN, 2, gen);
    w = with(with(w, AT_RSP_ERR, 1, err), AT_LENGTH, 4, length);
    return with(w, AT_NODE, 18, NODE);
}

/* A response of some length, with data or garbage. */
static struct post *add_post(unsigned tag, unsigned gen, unsigned length, bool err, uint64_t serial)
{
    struct post *p = &post[posts];

    if (posts == POSTS)
        return NULL;
    posts++;
    *p = (struct post){.due = now + rng_below(&r, how.delay + 1),
                       .beats = 1,
                       .tag = (int)tag,
                       .gen = gen,
                       .serial = serial};
    p->beats += err || length < 2 ? 0 : (6 * (length - 1) - 2 + 15) / 16;
    for (unsigned i = 0; i < p->beats; i++)
        p->beat[i] = (struct beat){.valid = 1,
                                   .head = i == 0,
                                   .tail = i == p->beats - 1,
                                   .bad = i && wrong_bits(serial, i - 1),
                                   .word = i ? data_of(serial, i - 1)
                                             : response_head(tag, gen, length, err)};
    return p;
}

static void answer_request(unsigned tag, const struct request *q)
{
    const unsigned right = q->data ? length_of(q->bytes) : 1;
    const bool err = seldom(how.error), misfit = seldom(how.misfit);
    unsigned length = err ? 2 : right;

    if (misfit)
        length = 1 + (length + rng_below(&r, 11)) % 12;
    struct post *p = add_post(tag, q->gen, length, err, q->serial);
    if (p == NULL)
        return;
    const unsigned status = rng_below(&r, 15);
    p->beat[0].word = with(p->beat[0].word, AT_RSP_STATUS, 4, status);
    if (err)
        p->answer = length != 2 || status == OK ? (unsigned)DATA : status;
    else if (q->lost)
        p->answer = UNCORRECTABLE;
    else if (length != right)
        p->answer = DATA;
    p->writes = !err && !q->lost && length == right && q->data;
    if (seldom(how.late))
        p->due += how.delay * 16;
    if (seldom(how.twice) && posts < POSTS) {
        post[posts] = *p;
        post[posts++].due += rng_below(&r, 200);
    }
}

/* What nobody asked for: other tags, generations, nodes; heads with two wrong bits. */
static void stray(void)
{
    const unsigned tag = rng_below(&r, rng_below(&r, 2) ? TAGS : 1024);
    const struct request *q = &req[tag % TAGS];
    struct post *p =
        add_post(tag, (q->gen + 1 + rng_below(&r, 3)) % 4, 1 + rng_below(&r, 12), false, 0);

    if (p == NULL)
        return;
    p->tag = -1;
    p->wrong = rng_below(&r, 2);
    if (p->wrong && rng_below(&r, 2)) {
        p->beat[0].word =
            with(with(p->beat[0].word, AT_RSP_TAG, 10, tag % TAGS), AT_RSP_GEN, 2, q->gen);
        p->beat[0].word = with(p->beat[0].word, AT_NODE, 18, NODE ^ (1u << rng_below(&r, 18)));
    } else if (p->wrong) {
        p->beat[0].bad = 1;
    }
}

/* The head goes into orb: does it fit a request now? What comes later than that request can no longer fit. */
static void note_head(void)
{
    const struct beat *head = &current.beat[0];
    struct request *q = &req[current.tag < 0 ? 0 : current.tag];

    heads++;
    if (head->bad)
        wanted[ORB_HEAD_LOST]++;
    else if (bits(head->word, AT_NODE, 18) != NODE)
        wanted[ORB_MISROUTED]++;
    else if (current.tag >= 0 && q->state == SENT && q->serial == current.serial && !q->posted) {
        q->posted = true;
        q->answer = current.answer;
        q->writes = current.writes;
    }
    seen.late += current.tag >= 0 && q->serial != current.serial;
}

/* The next packet, if one is there and may begin. */
static bool next_post(void)
{
    const unsigned i = posts > 0 ? rng_below(&r, posts) : 0;
    const unsigned tag = (unsigned)bits(post[i].beat[0].word, AT_RSP_TAG, 10);
    const struct request *q = &req[tag % TAGS];
    const bool old =
        !post[i].wrong && tag < TAGS && (post[i].tag < 0 || q->serial != post[i].serial);

    if (posts == 0 || !dut.out.room_response || post[i].due > now)
        return false;
    current = post[i];
    post[i] = post[--posts];
    current_next = 0;
    /* it is of the use before this one, and may wait in orb for two more: after four uses it would fit again */
    if (old && (current.gen - q->gen + 4) % 4 != 3)
        current.beats = 0;
    return current.beats > 0;
}

static void network(struct beat *out)
{
    if (seldom(how.stray))
        stray();
    if (current_next == current.beats && !next_post())
        return;
    if (!often(how.responses))
        return;
    if (current_next == 0)
        note_head();
    *out = current.beat[current_next++];
}

/* ---- rat_local and memory ---------------------------------------------------------------------- */

static unsigned status_of(unsigned memory)
{
    static const unsigned status[4] = {OK, TRANSLATION, BUS, DATA};

    return status[memory];
}

static void end_write(int tag, unsigned status)
{
    struct request *q = &req[tag];

    q->done = true;
    if (q->status == OK)
        q->status = status;
}

static void memory(struct mem_done *done, struct npt_context *refused)
{
    done->client = (u4)rng_below(&r, 8);
    done->place = (u12)rng_below(&r, TAGS);
    done->valid = done->client != 2 && rng_below(&r, 2);
    if (n_writes > 0 && often(how.done)) {
        const unsigned status = seldom(how.fails) ? rng_below(&r, 4) : 0;
        *done = (struct mem_done){1, 2, (u12)writes[0], (u2)status};
        end_write(writes[0], status_of(status));
        memmove(writes, writes + 1, --n_writes * sizeof writes[0]);
    }
    if (n_refusals > 0 && often(how.done)) {
        const unsigned status = 1 + rng_below(&r, 14);
        *refused = (struct npt_context){.valid = 1,
                                        .ready = 1,
                                        .status = (nic_status_field)status,
                                        .tag = (nic_tag)refusals[0]};
        end_write(refusals[0], status);
        memmove(refusals, refusals + 1, --n_refusals * sizeof refusals[0]);
    }
}

/* ---- what must be ------------------------------------------------------------------------------ */

/* A request has its tag: it must be one that nobody has. */
static void given(unsigned tag)
{
    struct request *q = &req[tag];
    const unsigned gen = (unsigned)bits(dut.out.forward.word, AT_GEN, 2);

    seen.tag += q->state != FREE && !(q->state == RESTS && epochs >= q->rests + 2);
    seen.gen += q->uses > 0 && gen != (q->gen + 1) % 4;
    coming.uses = q->uses + 1;
    coming.gen = gen;
    *q = coming;
    seen.requests++;
    if (!seldom(how.lost))
        answer_request(tag, q);
}

/* What leaves for the network is what came a clock before, but for tag, generation and source. */
static void check_forward(const struct beat *in)
{
    static beat_word held;
    const struct beat *out = &dut.out.forward;
    const bool local = in->valid && coming_beats == 1 && coming.data;
    const bool gets = in->valid && in->head &&
                      (bits(in->word, AT_CMD, 4) == GET || bits(in->word, AT_CMD, 4) == FAMO);
    const bool valid = in->valid && !gets;
    beat_word want = in->word;

    if (in->valid && in->head) {
        coming = (struct request){.state = SENT,
                                  .ssid = (unsigned)bits(in->word, AT_SSID, 9),
                                  .cmd = (unsigned)bits(in->word, AT_CMD, 4),
                                  .data = gets,
                                  .sent = epochs,
                                  .serial = ++serials};
        coming_beats = 0;
        wanted[ORB_REQUESTS]++;
    }
    if (local) {
        want = held;
        coming.offset = bits(in->word, AT_TO_OFFSET, 40);
        coming.mdh = (unsigned)bits(in->word, AT_TO_MDH, 12);
        coming.ptag = (unsigned)bits(in->word, AT_TO_PTAG, 8);
        coming.bytes = (unsigned)bits(in->word, AT_TO_BYTES, 6) + 1;
        coming.flagged = bits(in->word, AT_TO_FLAGGED, 1) && !in->bad;
        coming.lost = in->bad;
        wanted[ORB_LOST] += in->bad;
    }
    held = in->valid && in->head ? in->word : held;
    coming_beats += in->valid;
    const bool head = valid && (in->head || local);
    if (head) {
        const unsigned tag = (unsigned)bits(out->word, AT_TAG, 10);
        want = with(with(want, AT_TAG, 10, tag), AT_GEN, 2, bits(out->word, AT_GEN, 2));
        want = with(want, AT_SRC, 18, NODE);
        seen.tag += tag >= TAGS;
        given(tag % TAGS);
    }
    seen.forward += out->valid != valid ||
                    (valid && (out->word != want || out->head != head || out->tail != in->tail));
}

/* A request of which the last word is said, but for its flag. */
static bool may_end(const struct request *q, unsigned status)
{
    if (q->state == SENT && status == TIMEOUT && epochs >= q->sent + 2)
        return true;
    if (q->state == SENT)
        return q->posted && !q->writes && q->answer == status;
    return q->state == AT_MEMORY && q->done && q->status == status;
}

static void check_answer(void)
{
    const unsigned ssid = (unsigned)dut.out.answer.ssid, status = (unsigned)dut.out.answer.status;
    struct request *q = &req[op_tag];
    bool right;

    if (!dut.out.answer.valid)
        return;
    seen.answers++;
    if (q->state == AT_FLAG)
        right = q->done && q->status == status;
    else
        right = may_end(q, status) && !q->flagged;
    seen.answer += !right || q->ssid != ssid || dut.out.answer.note;
    seen.timeouts += status == TIMEOUT;
    q->state = status == TIMEOUT ? RESTS : FREE;
    q->rests = epochs;
}

/* The head of a write to local memory: data of a request whose response has come, or its flag. */
static void check_local_head(const struct beat *out)
{
    const unsigned tag = (unsigned)bits(out->word, AT_TAG, 10);
    struct request *q = &req[tag % TAGS];
    const uint64_t offset = bits(out->word, 4, 14) | bits(out->word, FLIT(1, 4), 6) << 14 |
                            bits(out->word, FLIT(2, 0), 20) << 20;

    local_tag = (int)(tag % TAGS);
    local_flag = offset != q->offset;
    local_refused = seldom(how.refused);
    const unsigned bytes = local_flag ? 4 : q->bytes;
    const uint64_t to = (q->offset + (local_flag ? q->bytes : 0)) & ((UINT64_C(1) << 40) - 1);
    seen.early += !room_local;
    seen.local += tag >= TAGS || (!local_flag && (q->state != SENT || !q->posted || !q->writes)) ||
                  (local_flag && (!q->flagged || q->state == AT_FLAG || q->state == FREE)) ||
                  bits(out->word, AT_CMD, 4) != PUT || bits(out->word, AT_MDH, 12) != q->mdh ||
                  bits(out->word, AT_PTAG, 8) != q->ptag || bits(out->word, AT_SRC, 18) != NODE ||
                  bits(out->word, AT_Z, 6) != bytes - 1 || bits(out->word, AT_X, 4) != 0 ||
                  offset != to;
    q->beats = 0;
    if (!local_flag) {
        q->state = AT_MEMORY;
        q->done = false;
        q->status = OK;
        seen.datas++;
    }
}

static void check_local_data(const struct beat *out)
{
    struct request *q = &req[local_tag];
    const unsigned bytes = local_flag ? 4 : q->bytes;
    const bool last = q->beats == (bytes - 1) / 16;

    if (local_flag) {
        const unsigned status = (unsigned)bits(out->word, 4, 4);
        seen.local += !may_end(q, status) || out->word != ((beat_word)status << 4 | 1);
        q->state = AT_FLAG;
        q->status = status;
        q->done = false;
        seen.flags++;
    } else {
        seen.local += out->word != data_of(q->serial, q->beats);
    }
    seen.local += out->tail != last || out->bad != (!local_flag && wrong_bits(q->serial, q->beats));
    q->beats++;
    if (!out->tail)
        return;
    if (local_refused)
        refusals[n_refusals++] = local_tag;
    else
        writes[n_writes++] = local_tag;
    local_tag = -1;
}

static void check_local(void)
{
    const struct beat *out = &dut.out.local;

    if (!out->valid)
        return;
    if (out->head != (local_tag < 0)) {
        seen.local++;
        return;
    }
    if (out->head)
        check_local_head(out);
    else
        check_local_data(out);
}

/* ---- a clock ----------------------------------------------------------------------------------- */

static void step(void)
{
    struct orb_in in = {.room_request = often(how.room_request),
                        .room_local = often(how.room_local)};

    stream(&in.request);
    network(&in.response);
    memory(&in.done, &in.refused);
    in.config.node = NODE;
    /* no epoch while memory stands still: test_valve is about that */
    in.config.epoch = seldom(how.epochs) && dut.valve.waited == 0;
    op_tag = (unsigned)dut.op.tag;
    orb(&dut, &in);
    now++;
    check_answer();
    check_local();
    check_forward(&in.request);
    epochs += in.config.epoch;
    room_local = in.room_local;
    for (unsigned i = 0; i < ORB_COUNTS; i++)
        counted[i] += (uint64_t)(dut.out.count >> i) & 1;
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step();
}

/* Generations go on over a reset; what was sent before fits nothing after it. */
static void reset(void)
{
    struct orb_in in = {.config = {.node = NODE}};

    if (dut.awaits_local)
        req[(unsigned)dut.tag].uses = 0;
    orb_reset(&dut);
    for (unsigned i = 0; i < 2048; i++) {
        in.wipe = (struct nic_wipe){1, (u13)i};
        orb(&dut, &in);
    }
    in.wipe.valid = 0;
    for (unsigned i = 0; i < 3; i++)
        orb(&dut, &in);
    seen.idle += !dut.out.idle || dut.out.room;
    for (unsigned i = 0; i < TAGS; i++) {
        req[i].state = FREE;
        req[i].posted = false;
    }
    memset(way, 0, sizeof way);
    beats = next = current.beats = current_next = 0;
    n_writes = n_refusals = 0;
    coming_beats = 0;
    coming.data = false;
    local_tag = -1;
    memset(counted, 0, sizeof counted);
    memset(wanted, 0, sizeof wanted);
    heads = 0;
    epochs = 0;
}

/* ---- what is tried ----------------------------------------------------------------------------- */

static void change_manners(void)
{
    static const unsigned rates[] = {1, 4, 12, 16, 16};

    how = (struct manners){.requests = rates[rng_below(&r, 5)],
                           .responses = rates[rng_below(&r, 5)],
                           .delay = rng_below(&r, 2) ? rng_below(&r, 20) : rng_below(&r, 400),
                           .room_request = rates[rng_below(&r, 5)],
                           .room_local = rates[rng_below(&r, 5)],
                           .done = rates[rng_below(&r, 5)],
                           .epochs = 1 + rng_below(&r, 4),
                           .lost = rng_below(&r, 2) ? 0 : rng_below(&r, 64),
                           .twice = rng_below(&r, 2) ? 0 : 32,
                           .late = rng_below(&r, 2) ? 0 : 16,
                           .misfit = rng_below(&r, 2) ? 0 : 32,
                           .error = rng_below(&r, 2) ? 0 : 64,
                           .stray = rng_below(&r, 2) ? 0 : 64,
                           .bad = rng_below(&r, 3) ? 0 : 16,
                           .refused = rng_below(&r, 2) ? 0 : 64,
                           .fails = rng_below(&r, 2) ? 0 : 64,
                           .flagged = rng_below(&r, 2) ? 0 : 128};
    /* what waits for memory must not live for four uses of its tag, each of five epochs if it times out */
    if (how.room_local < 12 || how.done < 12)
        how.epochs = 1;
}

static void drain(void)
{
    uint64_t classed;

    how = (struct manners){
        .responses = 16, .room_request = 16, .room_local = 16, .done = 16, .epochs = 1};
    while (posts > 0 || current_next < current.beats)
        step();
    run(256 * 8 + TAGS * 64);
    seen.idle += !dut.out.idle;
    for (unsigned i = 0; i < TAGS; i++)
        seen.missing += req[i].state != FREE && req[i].state != RESTS;
    classed = counted[ORB_RESPONSES] + counted[ORB_UNKNOWN] + counted[ORB_MISROUTED] +
              counted[ORB_HEAD_LOST];
    seen.count += classed != heads || counted[ORB_REQUESTS] != wanted[ORB_REQUESTS] ||
                  counted[ORB_MISROUTED] != wanted[ORB_MISROUTED] ||
                  counted[ORB_HEAD_LOST] != wanted[ORB_HEAD_LOST] ||
                  counted[ORB_LOST] != wanted[ORB_LOST] || counted[ORB_CORRECTED] != 0 ||
                  counted[ORB_RESPONSES] + counted[ORB_TIMEOUT] != counted[ORB_REQUESTS];
    seen.unknown += (unsigned)counted[ORB_UNKNOWN];
}

static void live(void)
{
    reset();
    for (unsigned i = 1 + rng_below(&r, 8); i > 0; i--) {
        change_manners();
        run(rng_below(&r, 4000));
    }
    if (rng_below(&r, 4))
        drain();
}

/* Clocks per request, in the middle of a long run with nothing in the way. */
static void test_rate(unsigned only, const char *what, double most)
{
    reset();
    posts = 0;
    how = (struct manners){.only = only,
                           .requests = 16,
                           .responses = 16,
                           .delay = 0,
                           .room_request = 16,
                           .room_local = 16,
                           .done = 16};
    run(2000);
    const unsigned before = seen.answers;
    run(20000);
    const double clocks = 20000.0 / (seen.answers - before);
    tap_ok(clocks <= most, "orb: %s: one in %.3f clocks (%.3f)", what, clocks, most);
    how.requests = 0;
    drain();
}

/* One GET of 4 bytes is out; `flip` puts wrong bits into its entry; then it is answered. */
static void one_get(unsigned flip, bool two, bool flagged)
{
    reset();
    posts = 0;
    how = (struct manners){.only = 2,
                           .requests = 16,
                           .responses = 16,
                           .delay = 40,
                           .room_request = 16,
                           .room_local = 16,
                           .done = 16,
                           .flagged = flagged ? 256 : 0};
    const unsigned before = seen.requests;
    while (seen.requests == before) {
        how.requests = beats == 0 ? 16 : 0;
        step();
    }
    const unsigned tag = (unsigned)dut.tag;
    if (flip < 59)
        dut.cold_where[tag] ^= (orb_where_ecc_word)1 << flip |
                               (orb_where_ecc_word)(two ? UINT64_C(1) << (flip + 1) % 59 : 0);
    else
        dut.cold_what[tag] ^= (orb_what_ecc_word)1 << (flip - 59) |
                              (orb_what_ecc_word)(two ? 1u << (flip - 58) % 26 : 0);
    if (two) { /* nothing is written, and no flag, and it ends so */
        req[tag].lost = true;
        req[tag].flagged = false;
        for (unsigned i = 0; i < posts; i++) {
            post[i].answer = UNCORRECTABLE;
            post[i].writes = false;
        }
    }
    run(120);
}

static void test_bits(void)
{
    unsigned wrong[2] = {0}, good = seen.local + seen.answer;

    for (unsigned two = 0; two < 2; two++)
        for (unsigned i = 0; i < 2 * (59 + 26); i++) {
            const bool flagged = i >= 59 + 26;
            const unsigned answers = seen.answers;
            one_get(i % (59 + 26), two, flagged);
            wrong[two] += seen.answers != answers + 1 || counted[ORB_LOST] != two ||
                          !dut.out.idle || (!two && counted[ORB_CORRECTED] != (flagged ? 4 : 2));
        }
    tap_ok(wrong[0] == 0 && seen.local + seen.answer == good,
           "orb: a wrong bit in an entry is corrected and reported each time that it is used (%u)",
           wrong[0]);
    tap_ok(wrong[1] == 0 && seen.local + seen.answer == good,
           "orb: two end their request with UNCORRECTABLE, and nothing is written (%u)", wrong[1]);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    tap_ok(seen.forward == 0, "orb: requests go on as they came (%u)", seen.forward);
    tap_ok(seen.tag == 0, "orb: each with a tag that nobody has (%u)", seen.tag);
    tap_ok(seen.gen == 0, "orb: in its next generation (%u)", seen.gen);
    tap_ok(seen.local == 0, "orb: data and flags go where they belong (%u)", seen.local);
    tap_ok(seen.early == 0, "orb: while there is room (%u)", seen.early);
    tap_ok(seen.answer == 0, "orb: each request is answered once, in time and right (%u)",
           seen.answer);
    tap_ok(seen.missing == 0, "orb: and none is missing (%u)", seen.missing);
    tap_ok(seen.count == 0, "orb: everything is counted as what it was (%u)", seen.count);
    tap_ok(seen.idle == 0, "orb: at the end every tag is free (%u)", seen.idle);
    test_rate(1, "puts of 8 bytes", 2.0);
    test_rate(2, "gets of 4 bytes", 2.05);
    test_rate(3, "gets of 60 and 64 bytes", 5.0);
    test_bits();
    tap_ok(seen.timeouts > 100 && seen.flags > 100 && seen.unknown > 100 && seen.datas > 1000 &&
               seen.late > 20,
           "orb: %llu clocks, %u requests, %u timeouts, %u flags, %u responses dropped (%u late), "
           "%u with data",
           (unsigned long long)now, seen.requests, seen.timeouts, seen.flags, seen.unknown,
           seen.late, seen.datas);
    tap_ok(harness_covers("hls/nic/initiator/orb.c") == 6, "all covers are hit");
    return tap_done();
}
