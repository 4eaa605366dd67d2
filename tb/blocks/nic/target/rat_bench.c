// SPDX-License-Identifier: Apache-2.0
/*
 * rat_bench.c - requests as beats, what comes out, the tables.
 */
#include "tb/blocks/nic/target/rat_bench.h"
#include "tb/blocks/nic/target/rat_flags.h"
#include "tb/blocks/nic/target/rat_messages.h"
#include "tb/blocks/nic/target/rat_model.h"
#include "tb/blocks/nic/target/rat_reads.h"
#include "tb/blocks/nic/target/rat_words.h"
#include "tb/golden/nic/nic_amo.h"
#include "tb/models/nic_beats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rat_bench rb;

static unsigned made, sent, context_at, token_at, memory_at, memory_beat, beat_at;

/* Number, command, segment and place of a packet, for the text of a miss. */
static const char *packet_text(unsigned at)
{
    static char text[120];
    const struct request *r = &rb.packets[at].request;

    snprintf(text, sizeof(text), "packet %u (cmd %u, ptag %u, mdh %u, offset %#llx, %u bytes)", at,
             r->cmd, r->ptag, r->mdh, (unsigned long long)r->offset, r->bytes);
    return text;
}

/* ---- requests as beats ---------------------------------------------------------------------------- */

static void put(beat_word *word, unsigned at, uint64_t value)
{
    *word |= (beat_word)value << at;
}

static beat_word head_of(const struct request *r)
{
    beat_word w = 0;

    put(&w, 0, r->cmd);
    put(&w, 4, r->offset & 0x3FFF);
    put(&w, 18, rb.local ? r->tag : r->node);
    put(&w, 38, r->mode);
    put(&w, 48,
        r->cmd == GET     ? r->bytes / 4 - 1
        : is_operation(r) ? r->opcode >> 6
        : is_end(r)       ? r->flags
                          : 0);
    put(&w, 50, r->cmd == GET ? 0 : r->use);
    put(&w, 52, r->offset >> 14 & 0x3F);
    put(&w, 58, r->ptag);
    put(&w, 66, r->src);
    put(&w, 84, r->gen);
    put(&w, 86, r->tag);
    put(&w, 96, r->offset >> 20);
    put(&w, 116, r->mdh);
    put(&w, 128, r->cmd == GET ? 0 : is_operation(r) ? r->opcode & 63 : r->bytes - 1);
    put(&w, 134, rb.local ? r->tag : r->cmd == GET ? 0 : r->ssid << 1 | r->rmt);
    return w;
}

/*
 * A double-bit error in one of its three words, not in the command, which orb is trusted with; as the request says, so that it is the
 * same whenever it is asked for.
 */
static beat_word harmed(beat_word w, const struct request *r)
{
    unsigned word = r->mdh % 3 * 48 + 4, first = (unsigned)r->offset % 44;
    unsigned second = (first + 1 + r->tag % 43) % 44;

    return w ^ (beat_word)1 << (word + first) ^ (beat_word)1 << (word + second);
}

static struct beat beat_of(const struct packet *p, unsigned i)
{
    const struct request *r = &p->request;
    struct beat beat = {.valid = 1,
                        .head = i == 0,
                        .tail = i + 1 == r->beats,
                        .bad = (int)i == r->bad,
                        .word = i == 0 ? head_of(r) : 0};

    if (i != 0) {
        unsigned __int128 word;

        memcpy(&word, r->data + 16 * (i - 1), 16);
        beat.word = word;
    } else if (beat.bad) {
        beat.word = harmed(beat.word, r);
    }
    return beat;
}

static void finish_request(struct request *r)
{
    unsigned payload = r->cmd == GET     ? 0
                       : is_operation(r) ? 16
                                         : r->bytes + (r->cmd == PUT_MSG ? 8 : 0);

    for (unsigned i = 0; i < 64; i++) {
        r->data[i] = (uint8_t)rng_next(&rb.rng);
    }
    rat_messages_draw(r);
    memcpy(&r->event, r->data + (is_end(r) ? 4 : 0), 8);
    memcpy(&r->total, r->data, 4);
    memcpy(&r->flag, r->data + 12, 8);
    r->event &= ((uint64_t)1 << 56) - 1;
    r->beats = 1 + (payload + 15) / 16;
}
void rat_bench_operation(struct request *r, unsigned cmd, unsigned opcode)
{
    r->cmd = cmd;
    r->opcode = opcode;
    r->bytes = gn_amo_of(opcode, cmd == FAMO).wide ? 8 : 4;
}
void rat_bench_queue_request(struct request r)
{
    if (made == MOST) {
        abort();
    }
    finish_request(&r);
    r.bad = r.bad >= (int)r.beats ? -1 : r.bad;
    rb.packets[made++] = (struct packet){.request = r, .outcome = rat_model(&r)};
}

/* ---- what comes out ------------------------------------------------------------------------------- */

/* Writes and events of other nodes in ordered modes keep their place among all accesses. */
static bool queued(const struct request *r)
{
    return !rb.local && r->mode >= 4 && r->cmd != GET && !is_operation(r) && !is_end(r) &&
           !is_reduction(r);
}

/* Not refused: the data of an event may be lost behind its head. */
static bool may_leave(const struct packet *p)
{
    const struct request *r = &p->request;
    bool lost_event = !rat_model_touches(r) && r->bad > 0 && p->outcome.status == 10;

    return !p->outcome.dropped && (p->outcome.status == 0 || lost_event);
}

/* A field of the next context. */
static void check_field(uint64_t seen, uint64_t due, const char *name)
{
    must_equal(&rb.wrong, seen, due, "%s: %s of its context", packet_text(context_at), name);
}

/* What its transaction's count needs. */
static void check_counted(const struct npt_context *c, const struct packet *p)
{
    const struct request *r = &p->request;
    bool counts = r->rmt && !is_operation(r) && r->cmd != GET && rat_model_exists(r);
    bool gives_up = r->cmd == NOTE || (r->cmd == SEND_END && (r->flags & 1) != 0);
    bool message = is_message(r) && r->message.bound && rb.enabled && rat_model_exists(r);
    unsigned kind = gives_up ? 3 : is_end(r) ? 2 : counts ? 1 : 0;

    check_field(c->message, message && r->bad != 0, "message");
    if (message && r->bad != 0) {
        check_field(c->slot, r->message.slot, "entry of its message");
    }
    if (r->bad == 0 || (p->outcome.status != 0 && r->cmd != NOTE && !message)) {
        return; /* nobody counts it; a NOTE that is refused forgets */
    }
    if (is_message(r) && !message) {
        kind = 0;
    }
    check_field(c->kind, rb.local ? 0 : kind, "kind");
    if (kind != 0 && !rb.local) {
        check_field(c->ssid, r->ssid, "ssid");
        check_field(c->use, r->use, "use");
    }
    if (is_end(r) && p->outcome.status == 0) {
        check_field(c->wants, r->flags >> 1 & 1, "event wanted");
        check_field(c->total, r->total, "total");
        check_field(c->flag.wanted, rat_model_flagged(r), "flag wanted");
        check_field(c->flag.value, r->flag, "flag, or immediate word");
    }
    if (p->outcome.status == 0 && rat_model_flagged(r)) {
        check_field(c->flag.mdh, p->outcome.handle, "handle of its flag");
        check_field(c->flag.offset, r->offset, "offset of its flag");
    }
}

static void check_context(void)
{
    const struct npt_context *c = &rb.dut.out.context;

    if (!c->valid) {
        return;
    }
#if NIC_CE
    if (rb.dut.out.refused_word) {
        rat_words_context(c);
        return;
    }
#endif
    if (rb.dut.out.refused_read) {
        rat_reads_context(c);
        return;
    }
    if (rb.dut.out.refused_flag) {
        rat_flags_context(c);
        return;
    }
    while (context_at < made && !rb.packets[context_at].outcome.context) {
        context_at++;
    }
    if (context_at >= sent + (beat_at != 0)) {
        miss(&rb.wrong,
             "a context of tag %u (cmd %u, mode %u), status %u, expected none of the %u packets "
             "that have come",
             (unsigned)c->tag, (unsigned)c->cmd, (unsigned)c->mode, (unsigned)c->status, sent);
        return;
    }
    const struct packet *p = &rb.packets[context_at];
    const struct request *r = &p->request;
    const struct outcome *o = &p->outcome;

    check_field(c->status, o->status, "status");
    check_field(c->read, o->read, "read");
    check_field(c->ready, o->ready, "ready");
    check_field(c->tag, r->tag, "tag");
    if (r->bad != 0) {
        check_field(c->src, r->src, "source");
        check_field(c->gen, r->gen, "generation");
        check_field(c->mode, r->mode, "mode");
        check_field(c->cmd, r->cmd, "command");
        check_field(c->ptag, r->ptag, "ptag");
    }
    check_field(c->queued, may_leave(p) && queued(r), "queued");
    check_counted(c, p);
    if (o->status == 0 && (r->cmd == PUT_MSG || r->cmd == CQWRITE || is_end(r))) {
        check_field(c->event, o->event, "event");
        check_field(c->queue, o->queue, "queue of its event");
    }
    context_at++;
}

/* An event whose turn must be told: none before it is still to leave. */
static void check_token(void)
{
    if (!rb.dut.out.token) {
        return;
    }
    while (token_at < made &&
           !(may_leave(&rb.packets[token_at]) && rb.packets[token_at].request.cmd == CQWRITE &&
             queued(&rb.packets[token_at].request))) {
        token_at++;
    }
    unsigned m = memory_at;

    while (m < made && !rb.packets[m].outcome.memory) {
        m++;
    }
    must(
        &rb.wrong, token_at < sent + (beat_at != 0) && m >= token_at && memory_beat == 0,
        "a token, expected the next one for packet %u, when memory has all before it: it waits for "
        "beat %u of packet %u; %u have come",
        token_at, memory_beat, m, sent);
    token_at++;
    rb.tokens++;
}

/* What had left the queue when the mark came has been decided when it leaves. */
static void watch_mark(const struct rat_in *in, bool go, bool decided)
{
    rb.decided += decided;
    rb.popped += go && rb.dut.asked.valid && rb.dut.asked.head;
    if (in->mark) {
        rb.mark_due = rb.popped;
        rb.marking = true;
    }
    if (rb.dut.out.marked) {
        must(&rb.wrong, rb.marking, "a mark leaves, expected none, as none came");
        must_at_least(&rb.wrong, rb.decided, rb.mark_due, "heads decided when a mark leaves");
    }
    rb.marks += rb.dut.out.marked;
    rb.marking = rb.marking && !rb.dut.out.marked;
}

static void check_memory_head(const struct packet *p, const struct beat *beat)
{
    const struct request *r = &p->request;
    beat_word want = rb.local ? 2 : 0;

    put(&want, 4, rb.local ? r->tag : is_operation(r) ? r->use << 9 | r->ssid : queued(r));
    put(&want, 16, r->bytes - 1);
    put(&want, 22, r->cmd != GET);
    put(&want, 28, (r->cmd == GET || is_operation(r)) && r->mode >= 4);
    put(&want, 23, p->outcome.space);
    put(&want, 29, r->cmd == PUT_MSG);
    put(&want, 48, p->outcome.address);
    if (is_operation(r)) {
        put(&want, 96, (uint64_t)r->mode << 30 | r->gen << 28 | r->tag << 18 | r->src);
        put(&want, 129, r->rmt);
        put(&want, 130, r->opcode);
        put(&want, 137, r->cmd == FAMO);
    }
    if (is_reduction(r)) {
        want = head_of(r); /* as it came */
    }
    const struct beat due = {.valid = 1, .head = 1, .tail = r->cmd == GET, .word = want};

    must_beat(&rb.wrong, beat, &due, "%s: head of its access", packet_text(memory_at));
}

static void check_memory(void)
{
    const struct beat *beat = &rb.dut.out.memory;

    if (!beat->valid) {
        return;
    }
    if (rb.local && (rat_words_inside() || (beat->head && (beat->word >> 15 & 1)))) {
        rat_words_memory(beat);
        must_equal(&rb.wrong, memory_beat, 0, "data of a write that a word comes between");
        return;
    }
    if (rb.local && beat->head && !(beat->word >> 22 & 1)) {
        rat_reads_memory(beat);
        must_equal(&rb.wrong, memory_beat, 0, "data of a write that a read comes between");
        return;
    }
    if (memory_beat == 0 && rb.local && rat_flags_memory(beat)) {
        return;
    }
    while (memory_at < made && !rb.packets[memory_at].outcome.memory) {
        memory_at++;
    }
    if (memory_at >= sent + (beat_at != 0)) {
        miss(&rb.wrong, "%s goes to memory, expected nothing of %u packets that came",
             nic_word_text(beat->word), sent);
        return;
    }
    const struct packet *p = &rb.packets[memory_at];

    must_equal(&rb.wrong, rb.dut.out.queued, queued(&p->request), "%s: its write is queued",
               packet_text(memory_at));
    must_equal(&rb.wrong, rb.dut.out.atomic, is_operation(&p->request),
               "%s: it goes to the atomic unit", packet_text(memory_at));
#if NIC_CE
    must_equal(&rb.wrong, rb.dut.out.collective, is_reduction(&p->request),
               "%s: it goes to the collective engines", packet_text(memory_at));
#endif
    if (memory_beat == 0) {
        check_memory_head(p, beat);
    } else {
        struct beat want = beat_of(p, memory_beat);

        must_beat(&rb.wrong, beat, &want, "%s: data beat %u of its access", packet_text(memory_at),
                  memory_beat);
    }
    memory_beat = beat->tail ? 0 : memory_beat + 1;
    memory_at += beat->tail;
}

/* ---- a clock -------------------------------------------------------------------------------------- */

static struct nic_write table_write;

static struct nic_write segment_words(unsigned i)
{
    const struct segment *s = &rb.segments[i];

    return (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x8000 + 2 * i + 1),
        .low = s->base | (uint64_t)s->tc << 48 | (uint64_t)s->read << 52 |
               (uint64_t)s->write << 53 | (uint64_t)s->atomic << 54 | (uint64_t)s->mmu << 55 |
               (uint64_t)s->event << 56 | (uint64_t)s->valid << 58,
        .data = (s->length & (((uint64_t)1 << 40) - 1)) | (uint64_t)s->ptag << 40 |
                (uint64_t)s->queue << 48,
    };
}

/* Of the first packets so many have all that must come of them behind them. */
static bool out_of(unsigned packets)
{
    unsigned c = context_at, m = memory_at;

    while (c < packets && !rb.packets[c].outcome.context) {
        c++;
    }
    while (m < packets && !rb.packets[m].outcome.memory) {
        m++;
    }
    return c >= packets && m >= packets;
}

static void step(void)
{
    if (rb.rewrites && rng_below(&rb.rng, 16) == 0) {
        table_write = segment_words(rng_below(&rb.rng, MDDS));
    }

    struct rat_in in = {
        .is_local = rb.local,
        .client = rb.local ? 2 : 0,
        .room_memory = rng_chance(&rb.rng, rb.memory_share),
        .room_read = rng_chance(&rb.rng, rb.context_share * rb.read_share),
        .room_write = rng_chance(&rb.rng, rb.context_share),
        .room_atomic = rng_chance(&rb.rng, rb.atomic_share),
        .room_queued = rng_chance(&rb.rng, rb.queued_share),
        .mark = !rb.marking && rng_below(&rb.rng, 32) == 0,
        .found = rat_messages_drive(),
        .write = table_write,
        .config = {.ready = 1,
                   .enable = rb.enabled,
                   .node = NODE,
                   .phys_base = (u48)rb.phys_base,
                   .phys_size = (u48)rb.phys_size},
    };

    if (sent < made && (beat_at != 0 || (rb.dut.out.room && rng_chance(&rb.rng, rb.begin_share)))) {
        if (rb.gapless || beat_at == 0 || rng_below(&rb.rng, 8) != 0) {
            in.request = beat_of(&rb.packets[sent], beat_at++);
            if (in.request.tail) {
                beat_at = 0;
                sent++;
            }
        }
    }
    in.read = rat_reads_drive();
#if NIC_CE
    in.room_collective = rng_chance(&rb.rng, rb.collective_share);
    in.word = rat_words_drive();
#endif
    in.flag = rat_flags_drive();
    bool go = in.room_memory && !in.write.valid;
    bool decided = go && rb.dut.placed.valid && rb.dut.placed.head;

    rat(&rb.dut, &in);
    watch_mark(&in, go, decided);
    check_token();
    table_write.valid = 0;
    rb.now++;
    check_context();
    check_memory();
    rat_reads_step();
#if NIC_CE
    rat_words_step();
#endif
    rat_flags_step();
    rat_messages_step(rb.packets, made);
    must(&rb.wrong, !rb.dut.out.idle || beat_at != 0 || out_of(sent),
         "idle, expected busy: the next context is of packet %u, the next access of %u, %u have "
         "come",
         context_at, memory_at, sent);
    for (unsigned i = 0; i < RAT_COUNTS; i++) {
        rb.counted[i] += (unsigned)rb.dut.out.count >> i & 1;
    }
}

static bool all_out(void)
{
    return sent == made && out_of(made) && rat_reads_done() && rat_words_done() && rat_flags_done();
}
void rat_bench_clocks(unsigned clocks)
{
    for (unsigned i = 0; i < clocks; i++) {
        step();
    }
}
bool rat_bench_stands_behind(unsigned packets)
{
    return out_of(packets) && context_at <= packets && memory_at <= packets && memory_beat == 0;
}
void rat_bench_run(void)
{
    for (unsigned i = 0; i < 1000000 && !(all_out() && rb.dut.out.idle); i++) {
        step();
    }
    for (unsigned i = 0; i < 10; i++) {
        step();
    }
    must(&rb.wrong, all_out(),
         "contexts end before packet %u, accesses before packet %u, expected all of %u", context_at,
         memory_at, made);
    must(&rb.wrong, rb.dut.out.idle, "not idle in the end");
    for (unsigned i = RAT_LOST; i < RAT_COUNTS; i++) {
        must_equal(&rb.wrong, rb.counted[i], rb.expected[i], "bit %u of rat's counts", i);
    }
    made = sent = context_at = token_at = memory_at = memory_beat = beat_at = 0;
    rat_reads_begin();
    rat_words_begin();
    rat_flags_begin();
    rat_messages_begin();
}

/* ---- tables --------------------------------------------------------------------------------------- */
void rat_bench_write_segment(unsigned i)
{
    table_write = segment_words(i);
    step();
}
void rat_bench_write_block(unsigned i)
{
    const struct block *b = &rb.blocks[i];

    table_write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x800 + i),
        .data = b->base | (uint64_t)b->size << 12 | (uint64_t)b->valid << 24,
    };
    step();
}
void rat_bench_reset(bool is_local)
{
    rb.local = is_local;
    rb.enabled = true;
    rb.phys_base = 0;
    rb.phys_size = ((uint64_t)1 << 48) - 1;
    rb.begin_share = rb.memory_share = rb.context_share = 1;
    rb.read_share = rb.atomic_share = rb.queued_share = rb.collective_share = 1;
    rb.bad_share = 0;
    rb.gapless = false;
    rb.wrong = (struct misses){0};
    made = sent = context_at = token_at = memory_at = memory_beat = beat_at = 0;
    rat_reads_begin();
    rat_words_begin();
    rat_flags_begin();
    rat_messages_begin();
    rb.popped = rb.decided = rb.mark_due = 0;
    rb.marking = false;
    memset(rb.counted, 0, sizeof(rb.counted));
    memset(rb.expected, 0, sizeof(rb.expected));
    memset(rb.segments, 0, sizeof(rb.segments));
    memset(rb.blocks, 0, sizeof(rb.blocks));
    rat_reset(&rb.dut);
}
void rat_bench_begin(bool is_local)
{
    rat_bench_reset(is_local);
    for (unsigned i = 0; i < 8192; i++) {
        struct rat_in in = {.is_local = is_local, .wipe = {.valid = 1, .index = (u13)i}};

        rat(&rb.dut, &in);
        rb.now++;
    }
    rat(&rb.dut, &(struct rat_in){.is_local = is_local}); /* what begins now is still dropped */
    rb.now++;
}
struct request rat_bench_plain(unsigned cmd)
{
    struct request r = {.cmd = cmd,
                        .bytes = cmd == CQWRITE                                 ? 8
                                 : cmd == END || cmd == NOTE || cmd == SEND_END ? 20
                                                                                : 16,
                        .ptag = 3,
                        .mdh = 5,
                        .node = NODE,
                        .src = rng_below(&rb.rng, 1 << 18),
                        .tag = rng_below(&rb.rng, 1 << 10),
                        .gen = rng_below(&rb.rng, 4),
                        .mode = rng_below(&rb.rng, 7),
                        .offset = 64,
                        .bad = -1};

    if (is_operation(&r)) {
        rat_bench_operation(&r, cmd, 0x54 + rng_below(&rb.rng, 2)); /* IADD of 4 bytes, or 8 */
    }
    return r;
}
