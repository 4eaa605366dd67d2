// SPDX-License-Identifier: Apache-2.0
/*
 * lane.c - from lane symbols to micropackets; lane.h says what for.
 *
 * The scrambler's sequence obeys s[n] = s[n-18] + s[n-23]. Squaring a polynomial over GF(2) spreads
 * its terms, so four squarings give s[n] = s[n-18*16] + s[n-23*16]: the same recurrence over whole
 * 16-bit words, which is what runs here. Only the first 23 words are made bit by bit.
 */
#include "tb/golden/link/lane.h"

#include <string.h>

enum {
    FRAME_WORDS = 6,
    FRAME_CHIP = 3,
    FRAME_PORT = 4,
    PORT_LSB = 10,
    LANE_BITS = GOLDEN_LANE_BITS,
    CHUNKS_PER_SLOT = GOLDEN_FLIT_BITS / LANE_BITS,
    DEAD_ZEROS = 16,
    SEQUENCES = 128
};

/* The first lanes have the same words, however many there are. */
static const uint16_t sync_word[] = {0xB5C3, 0xD64E, 0x8B79, 0x69A7};
static const uint32_t scrambler_start[] = {0x6AC5B1, 0x51D36E, 0x5F8E97, 0x73B25D};

/* Fields of a frame's info0: with four lanes the maps have a bit more, the count one less, and no bit is below it. */
enum { WIDE = GOLDEN_LANES == 4, MAP_LSB = WIDE ? 4 : 6, START_LSB = WIDE ? 3 : 5 };

static unsigned info0_tx_map(uint16_t info0)
{
    return info0 >> MAP_LSB & ((1 << GOLDEN_LANES) - 1);
}

static bool info0_last(uint16_t info0)
{
    const unsigned count = WIDE ? info0 & 7 : info0 >> 1 & 15;
    return (info0 >> START_LSB & 1) && count == 0;
}

static void start_scrambler(uint16_t word[GOLDEN_SCRAMBLER_WORDS], uint32_t seed)
{
    uint8_t s[GOLDEN_SCRAMBLER_WORDS * LANE_BITS];
    for (unsigned n = 0; n < sizeof s; n++)
        s[n] = n < 23 ? seed >> (22 - n) & 1 : s[n - 18] ^ s[n - 23];
    for (unsigned w = 0; w < GOLDEN_SCRAMBLER_WORDS; w++) {
        word[w] = 0;
        for (unsigned b = 0; b < LANE_BITS; b++)
            word[w] = (uint16_t)(word[w] << 1 | s[w * LANE_BITS + b]);
    }
}

/* The word of this step; its place takes the word 23 steps later. */
static uint16_t scramble(struct golden_lanes *g, unsigned lane)
{
    uint16_t *word = g->scrambler[lane];
    const uint16_t now = word[g->step];
    word[g->step] ^= word[(g->step + 5) % GOLDEN_SCRAMBLER_WORDS];
    return now;
}

void golden_lanes_start(struct golden_lanes *g)
{
    memset(g, 0, sizeof *g);
}

/* Each sender with an identity scrambles in its own way: its port number, 6 bits, and its chip, 16, change the seed. */
static void begin_data(struct golden_lanes *g)
{
    const uint32_t port = g->port >> PORT_LSB, who = g->chip ? port * 0x10000u + g->chip : 0;
    const unsigned map = info0_tx_map(g->info0);
    g->lanes = 0;
    for (unsigned l = GOLDEN_LANES; l-- > 0;)
        if (map >> l & 1)
            g->lane[g->lanes++] = l;
    for (unsigned l = 0; l < GOLDEN_LANES; l++)
        start_scrambler(g->scrambler[l], scrambler_start[l] ^ who);
    g->step = 0;
    g->chunk = 0;
    g->index = 0;
    g->data = g->lanes > 0;
    g->sessions += g->data;
    memset(&g->plain, 0, sizeof g->plain);
    memset(&g->error, 0, sizeof g->error);
    memset(&g->next_plain, 0, sizeof g->next_plain);
    memset(&g->next_error, 0, sizeof g->next_error);
}

static bool is_sync(const uint16_t lane[GOLDEN_LANES])
{
    for (unsigned l = 0; l < GOLDEN_LANES; l++)
        if (lane[l] != sync_word[l])
            return false;
    return true;
}

static bool is_zero(const uint16_t lane[GOLDEN_LANES])
{
    for (unsigned l = 0; l < GOLDEN_LANES; l++)
        if (lane[l])
            return false;
    return true;
}

/* Outside data mode: walks through the words of a frame. */
static void follow_frame(struct golden_lanes *g, const uint16_t lane[GOLDEN_LANES])
{
    if (is_sync(lane)) {
        g->index = 1;
        return;
    }
    if (g->index == 0)
        return;
    if (g->index == 1)
        g->info0 = lane[0];
    if (g->index == FRAME_CHIP)
        g->chip = lane[0];
    if (g->index == FRAME_PORT)
        g->port = (uint16_t)(lane[0] >> PORT_LSB << PORT_LSB);
    g->index = (g->index + 1) % FRAME_WORDS;
    if (g->index == 0 && info0_last(g->info0))
        begin_data(g);
}

/* Where chunk c stands in its slot. */
static unsigned chunk_lsb(unsigned c)
{
    return LANE_BITS * (CHUNKS_PER_SLOT - 1 - c % CHUNKS_PER_SLOT);
}

static void put_chunk(struct golden_micropacket *m, unsigned c, uint16_t bits)
{
    m->slot[c / CHUNKS_PER_SLOT] |= (uint64_t)bits << chunk_lsb(c);
}

/* The chunk of a clock that is number c of this micropacket, or of the next one. */
static void place_chunk(unsigned c, struct golden_micropacket *now, struct golden_micropacket *next,
                        uint16_t bits)
{
    if (c < GOLDEN_CHUNKS)
        put_chunk(now, c, bits);
    else
        put_chunk(next, c - GOLDEN_CHUNKS, bits);
}

uint16_t golden_chunk(const struct golden_micropacket *m, unsigned c)
{
    return (uint16_t)(m->slot[c / CHUNKS_PER_SLOT] >> chunk_lsb(c));
}

bool golden_lanes_symbols(struct golden_lanes *g, const uint16_t lane[GOLDEN_LANES])
{
    g->zeros = is_zero(lane) ? g->zeros + 1 : 0;
    if (g->data && (is_sync(lane) || g->zeros >= DEAD_ZEROS))
        g->data = false;
    if (!g->data) {
        g->complete = false;
        follow_frame(g, lane);
        return false;
    }
    if (g->complete) {
        g->plain = g->next_plain;
        g->error = g->next_error;
        memset(&g->next_plain, 0, sizeof g->next_plain);
        memset(&g->next_error, 0, sizeof g->next_error);
        g->chunk = g->chunk + g->lanes - GOLDEN_CHUNKS;
    }
    for (unsigned i = 0; i < g->lanes; i++)
        place_chunk(g->chunk + i, &g->plain, &g->next_plain,
                    lane[g->lane[i]] ^ scramble(g, g->lane[i]));
    g->step = (g->step + 1) % GOLDEN_SCRAMBLER_WORDS;
    g->complete = g->chunk + g->lanes >= GOLDEN_CHUNKS;
    return true;
}

void golden_lanes_forge(struct golden_lanes *g, uint64_t flip)
{
    g->plain.slot[GOLDEN_SLOTS - 1] ^= flip;
}

/*
 * The number of a complete micropacket. Only one with a right CRC has a number: when the link goes down in the middle
 * of one, the words that follow can stand where its tail would.
 */
static void follow_number(struct golden_lanes *g)
{
    const uint64_t tail = g->plain.slot[GOLDEN_SLOTS - 1];
    const unsigned seq = (unsigned)golden_get(tail, FIELD_SEQUENCE);
    if (golden_flits(tail) == 0)
        g->next = seq;
    else if ((seq - g->next) % SEQUENCES < SEQUENCES / 2)
        g->next = (seq + 1) % SEQUENCES;
    else
        g->repeats++;
}

void golden_lanes_errors(struct golden_lanes *g, const uint16_t error[GOLDEN_LANES])
{
    for (unsigned i = 0; i < g->lanes; i++)
        place_chunk(g->chunk + i, &g->error, &g->next_error, error[g->lane[i]]);
    if (!g->complete) {
        g->chunk += g->lanes;
        return;
    }
    if (golden_micropacket_good(g->plain.slot))
        follow_number(g);
    g->log[g->sent++ % GOLDEN_SENT] = g->plain;
}
