// SPDX-License-Identifier: Apache-2.0
/*
 * fma_bench.c - what is stored, the packets that must come of it, and the neighbours.
 */
#include "tb/blocks/nic/initiator/fma_bench.h"

#include <stdio.h>
#include <string.h>

uint64_t fma_bench_now;

/* ---- what is stored ----------------------------------------------------------------------------- */

void fma_bench_set_word(struct line *l, unsigned at, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++) {
        l->byte[(at + i) % 64] = (uint8_t)(word >> 8 * i);
    }
}

static uint64_t draw_control(struct bench *b)
{
    uint64_t word = rng_next(&b->rng) & 0x0FFFFFFFFFFFFFFF;

    word &= rng_below(&b->rng, 8) != 0 ? ~(uint64_t)3 : ~(uint64_t)0;
    if (rng_below(&b->rng, 2) != 0) {
        word &= ~((uint64_t)0x7F << 44);
    }
    return word;
}

static uint64_t draw_modes(struct bench *b)
{
    static const unsigned common[8] = {0, 0, 0, 1, 1, 0x49, 0x08, 0x0D};
    uint64_t word = rng_next(&b->rng) & ~((uint64_t)0xFF << 40);
    uint64_t command =
        rng_below(&b->rng, 2) != 0 ? common[rng_below(&b->rng, 8)] : rng_below(&b->rng, 128);

    return word | command << 40 | (uint64_t)(rng_below(&b->rng, 8) == 0) << 47;
}

/* One word of a page, LAUNCH, or BASE and MODES. */
static void draw_page(struct bench *b, struct line *l)
{
    static const unsigned often[] = {0, 1, 3, 4,  5,  6,  7,  8,  8,  8, 8,
                                     8, 9, 9, 10, 11, 13, 16, 24, 24, 24};
    unsigned word = rng_below(&b->rng, 20) == 0
                        ? rng_below(&b->rng, 512)
                        : often[rng_below(&b->rng, sizeof often / sizeof often[0])];
    unsigned at = word % 8 * 8;

    l->region = FMA_PAGE;
    l->base = word / 8 * 64;
    l->first[0] = at;
    l->bytes[0] = 8;
    if (word == 1) {
        fma_bench_set_word(l, at, draw_modes(b));
    } else if (word == 0 && rng_below(&b->rng, 2) == 0) { /* BASE and MODES in one */
        l->bytes[0] = 16;
        fma_bench_set_word(l, at + 8, draw_modes(b));
    } else if (word == 3 && rng_below(&b->rng, 2) != 0) { /* bytes of a transfer */
        fma_bench_set_word(l, at, rng_next(&b->rng) >> (30 + rng_below(&b->rng, 30)));
    } else if (word == 13 || word == 8) {
        fma_bench_set_word(l, at, rng_next(&b->rng));
    } else if (word == 24) {
        l->bytes[0] = rng_below(&b->rng, 20) == 0 ? 8 : 16;
        uint64_t global =
            rng_next(&b->rng) & (rng_below(&b->rng, 4) != 0 ? ~(uint64_t)7 : ~(uint64_t)0);

        fma_bench_set_word(l, at, global);
        fma_bench_set_word(l, at + 8, draw_control(b));
    }
    if (rng_below(&b->rng, 30) == 0) {
        l->first[0] += rng_below(&b->rng, 8);
        l->bytes[0] = 1 + rng_below(&b->rng, 8 - l->first[0] % 8);
    }
    l->read = rng_below(&b->rng, 12) == 0;
    if (l->read && rng_below(&b->rng, 4) != 0) {
        l->base = 128;
        l->first[0] = 0;
    }
}

static void draw_window(struct bench *b, struct line *l)
{
    l->region = rng_below(&b->rng, 2) != 0 ? FMA_PUT : FMA_GET;
    l->base = rng_next(&b->rng) % (1u << NIC_WINDOW_LOG2) & ~(uint64_t)63;
    l->runs = 1 + rng_below(&b->rng, 3);
    for (unsigned n = 0, at = 0; n < l->runs; n++) {
        unsigned space = 64 - at - 4 * (l->runs - 1 - n);

        l->first[n] = at + rng_below(&b->rng, space);
        l->bytes[n] = 1 + rng_below(&b->rng, space - (l->first[n] - at));
        if (l->region == FMA_GET || rng_below(&b->rng, 3) == 0) {
            unsigned wide = rng_below(&b->rng, 4) == 0 ? 16 : 8;

            l->first[n] &= rng_below(&b->rng, 16) != 0 ? ~7u : ~0u;
            l->first[n] = l->first[n] < at ? at : l->first[n];
            l->bytes[n] =
                l->first[n] + wide <= 64 - 4 * (l->runs - 1 - n) && rng_below(&b->rng, 16) != 0
                    ? wide
                    : l->bytes[n];
        }
        if (l->region == FMA_GET && l->first[n] % 8 == 0) {
            fma_bench_set_word(l, l->first[n], draw_control(b));
        }
        at = l->first[n] + l->bytes[n] + 1;
        if (at + 8 >= 64) {
            l->runs = n + 1;
        }
    }
}

void fma_bench_draw_any(struct bench *b, struct line *l)
{
    l->unit =
        rng_below(&b->rng, 16) == 0 ? rng_below(&b->rng, NIC_FMAS) : rng_below(&b->rng, b->units);
    l->runs = 1;
    if (rng_below(&b->rng, 2) != 0) {
        draw_page(b, l);
    } else {
        draw_window(b, l);
    }
}

void fma_bench_draw(struct bench *b, struct line *l)
{
    memset(l, 0, sizeof *l);
    for (unsigned i = 0; i < 64; i++) {
        l->byte[i] = (uint8_t)rng_next(&b->rng);
    }
    b->draw(b, l);
}

/* ---- packets ------------------------------------------------------------------------------------ */

static void copy_beat(uint8_t byte[18], beat_word word)
{
    for (unsigned i = 0; i < 18; i++) {
        byte[i] = (uint8_t)(word >> 8 * i);
    }
}

static void compare(struct bench *b, const struct fma_model_packet *p, bool abort)
{
    must_equal(&b->wrong, b->seen.join, p->join, "packet %u is for ce", b->out_at);
    for (unsigned i = 0; i < p->beats; i++) {
        for (unsigned k = 0; k < 18; k++) {
            if (p->beat[i][k] != b->seen.beat[i][k]) {
                miss(&b->wrong, "cmd %u%s beat %u byte %u: %02x, expected %02x", p->beat[0][0] & 15,
                     abort ? " (abort)" : "", i, k, b->seen.beat[i][k], p->beat[i][k]);
                return;
            }
        }
    }
    if (p->beats != b->seen.beats) {
        miss(&b->wrong, "cmd %u: %u beats, expected %u", p->beat[0][0] & 15, b->seen.beats,
             p->beats);
    }
}

static void packet_ends(struct bench *b)
{
    const struct fma_model_packet *s = &b->seen;
    const unsigned channel = (unsigned)(s->beat[0][16] >> 7 | s->beat[0][17] << 1) & 127;
    const unsigned tag = (unsigned)(s->beat[0][10] >> 6 | s->beat[0][11] << 2) & 127;
    unsigned cmd = s->beat[0][0] & 15, unit = s->join ? tag : channel;
    bool abort = cmd == 15 && (s->beat[2][5] >> 6 & 1) != 0;
    struct fma_model_packet *e = &b->expected[b->out_at % EXPECTED];

    b->packets++;
    b->kinds[cmd]++;
    if (abort) {
        if (b->aborted[unit] == 0) {
            miss(&b->wrong, "abort of descriptor %u, which had nothing open", unit);
            return;
        }
        compare(b, &b->aborts[unit][0], true);
        b->aborts[unit][0] = b->aborts[unit][1];
        b->aborted_at[unit][0] = b->aborted_at[unit][1];
        b->aborted[unit]--;
        b->aborts_seen++;
    } else if (b->out_at == b->in_at) {
        miss(&b->wrong, "packet %u of descriptor %u, cmd %u: expected %u packets", b->out_at, unit,
             cmd, b->in_at);
        return;
    } else {
        if (b->aborted[unit] != 0 && b->out_at >= b->aborted_at[unit][0]) {
            miss(&b->wrong, "descriptor %u goes on before what it had open is aborted", unit);
        }
        compare(b, e, false);
        b->out_at++;
    }
    if (cmd == 15) {
        b->note[b->notes].unit = unit;
        b->note[b->notes++].at = fma_bench_now + rng_below(&b->rng, 200);
    }
}

/* A beat for tarb, or for ce. */
static const struct beat *beat_of(const struct bench *b, bool *join)
{
#if NIC_CE
    *join = b->dut.out.join.valid;
    return *join ? &b->dut.out.join : &b->dut.out.beat;
#else
    *join = false;
    return &b->dut.out.beat;
#endif
}

static void collect(struct bench *b)
{
    bool join;
    const struct beat *beat = beat_of(b, &join);

    if (!beat->valid) {
        return;
    }
    must(&b->wrong, !join || !b->dut.out.beat.valid, "beats for tarb and for ce in one clock");
    b->seen.join = join;
    if (beat->head != (b->seen.beats == 0) || b->seen.beats == 5 || beat->bad) {
        miss(&b->wrong, "packet %u, beat %u: head %u bad %u, expected %u 0, 5 beats at most",
             b->out_at, b->seen.beats, (unsigned)beat->head, (unsigned)beat->bad,
             b->seen.beats == 0);
        b->seen.beats = 0;
    }
    copy_beat(b->seen.beat[b->seen.beats++], beat->word);
    if (beat->tail) {
        packet_ends(b);
        b->seen.beats = 0;
    }
}

/* Two words of a transfer; the bench is its channel. */
static void collect_words(struct bench *b)
{
    const struct launch_words *w = &b->dut.out.launch;
    const struct fma_model_packet *e = &b->expected[b->out_at % EXPECTED];

    if (!w->valid) {
        return;
    }
    if (b->out_at == b->in_at || !e->transfer || b->seen.beats != 0) {
        miss(&b->wrong, "words of a transfer of descriptor %u, expected none", (unsigned)w->unit);
        return;
    }
    must_equal(&b->wrong, w->beat, b->words, "beat of a transfer");
    must_equal(&b->wrong, w->channel, e->channel, "channel of a transfer");
    must_equal(&b->wrong, w->unit, e->unit, "descriptor of a transfer");
    for (unsigned i = 0; i < 16; i++) {
        must_equal(&b->wrong, (uint8_t)(w->data >> 8 * i), e->beat[b->words][i],
                   "transfer, words %u, byte %u", 2 * b->words, i);
    }
    b->words = (b->words + 1) % 4;
    if (b->words == 0) {
        b->out_at++;
        b->transfers++;
        b->launched[b->launches].unit = (unsigned)w->unit;
        b->launched[b->launches++].at = fma_bench_now + rng_below(&b->rng, 200);
    }
}

/* ---- neighbours --------------------------------------------------------------------------------- */

/* What the descriptor had open is to be aborted, before anything that it is asked from now on. */
static void expect_abort(struct bench *b, unsigned unit, const struct fma_model_packet *p)
{
    if (p->beats != 0) {
        must(&b->wrong, b->aborted[unit] < 2, "a third abort of descriptor %u", unit);
        b->aborts[unit][b->aborted[unit] != 0] = *p;
        b->aborted_at[unit][b->aborted[unit] != 0] = b->in_at;
        b->aborted[unit]++;
    }
}

/* The run that stands there was taken in the call that is over. */
static void taken(struct bench *b)
{
    struct line *l = &b->line[0];
    unsigned first = l->first[l->asked];
    struct fma_model_packet p;
    uint64_t data = 0;
    bool refused;

    if (l->read) {
        refused = fma_model_read(&b->model, l->unit, (unsigned)(l->base + first) / 8, &data);
        b->reads++;
        p.beats = 0;
    } else if (b->in.run.shut) {
        refused = fma_model_shut(&b->model, l->unit, &p);
        expect_abort(b, l->unit, &p);
        b->refused++;
        p.beats = 0;
    } else {
        const struct fma_descriptor *d = &b->model.d[l->unit];
        unsigned errors = d->errors, drops = d->dropped;
        unsigned opcode = (unsigned)(d->word[1] >> 40) & 127;

        refused = fma_model_run(&b->model, l->unit, l->region, l->base + first, l->byte + first,
                                l->bytes[l->asked], &p);
        b->refused += d->dropped != drops;
        for (unsigned i = 0; i < 5; i++) {
            b->errors[i] += (d->errors & ~errors) >> i & 1;
        }
        if (p.beats != 0 && !p.transfer && !p.join) {
            b->modes[d->word[1] >> 24 & 7]++;
            b->opcode[0][(p.beat[0][0] & 15) == 2 ? opcode : 0]++;
            b->opcode[1][(p.beat[0][0] & 15) == 3 ? (p.beat[0][16] & 63u) | (p.beat[0][6] & 1u) << 6
                                                  : 0]++;
        }
        if (l->region == FMA_PAGE && l->base == 128 && first == 0 && l->bytes[0] == 8 &&
            d->enabled) {
            b->cleared_at[l->unit] = fma_bench_now;
        }
    }
    if (b->dut.out.answer.refused != refused || (!refused && b->dut.out.answer.data != data)) {
        miss(&b->wrong, "descriptor %u %s %llx: answer %u %llx, expected %u %llx", l->unit,
             l->read ? "read" : "write", (unsigned long long)l->base + first,
             (unsigned)b->dut.out.answer.refused, (unsigned long long)b->dut.out.answer.data,
             refused, (unsigned long long)data);
    }
    b->slverr += refused;
    if (p.beats != 0) {
        b->expected[b->in_at++ % EXPECTED] = p;
    }
    b->presented = false;
    if (++l->asked == l->runs) {
        b->slot = (b->slot + !l->read) % 4;
        *l = b->line[1];
        if (b->quiet) {
            memset(&b->line[1], 0, sizeof b->line[1]);
        } else {
            fma_bench_draw(b, &b->line[1]);
        }
    }
}

/* Chunks of the line in front, then of the next one; then its run stands. */
static void play_pio(struct bench *b)
{
    struct line *l = &b->line[0];
    unsigned slot = b->slot;

    b->in.chunk.valid = 0;
    b->in.run.valid = b->presented;
    if (l->runs != 0 && l->chunks == 4 && !b->presented && rng_chance(&b->rng, b->ask)) {
        uint64_t at = l->base + l->first[l->asked];

        b->in.run = (struct pio_run){
            .valid = 1,
            .read = l->read,
            .region = (u2)l->region,
            .unit = (fma_index)l->unit,
            .offset = (fma_offset)at,
            .bytes = (u6)(l->bytes[l->asked] - 1),
            .line = (pio_line)b->slot,
            .shut = !l->read && rng_chance(&b->rng, b->shut),
        };
        b->presented = true;
    }
    if (l->chunks == 4) {
        slot = (slot + !l->read) % 4;
        l = &b->line[1];
    }
    if (l->runs != 0 && l->chunks < 4) {
        unsigned chunk = l->chunks++;

        if (!l->read) {
            b->in.chunk.valid = 1;
            b->in.chunk.place = (pio_place)(slot << 2 | chunk);
            b->in.chunk.data = 0;
            for (unsigned i = 0; i < 16; i++) {
                b->in.chunk.data |= (beat_data)l->byte[16 * chunk + i] << 8 * i;
            }
        }
    }
}

static void play_ssid(struct bench *b)
{
    b->in.note = (struct channel_note){
        .valid = rng_below(&b->rng, 8) == 0,
        .channel = (nic_channel)(1 << 7 | rng_below(&b->rng, 128)),
        .failed = 1,
    };
    for (unsigned i = 0; i < b->notes; i++) {
        if (b->note[i].at <= fma_bench_now && fma_bench_now > b->cleared_at[b->note[i].unit] + 4) {
            b->in.note = (struct channel_note){
                .valid = 1,
                .channel = (nic_channel)b->note[i].unit,
                .failed = rng_below(&b->rng, 8) == 0,
            };
            b->note[i] = b->note[--b->notes];
            return;
        }
    }
}

/* Channels where transfers may be launched, as they were when the run that is looked at was taken; a transfer is over until nic_fma has heard. */
static void play_bte(struct bench *b)
{
    if (!b->dut.taken.valid && rng_below(&b->rng, 50) == 0) {
        b->in.launch.open = (u4)(rng_next(&b->rng) | rng_next(&b->rng));
        b->in.launch.free = (u4)(rng_next(&b->rng) | rng_next(&b->rng));
        b->model.launch_open = (unsigned)b->in.launch.open;
        b->model.launch_free = (unsigned)b->in.launch.free;
    }
    for (unsigned i = 0; i < b->launches && !b->in.launched.valid; i++) {
        if (b->launched[i].at <= fma_bench_now &&
            fma_bench_now > b->cleared_at[b->launched[i].unit] + 4) {
            b->in.launched = (struct launch_note){
                .valid = 1,
                .unit = (u7)b->launched[i].unit,
                .failed = rng_below(&b->rng, 8) == 0,
            };
            b->launched[i] = b->launched[--b->launches];
        }
    }
}

/* nic_fma has heard of it in this clock. */
static void hear_bte(struct bench *b)
{
    if (b->dut.out.launched_taken) {
        const unsigned unit = (unsigned)b->in.launched.unit;

        must_hold(&b->wrong, b->in.launched.valid);
        fma_model_note(&b->model, unit,
                       b->in.launched.failed && b->cleared_at[unit] != fma_bench_now);
        b->told = true;
    } else if (b->told) {
        b->in.launched.valid = 0;
        b->told = false;
    }
}

static uint64_t draw_part(struct bench *b)
{
    uint64_t base = rng_below(&b->rng, 1u << NIC_NTT_LOG2), size = rng_next(&b->rng) & 0x3FFFF;
    uint64_t granularity = rng_below(&b->rng, 8);

    if (rng_below(&b->rng, 2) != 0) {
        base = 0;
        size >>= rng_below(&b->rng, 18);
    }
    return (rng_next(&b->rng) & 0xFF) | base << 8 | size << 21 | granularity << 39 |
           (uint64_t)(1 + rng_below(&b->rng, 6)) << 42 | (uint64_t)rng_below(&b->rng, 2) << 51 |
           (uint64_t)rng_below(&b->rng, 16) << 52 | (uint64_t)rng_below(&b->rng, 2) << 56 |
           (uint64_t)(rng_below(&b->rng, 5) != 0) << 57;
}

static void play_driver(struct bench *b)
{
    unsigned unit = rng_below(&b->rng, b->units);
    bool repair = !b->model.d[unit].enabled && rng_below(&b->rng, 100) == 0;

    b->in.write.valid = 0;
    if (fma_bench_now < b->written_at + 4 || !(repair || rng_chance(&b->rng, b->driver))) {
        return;
    }
    b->in.write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x1000 + 4 * unit),
        .data = draw_part(b),
    };
    const bool torn = b->in.run.valid && b->in.run.shut && b->in.run.unit == unit;

    if (b->aborted[unit] != 0 || torn) {
        b->in.write.data &= ~((uint64_t)1 << 57); /* not given to another one before that */
    }
    if (rng_below(&b->rng, 8) == 0) {
        b->in.write.addr = (u16)(rng_below(&b->rng, 2) != 0 ? 0x2000 + 4 * unit
                                                            : 0x800 + unit); /* of another block */
    }
    b->written_at = fma_bench_now;
}

void fma_bench_step(struct bench *b)
{
    const bool waits = b->dut.write.valid;
    const struct fma_part write = b->dut.write;

    play_pio(b);
    play_ssid(b);
    play_bte(b);
    play_driver(b);
    b->in.room = rng_chance(&b->rng, b->room);
#if NIC_CE
    b->in.room_join = rng_chance(&b->rng, b->room);
#endif
    nic_fma(&b->dut, &b->in);
    if (b->dut.out.answer.valid) {
        taken(b);
    }
    if (waits && (!b->dut.write.valid || b->in.write.valid)) {
        struct fma_model_packet p;

        fma_model_driver(&b->model, write.unit, (uint64_t)write.data, &p);
        expect_abort(b, write.unit, &p);
    }
    if (b->in.note.valid && b->in.note.channel >> 7 == 0) {
        const unsigned unit = (unsigned)b->in.note.channel & 127;

        /* STATUS is cleared two clocks after its write was taken */
        fma_model_note(&b->model, unit, b->in.note.failed && b->cleared_at[unit] != fma_bench_now);
    }
    hear_bte(b);
    /* BEAT_ROOM more fit than what tarb had when it said so */
    b->sent = b->in.room ? b->sent_before : b->sent;
    b->sent_before = b->dut.out.beat.valid;
    b->sent += b->dut.out.beat.valid;
    if (b->sent > BEAT_ROOM) {
        miss(&b->wrong, "%u beats without room, expected %d at most", b->sent, BEAT_ROOM);
    }
    collect(b);
    collect_words(b);
    for (unsigned i = 0; i < FMA_COUNTS; i++) {
        b->counted[i] += (u1)(b->dut.out.count >> i);
    }
    fma_bench_now++;
}
