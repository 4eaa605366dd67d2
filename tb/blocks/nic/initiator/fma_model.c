// SPDX-License-Identifier: Apache-2.0
/* fma_model.c - FMA descriptors as hls/nic/PROGRAMMING.md has them. */
#include "tb/blocks/nic/initiator/fma_model.h"

#include <string.h>

enum { NO_ID = 1, NOT_OPEN = 2, COMMAND = 4, ALIGNMENT = 8, DISABLED = 16, FAILED = 32 };
enum { GET = 0, PUT = 1, AMO = 2, FAMO = 3, PUT_MSG = 4, CQWRITE = 5, OPEN = 14, CLOSE = 15 };

/* Bits from, from + 1 ... of a number. */
static uint64_t bits(uint64_t word, unsigned from, unsigned width)
{
    return word >> from & (width == 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1);
}

static void put(uint8_t *beat, unsigned at, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++) {
        beat[(at + i) / 8] &= (uint8_t)~(1u << (at + i) % 8);
        beat[(at + i) / 8] |= (uint8_t)((value >> i & 1) << (at + i) % 8);
    }
}

static uint64_t number(const uint8_t *byte, unsigned n)
{
    uint64_t value = 0;

    while (n-- > 0) {
        value = value << 8 | byte[n];
    }
    return value;
}

/* ---- opcodes, one by one ------------------------------------------------------------------------ */

struct amo {
    bool exists, wide, two;
};

static struct amo amo_of(unsigned opcode, bool fetch)
{
    static const unsigned bases[12] = {0x00, 0x02, 0x04, 0x06, 0x08, 0x0A,
                                       0x10, 0x12, 0x14, 0x18, 0x1A, 0x1C};
    struct amo a = {0};

    for (unsigned cached = 0; cached < 2; cached++) {
        for (unsigned i = 0; i < 6; i++) {
            if (opcode == 0x08 + 0x10 * cached + i && (fetch || i < 5)) {
                a = (struct amo){.exists = true, .wide = true, .two = i >= 4};
            }
        }
        for (unsigned i = 0; i < 12; i++) {
            for (unsigned wide = 0; wide < 2; wide++) {
                if (opcode == 0x40 + 0x20 * cached + bases[i] + wide) {
                    a = (struct amo){true, wide != 0, bases[i] == 0x08 || bases[i] == 0x0A};
                }
            }
        }
    }
    return a;
}

/* ---- packets ------------------------------------------------------------------------------------ */

struct head {
    unsigned cmd, x, z, mdh;
    uint64_t global; /* PE, and offset if it has one */
    uint64_t offset;
    bool placed;     /* offset is that of global */
    bool translated; /* if the descriptor's PEs are virtual */
};

static void put_head(const struct fma_model *m, unsigned unit, const struct head *h,
                     struct fma_model_packet *p)
{
    static const unsigned begins[8] = {40, 35, 21, 12, 10, 9, 8, 6};
    const struct fma_descriptor *d = &m->d[unit];
    unsigned begin = begins[bits(d->word[1], 24, 3)], at = 0;
    uint64_t pe = 0, offset = 0;
    uint8_t *b = p->beat[0];

    for (unsigned i = 0; i < 58; i++) {
        uint64_t bit = h->global >> i & 1;

        if (i >= begin && i < begin + 18) {
            pe |= bit << (i - begin);
        } else {
            offset |= bit << at++;
        }
    }
    offset = h->placed ? offset : h->offset;
    put(b, 0, 4, h->cmd);
    put(b, 4, 14, offset);
    put(b, 52, 6, offset >> 14);
    put(b, 96, 20, offset >> 20);
    put(b, 18, 18, pe);
    put(b, 38, 3, bits(d->word[1], 27, 3));
    put(b, 48, 4, h->x);
    put(b, 58, 8, d->ptag);
    put(b, 116, 12, h->mdh);
    put(b, 128, 6, h->z);
    put(b, 135, 9, unit); /* kind 0 above */
    put(b, 134, 1, h->cmd == 15);
    put(b, 86, 1, h->cmd == 15);
    put(b, 87, 7, unit);
    put(b, 41, 7, unit);
    if (d->ntt && h->translated) {
        uint64_t index = d->base + (pe >> d->granularity);

        put(b, 66, 3, d->granularity);
        put(b, 69, 13, index);
        put(b, 82, 1, pe >= d->size || index >= m->ntt_entries);
        put(b, 83, 1, 1);
    }
}

static void put_payload(struct fma_model_packet *p, const uint8_t *byte, unsigned n)
{
    p->beats = 1;
    for (unsigned i = 0; i < n; i++) {
        p->beat[1 + i / 16][i % 16] = byte[i];
        p->beats = 2 + i / 16;
    }
}

static void put_close(const struct fma_model *m, unsigned unit, uint64_t word, bool aborted,
                      struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    bool event = bits(word, 58, 1) != 0, flag = bits(word, 59, 1) != 0;
    struct head h = {
        .cmd = CLOSE,
        .x = 2u * event + flag,
        .z = 19,
        .mdh = (unsigned)bits(d->word[1], 0, 12),
        .global = d->word[0],
        .offset = flag ? bits(d->word[4], 0, 40) : 0,
        .translated = event || flag,
    };

    put_head(m, unit, &h, p);
    put(p->beat[1], 32, 64, event ? d->word[5] : 0);
    put(p->beat[1], 96, 32, flag ? d->word[3] : 0);
    put(p->beat[2], 0, 32, flag ? d->word[3] >> 32 : 0);
    put(p->beat[2], 32, 4, bits(word, 56, 4));
    put(p->beat[2], 36, 10, bits(d->word[1], 30, 10));
    put(p->beat[2], 46, 1, aborted);
    put(p->beat[2], 64, 56, word);
    p->beats = 3;
    p->ends = true;
}

/* ---- requests ----------------------------------------------------------------------------------- */

/* What speaks against any request: nothing is open, or its mode is 7, SOURCE. */
static unsigned refusals_of(const struct fma_descriptor *d)
{
    return (d->open ? 0 : NOT_OPEN) | (bits(d->word[1], 27, 3) == 7 ? COMMAND : 0);
}

struct request {
    uint64_t global, control;
    const uint8_t *byte;
    unsigned n;
    bool launch;
};

static unsigned put_request(const struct fma_model *m, unsigned unit, const struct request *r,
                            struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    unsigned command = (unsigned)bits(d->word[1], 40, 7), errors = refusals_of(d), n = r->n;
    struct head h = {
        .cmd = command == 0   ? PUT
               : command == 1 ? PUT_MSG
                              : AMO,
        .mdh = (unsigned)bits(d->word[1], 0, 12),
        .global = r->global,
        .placed = true,
        .translated = true,
    };
    uint8_t payload[72] = {0};

    if (h.cmd == AMO) {
        struct amo a = amo_of(command, false);

        errors |= !a.exists || (r->launch && a.two) ? COMMAND : 0;
        if ((errors & COMMAND) == 0) {
            errors |= n != (a.two ? 16 : 8) && !r->launch ? ALIGNMENT : 0;
            errors |= r->global % (a.wide ? 8 : 4) != 0 ? ALIGNMENT : 0;
        }
        h.x = command >> 6;
        h.z = command & 63;
        memcpy(payload, r->byte, n < 16 ? n : 16);
    } else {
        n = r->launch && command == 0 && bits(d->word[1], 48, 1) ? 4 : n;
        h.z = n - 1;
        memcpy(payload, r->byte, n);
        if (h.cmd == PUT_MSG) {
            errors |= r->launch || n > 56 ? COMMAND : 0;
            memcpy(payload + 8, r->byte, n);
            for (unsigned i = 0; i < 8; i++) {
                payload[i] = (uint8_t)(d->word[5] >> 8 * i);
            }
            n += 8;
        }
    }
    if (errors == 0) {
        put_head(m, unit, &h, p);
        put_payload(p, payload, n);
    }
    return errors;
}

static unsigned get_request(const struct fma_model *m, unsigned unit, const struct request *r,
                            struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    unsigned opcode = (unsigned)bits(r->control, 44, 7), errors = refusals_of(d);
    unsigned words = 1 + (unsigned)bits(r->control, 40, 4), bytes = 4 * words;
    bool flagged = bits(r->control, 51, 1) != 0 || bits(d->word[1], 47, 1) != 0;
    struct amo a = amo_of(opcode, true);
    struct head h = {
        .cmd = opcode == 0 ? GET : FAMO,
        .mdh = (unsigned)bits(d->word[1], 0, 12),
        .global = r->global,
        .placed = true,
        .translated = true,
    };

    if (h.cmd == GET) {
        errors |= flagged && words == 16 ? COMMAND : 0;
        h.x = words - 1;
    } else {
        errors |= !a.exists ? COMMAND : 0;
        h.x = opcode >> 6;
        h.z = opcode & 63;
        bytes = a.wide ? 8 : 4;
    }
    if ((errors & COMMAND) == 0) {
        errors |= r->global % 4 != 0 || r->control % 4 != 0 ? ALIGNMENT : 0;
    }
    if (errors == 0) {
        put_head(m, unit, &h, p);
        put(p->beat[1], 0, 40, r->control);
        put(p->beat[1], 40, 12, bits(d->word[1], 12, 12));
        put(p->beat[1], 52, 8, d->ptag);
        put(p->beat[1], 60, 6, bytes - 1);
        put(p->beat[1], 66, 1, flagged);
        p->beats = 2;
        if (h.cmd == FAMO) {
            put(p->beat[2], 0, 64, d->word[6]);
            put(p->beat[2], 64, 64, a.two ? d->word[7] : 0);
            p->beats = 3;
        }
    }
    return errors;
}

/* ---- words of the page -------------------------------------------------------------------------- */

static unsigned open_word(struct fma_model *m, unsigned unit, uint64_t word,
                          struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];
    unsigned errors = (d->open ? NOT_OPEN : 0) | (d->flight >= d->limit ? NO_ID : 0);
    struct head h = {
        .cmd = OPEN, .x = word & 1, .mdh = (unsigned)bits(d->word[1], 0, 12), .global = d->word[0]};

    if (errors == 0) {
        put_head(m, unit, &h, p);
        p->beats = 1;
        d->open = true;
        d->flight++;
    }
    return errors;
}

/* A block transfer: the words of its descriptor, as a driver would write them (hls/nic/bte/README.md). */
static void put_transfer(const struct fma_model *m, unsigned unit, uint64_t word,
                         struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    struct fma_model_packet to = {0};
    const struct head h = {.global = d->word[0], .placed = true};
    uint8_t *how = p->beat[0] + 8;

    put_head(m, unit, &h, &to);
    const uint64_t head = number(to.beat[0], 8);
    put(p->beat[0], 0, 40,
        bits(head, 4, 14) | bits(head, 52, 6) << 14 |
            bits(number(to.beat[0] + 12, 4), 0, 20) << 20);
    put(p->beat[0], 40, 18, bits(head, 18, 18));
    put(how, 0, 12, bits(d->word[1], 0, 12));
    put(how, 12, 12, bits(d->word[1], 12, 12));
    put(how, 24, 2, bits(word, 58, 2));
    put(how, 26, 1, bits(word, 60, 1));
    put(how, 29, 3, bits(d->word[1], 27, 3));
    put(how, 32, 3, bits(word, 61, 3));
    put(how, 36, 10, bits(d->word[1], 30, 10));
    put(how, 46, 8, d->ptag);
    put(how, 54, 1, d->ntt);
    put(how, 55, 3, d->granularity);
    put(p->beat[1], 0, 40, d->word[4]);
    put(p->beat[1], 64, 33, d->word[3] < (uint64_t)1 << 33 ? d->word[3] : 0);
    put(p->beat[1], 64 + 37, 13, d->base);
    put(p->beat[2], 0, 56, word);
    put(p->beat[2], 64, 64, d->word[5]);
    put(p->beat[3], 0, 18, d->size);
    p->beats = 4;
    p->transfer = true;
    p->unit = unit;
    p->channel = (unsigned)bits(word, 56, 2);
}

static unsigned transfer_word(struct fma_model *m, unsigned unit, uint64_t word,
                              struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];
    const unsigned channel = (unsigned)bits(word, 56, 2);

    if (bits(d->word[1], 27, 3) == 7 || ((m->launch_open & d->channels) >> channel & 1) == 0) {
        return COMMAND;
    }
    if (d->flight >= d->limit || (m->launch_free >> channel & 1) == 0) {
        return NO_ID;
    }
    put_transfer(m, unit, word, p);
    d->flight++;
    return 0;
}

/* A join of a reduction: what ce needs of the page (hls/nic/ce/README.md). */
static unsigned join_word(const struct fma_model *m, unsigned unit, uint64_t word,
                          struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    const uint64_t command = bits(d->word[1], 40, 7);
    const uint64_t fields = bits(word, 0, 15) | bits(word, 21, 2) << 15 | bits(word, 16, 5) << 17 |
                            command << 22 | bits(word, 24, 4) << 28;

    if (!m->engines || command > 63) {
        return COMMAND;
    }
    put(p->beat[0], 0, 4, 10);
    put(p->beat[0], 4, 14, fields);
    put(p->beat[0], 52, 6, fields >> 14);
    put(p->beat[0], 96, 20, fields >> 20);
    put(p->beat[0], 58, 8, d->ptag);
    put(p->beat[0], 86, 10, unit);
    put(p->beat[0], 116, 12, bits(d->word[1], 12, 12));
    put(p->beat[1], 0, 64, d->word[6]);
    put(p->beat[1], 64, 64, bits(word, 23, 1) ? d->word[7] : 0);
    put(p->beat[2], 0, 40, d->word[4]);
    put(p->beat[2], 40, 10, bits(d->word[1], 30, 10));
    put(p->beat[2], 64, 56, d->word[5]);
    p->beats = 3;
    p->join = true;
    return 0;
}

static unsigned page_word(struct fma_model *m, unsigned unit, unsigned number_of, uint64_t word,
                          struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];
    uint8_t byte[8];

    switch (number_of) {
    case 0:
    case 1:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
        d->word[number_of] = word;
        return 0;
    case 8:
        return open_word(m, unit, word, p);
    case 9:
        if (refusals_of(d) != 0) {
            return refusals_of(d);
        }
        for (unsigned i = 0; i < 8; i++) {
            byte[i] = (uint8_t)(word >> 8 * i);
        }
        put_head(m, unit,
                 &(struct head){.cmd = CQWRITE,
                                .z = 7,
                                .mdh = (unsigned)bits(d->word[1], 0, 12),
                                .global = d->word[0],
                                .translated = true},
                 p);
        put_payload(p, byte, 8);
        return 0;
    case 10:
        return transfer_word(m, unit, word, p);
    case 11:
        return join_word(m, unit, word, p);
    case 13:
        if (!d->open || (bits(word, 59, 1) && !d->flags)) {
            return (d->open ? 0 : NOT_OPEN) | (bits(word, 59, 1) && !d->flags ? COMMAND : 0);
        }
        put_close(m, unit, word, false, p);
        d->open = false;
        return 0;
    case 16:
        d->errors = 0;
        d->dropped = 0;
        d->failed = false;
        return 0;
    case 24:
    case 25:
        return ALIGNMENT;
    default:
        return COMMAND;
    }
}

static unsigned page_run(struct fma_model *m, unsigned unit, uint64_t offset, const uint8_t *byte,
                         unsigned n, struct fma_model_packet *p)
{
    uint64_t low = number(byte, n < 8 ? n : 8);

    if (offset == 24 * 8 && n == 16) {
        struct request r = {.global = bits(low, 0, 58), .launch = true, .byte = byte + 8, .n = 8};

        r.control = number(byte + 8, 8);
        return bits(low, 63, 1) ? get_request(m, unit, &r, p) : put_request(m, unit, &r, p);
    }
    if (offset == 0 && n == 16) {
        m->d[unit].word[0] = low;
        m->d[unit].word[1] = number(byte + 8, 8);
        return 0;
    }
    if (offset % 8 != 0 || n != 8) {
        return ALIGNMENT;
    }
    return page_word(m, unit, (unsigned)(offset / 8), low, p);
}

static unsigned window_run(struct fma_model *m, unsigned unit, bool get, uint64_t offset,
                           const uint8_t *byte, unsigned n, struct fma_model_packet *p)
{
    const struct fma_descriptor *d = &m->d[unit];
    struct request r = {.byte = byte, .n = n};

    r.global = bits(d->word[0] + (get ? offset / 2 : offset), 0, 58);
    if (!get) {
        return put_request(m, unit, &r, p);
    }
    if (offset % 8 != 0 || n != 8) {
        return ALIGNMENT;
    }
    r.control = number(byte, 8);
    return get_request(m, unit, &r, p);
}

bool fma_model_run(struct fma_model *m, unsigned unit, unsigned region, uint64_t offset,
                   const uint8_t *byte, unsigned n, struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];
    unsigned errors = DISABLED;

    memset(p, 0, sizeof *p);
    if (d->enabled) {
        errors = region == FMA_PAGE ? page_run(m, unit, offset, byte, n, p)
                                    : window_run(m, unit, region == FMA_GET, offset, byte, n, p);
    }
    if (errors != 0) {
        d->dropped = (d->dropped + 1) & 0xFFFF;
        d->errors |= errors & 0x3F;
    }
    return !d->enabled;
}

bool fma_model_shut(struct fma_model *m, unsigned unit, struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];

    memset(p, 0, sizeof *p);
    if (d->open) {
        put_close(m, unit, (uint64_t)2 << 56, true, p);
        d->open = false;
    }
    d->dropped = (d->dropped + 1) & 0xFFFF;
    d->errors |= DISABLED;
    return true;
}

bool fma_model_read(const struct fma_model *m, unsigned unit, unsigned word, uint64_t *data)
{
    const struct fma_descriptor *d = &m->d[unit];

    *data = 0;
    if (!d->enabled && word == 16) { /* what is left of its owner */
        *data = (uint64_t)DISABLED << 10 | (uint64_t)d->open << 9 | (d->flight & 511);
        return false;
    }
    if (word == 16) {
        *data = (uint64_t)d->dropped << 16 |
                (uint64_t)(d->errors | (d->failed ? FAILED : 0)) << 10 | (uint64_t)d->open << 9 |
                (d->flight & 511);
    }
    return !d->enabled;
}

void fma_model_driver(struct fma_model *m, unsigned unit, uint64_t data, struct fma_model_packet *p)
{
    struct fma_descriptor *d = &m->d[unit];

    memset(p, 0, sizeof *p);
    if (d->open && bits(data, 57, 1) == 0) {
        put_close(m, unit, (uint64_t)2 << 56, true, p);
        d->open = false;
    }
    d->enabled = bits(data, 57, 1) != 0;
    if (d->enabled) {
        d->ptag = (unsigned)bits(data, 0, 8);
        d->base = (unsigned)bits(data, 8, 13);
        d->size = (unsigned)bits(data, 21, 18);
        d->granularity = (unsigned)bits(data, 39, 3);
        d->limit = (unsigned)bits(data, 42, 9);
        d->flags = bits(data, 51, 1) != 0;
        d->channels = (unsigned)bits(data, 52, 4);
        d->ntt = bits(data, 56, 1) != 0;
    }
}

void fma_model_note(struct fma_model *m, unsigned unit, bool failed)
{
    m->d[unit].flight--;
    m->d[unit].failed |= failed;
}
