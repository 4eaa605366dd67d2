// SPDX-License-Identifier: Apache-2.0
/*
 * nic_beats.c - packets at random, and what they are as beats.
 */
#include "tb/models/nic_beats.h"

#include "config/machine.h"

#include <stdarg.h>
#include <stdio.h>

static void random_response(struct rng *rng, struct nic_packet *p)
{
    static const unsigned kinds[] = {0, 0, 0, 4, 8, 64, 64};
    const unsigned kind = rng_below(rng, 10);

    p->vc = RTR_VCS / 2;
    p->note = rng_below(rng, 2);
    if (kind == 0) {
        p->err = true;
        p->status = rng_below(rng, 16);
        p->who = rng_below(rng, 1 << 18);
    } else if (kind < 8) {
        p->bytes = kinds[kind - 1];
    } else {
        p->bytes = 4 + 4 * rng_below(rng, 16);
    }
}

static void random_request(struct rng *rng, struct nic_packet *p)
{
    const unsigned command = rng_below(rng, 16);

    p->cmd = command < 8 ? command : NIC_PUT;
    p->ptag = rng_below(rng, 1 << 8);
    p->mdh = rng_below(rng, 1 << 12);
    p->src = rng_below(rng, 1 << 18);
    p->offset = rng_next(rng) >> 24;
    p->rmt = rng_below(rng, 2);
    p->ssid = rng_below(rng, 1 << 9);
    p->x = p->rmt ? rng_below(rng, 4) << 2 : 0;
    p->z = rng_below(rng, 4) == 0 ? 63 : rng_below(rng, 64);
    switch (p->cmd) {
    case NIC_GET:
        p->x = rng_below(rng, 16);
        p->z = p->rmt = p->ssid = 0;
        break;
    case NIC_AMO:
    case NIC_FAMO:
        p->x |= rng_below(rng, 2);
        if (rng_below(rng, 2)) {
            p->z = 0x0C + rng_below(rng, 2); /* two operands */
        }
        break;
    case NIC_PUT_MSG:
        p->z = p->z > 55 ? 55 : p->z;
        break;
    case NIC_CQWRITE:
        p->z = 7;
        break;
    case 6:
    case 7:
        p->x |= rng_below(rng, 4);
        p->z = 19;
        break;
    default:
        break;
    }
    p->bytes = nic_payload(p);
}

struct nic_packet nic_random(struct rng *rng, bool response)
{
    struct nic_packet p = {
        .response = response,
        .mode = rng_below(rng, 7),
        .node = rng_below(rng, 1 << 18),
        .gen = rng_below(rng, 4),
        .tag = rng_below(rng, 1 << 10),
    };

    if (response) {
        random_response(rng, &p);
    } else {
        random_request(rng, &p);
    }
    for (unsigned i = 0; i < p.bytes; i++) {
        p.data[i] = (uint8_t)rng_next(rng);
    }
    return p;
}

unsigned nic_beats_of_flits(const uint64_t *flit, const struct nic_packet *p,
                            struct beat beat[BEATS])
{
    const unsigned head = p->response ? 1 + p->err : 3;
    const unsigned flits = (unsigned)nic_get(flit, NIC_LENGTH);
    const unsigned beats = 1 + (p->bytes + BEAT_BYTES - 1) / BEAT_BYTES;
    const bool crc_in_head = flits == head && flits > 1;

    for (unsigned i = 0; i < beats; i++) {
        beat[i] = (struct beat){.valid = 1, .head = i == 0, .tail = i == beats - 1};
    }
    for (unsigned i = 0; i < head; i++) {
        const bool crc_here = crc_in_head && i == head - 1;

        beat[0].word |= (beat_word)(crc_here ? (uint32_t)flit[i] : flit[i]) << (48 * i);
    }
    for (unsigned i = 0; head + i / 6 < flits && 1 + i / BEAT_BYTES < beats; i++) {
        const unsigned f = head + i / 6;
        const uint8_t byte = f == flits - 1 && i % 6 >= 4 ? 0 : (uint8_t)(flit[f] >> (8 * (i % 6)));

        beat[1 + i / BEAT_BYTES].word |= (beat_word)byte << (8 * (i % BEAT_BYTES));
    }
    return beats;
}

unsigned nic_beats(const struct nic_packet *p, struct beat beat[BEATS])
{
    uint64_t flit[NIC_FLITS];

    nic_encode(p, flit);
    nic_set(flit, NIC_VC, 0);
    if (p->response) {
        nic_set(flit, NIC_CHK, 0);
    }
    const unsigned beats = nic_beats_of_flits(flit, p, beat);

    if (!p->response) {
        beat[0].word &= ~((beat_word)0xF << nic_places[NIC_LENGTH].piece[0].lsb);
    }
    return beats;
}

bool nic_same_beat(const struct beat *a, const struct beat *b)
{
    return a->head == b->head && a->tail == b->tail && a->bad == b->bad && a->word == b->word;
}

const char *nic_word_text(beat_word word)
{
    static char texts[4][64];
    static unsigned next;
    char *text = texts[next++ % 4];

    snprintf(text, sizeof texts[0], "%012llx.%012llx.%012llx",
             (unsigned long long)(word >> 96 & 0xFFFFFFFFFFFF),
             (unsigned long long)(word >> 48 & 0xFFFFFFFFFFFF),
             (unsigned long long)(word & 0xFFFFFFFFFFFF));
    return text;
}

static void beat_text(char *text, size_t size, const struct beat *b)
{
    snprintf(text, size, "%s%s%s%s", b->valid ? nic_word_text(b->word) : "no beat",
             b->valid && b->head ? " head" : "", b->valid && b->tail ? " tail" : "",
             b->valid && b->bad ? " bad" : "");
}

bool nic_miss_beat(struct misses *m, const struct beat *seen, const struct beat *expected,
                   const char *format, ...)
{
    char text[128], is[64], due[64];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    beat_text(is, sizeof is, seen);
    beat_text(due, sizeof due, expected);
    return miss(m, "%s: %s, expected %s", text, is, due);
}
