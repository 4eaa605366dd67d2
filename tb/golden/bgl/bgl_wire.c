// SPDX-License-Identifier: Apache-2.0
/*
 * bgl_wire.c - golden listener on a wire.
 */
#include "tb/golden/bgl/bgl_wire.h"

#include <string.h>

enum { FRAME = 12, SYNC = 0xb5c3, SEED = 0x6ac5b1 };

void gold_wire_lost(struct gold_wire *w)
{
    w->data = false;
    w->left = 0;
    memset(w->recent, 0, sizeof w->recent);
}

static unsigned word_of(const uint8_t *bytes, unsigned i)
{
    return (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
}

/* The last twelve bytes are a frame: words 1 to 4 and their CRC-16 behind the sync word. */
static bool is_frame(const uint8_t *f)
{
    return word_of(f, 0) == SYNC && gold_crc(16, 0x1021, 0xffff, f + 2, 8) == word_of(f, 5);
}

static void begin_data(struct gold_wire *w)
{
    const unsigned chip = word_of(w->recent, 3), port = w->recent[8] >> 2;
    w->data = true;
    w->lfsr = SEED ^ (chip != 0 ? port << 16 | chip : 0);
    w->what = WIRE_GAP;
    w->have = 0;
    w->need = 2;
}

static void seek_frame(struct gold_wire *w, uint8_t byte)
{
    memmove(w->recent, w->recent + 1, FRAME - 1);
    w->recent[FRAME - 1] = byte;
    if (!is_frame(w->recent))
        return;
    const unsigned info0 = word_of(w->recent, 1);
    w->frames++;
    if ((info0 >> 5 & 1) && (info0 >> 1 & 15) == 0)
        begin_data(w);
}

/* One step of x^23 + x^18 + 1 gives one bit. */
static uint8_t descramble(struct gold_wire *w, uint8_t byte)
{
    uint8_t mask = 0;
    for (unsigned i = 0; i < 8; i++) {
        mask = (uint8_t)(mask << 1 | (w->lfsr >> 22 & 1));
        w->lfsr = (w->lfsr << 1 | ((w->lfsr >> 22 ^ w->lfsr >> 17) & 1)) & 0x7fffff;
    }
    return byte ^ mask;
}

static void expect(struct gold_wire *w, int what, unsigned need)
{
    w->what = what;
    w->need = need;
    w->have = 0;
}

static void end_gap(struct gold_wire *w)
{
    struct gold_gap gap;
    w->gaps++;
    if (!gold_read_gap(word_of(w->held, 0), &gap) || gap.wrong != 0) {
        w->unexplained += 2;
        expect(w, WIRE_GAP, 2);
        return;
    }
    w->chunks = gap.chunks;
    if (gap.ack)
        expect(w, WIRE_ACK, GOLD_ACK_BYTES);
    else if (gap.chunks != 0)
        expect(w, WIRE_PACKET, 32 * gap.chunks + 4);
    else
        expect(w, WIRE_GAP, 2);
}

static void end_ack(struct gold_wire *w)
{
    struct gold_ack ack;
    w->acks++;
    if (!gold_read_ack(w->held, &ack))
        w->unexplained++;
    else if (w->ack)
        w->ack(w->owner, &ack);
    if (w->chunks != 0)
        expect(w, WIRE_PACKET, 32 * w->chunks + 4);
    else
        expect(w, WIRE_GAP, 2);
}

static void end_packet(struct gold_wire *w)
{
    const unsigned bytes = 32 * w->chunks + 1;
    const uint8_t *crc = w->held + bytes;
    const uint32_t sum = (uint32_t)crc[0] << 16 | (uint32_t)crc[1] << 8 | crc[2];
    const bool right = gold_crc24(w->held, bytes) == sum &&
                       gold_crc8_header(w->held) == w->held[7] &&
                       gold_get(w->held, GOLD_N) + 1 == w->chunks &&
                       (w->held[bytes - 1] == 0xff || w->held[bytes - 1] == 0);
    w->packets++;
    if (!right)
        w->unexplained++;
    else if (w->packet)
        w->packet(w->owner, w->held, w->chunks);
    expect(w, WIRE_GAP, 2);
}

void gold_wire_byte(struct gold_wire *w, uint8_t byte)
{
    w->bytes++;
    if (!w->data) {
        seek_frame(w, byte);
        return;
    }
    w->held[w->have++] = descramble(w, byte);
    if (w->have < w->need)
        return;
    if (w->what == WIRE_GAP)
        end_gap(w);
    else if (w->what == WIRE_ACK)
        end_ack(w);
    else
        end_packet(w);
}
