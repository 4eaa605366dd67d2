// SPDX-License-Identifier: Apache-2.0
/*
 * wire.c - frames, micropackets and sequence rules; wire.h says what of them.
 */
#include "tb/conform/lcb/wire.h"

#include <inttypes.h>
#include <string.h>

#include "tb/conform/conform.h"
#include "tb/conform/lcb/checks.h"

enum {
    WINDOW = 64,
    MOST_WITHOUT_ACK = 5, /* two by the schedule, four with a mark between them */
    UNSEEN = 2,     /* micropackets for which an ack that came may not have been judged here */
    EPOCH_LSB = 12, /* in info0 of a frame */
    CHECK_WORD = WIRE_FRAME - 1,
    FRAME_POLYNOMIAL = 0x1021,
};

static const uint16_t sync_word[GOLDEN_LANES] = {0xB5C3, 0xD64E, 0x8B79};

void wire_start(struct wire *w)
{
    memset(w, 0, sizeof *w);
}

static void new_epoch(struct wire *w)
{
    memset(w->copied, 0, sizeof w->copied);
    w->next = 0;
    w->acks_seen = false;
    w->without_ack = 0;
}

/* a - b modulo 128 */
static unsigned distance(unsigned a, unsigned b)
{
    return (a - b) % WIRE_NUMBERS;
}

/* ---- frames ------------------------------------------------------------------------------------------ */

/* Words 1 to 4, most significant bit first. */
static uint16_t frame_check_of(const uint16_t frame[WIRE_FRAME])
{
    unsigned rest = 0xffff;
    for (unsigned w = 1; w < CHECK_WORD; w++)
        for (unsigned b = 16; b-- > 0;) {
            const unsigned out = rest >> 15 ^ (frame[w] >> b & 1u);
            rest = (rest << 1 & 0xffff) ^ (out & 1 ? FRAME_POLYNOMIAL : 0u);
        }
    return (uint16_t)rest;
}

static bool is_sync(const uint16_t lane[GOLDEN_LANES])
{
    return memcmp(lane, sync_word, sizeof sync_word) == 0;
}

/* A frame is judged when another begins: one that is cut, because the link goes down or dies, is not. */
static void next_frame(struct wire *w, uint64_t clock)
{
    if (w->whole && w->frame_fault)
        conform_fails(LCB_FRAMES, w->frame_clock, "a discovery frame {%04x %04x %04x %04x %04x} %s",
                      w->frame[1], w->frame[2], w->frame[3], w->frame[4], w->frame[5],
                      w->frame_fault);
    w->word = 1;
    w->whole = false;
    w->frame_fault = NULL;
    w->frame_clock = clock;
}

static void follow_frame(struct wire *w, const uint16_t lane[GOLDEN_LANES], uint64_t clock)
{
    if (is_sync(lane)) {
        next_frame(w, clock);
        return;
    }
    w->whole = false;
    if (w->word == 0)
        return;
    if (lane[0] != lane[1] || lane[0] != lane[2])
        w->frame_fault = "is not the same on all lanes";
    w->frame[w->word] = lane[0];
    if (w->word++ < CHECK_WORD)
        return;
    w->word = 0;
    w->whole = true;
    if (frame_check_of(w->frame) != w->frame[CHECK_WORD])
        w->frame_fault = "has a wrong check word";
}

/* ---- micropackets ------------------------------------------------------------------------------------ */

static uint64_t tail_of(const struct golden_micropacket *m)
{
    return m->slot[GOLDEN_SLOTS - 1];
}

static void judge_slots(const struct wire *w, const struct golden_micropacket *m)
{
    for (unsigned s = golden_flits(tail_of(m)); s < GOLDEN_SLOTS - 1; s++)
        if (m->slot[s] != 0)
            conform_fails(LCB_MICROPACKETS, w->last_clock,
                          "slot %u of a micropacket with %u flits is %012" PRIx64 ", not zero", s,
                          golden_flits(tail_of(m)), m->slot[s]);
}

static bool same_payload(const struct golden_micropacket *a, const struct golden_micropacket *b)
{
    return golden_flits(tail_of(a)) == golden_flits(tail_of(b)) &&
           memcmp(a->slot, b->slot, (GOLDEN_SLOTS - 1) * sizeof a->slot[0]) == 0;
}

static void judge_numbered(struct wire *w, const struct golden_micropacket *m, unsigned seq)
{
    const unsigned d = distance(seq, w->next);
    if (d == 0) {
        w->copy[seq] = *m;
        w->copied[seq] = true;
        w->next = distance(seq + 1, 0);
    } else if (d < WINDOW) {
        conform_fails(LCB_SEQUENCE, w->last_clock,
                      "a micropacket with flits has number %u, the next new one is %u", seq,
                      w->next);
    } else if (w->copied[seq] && !same_payload(&w->copy[seq], m)) {
        conform_fails(LCB_SEQUENCE, w->last_clock,
                      "micropacket %u is sent again with other flits than before", seq);
    }
}

/* A session begins with an idle one, which says where: what was cut before it has a number, too. */
static void judge_number(struct wire *w, const struct golden_micropacket *m,
                         const struct wire *peer)
{
    const unsigned seq = (unsigned)golden_get(tail_of(m), FIELD_SEQUENCE);
    if (golden_flits(tail_of(m)) > 0) {
        judge_numbered(w, m, seq);
    } else if (!w->begun) {
        for (; w->next != seq; w->next = distance(w->next + 1, 0))
            w->copied[w->next] = false;
    } else if (seq != w->next) {
        conform_fails(LCB_SEQUENCE, w->last_clock,
                      "an idle micropacket has number %u, the next new one is %u", seq, w->next);
    }
    if (peer->acks_seen && peer->epoch == w->epoch &&
        distance(w->next, peer->ack) > WINDOW + UNSEEN &&
        distance(w->next, peer->ack) < WIRE_NUMBERS - UNSEEN)
        conform_fails(LCB_SEQUENCE, w->last_clock,
                      "%u micropackets wait for their acknowledgement, at most %u may",
                      distance(w->next, peer->ack), WINDOW);
}

/* The number of the next new one, with the one that is not judged yet. */
static unsigned next_of(const struct wire *w)
{
    const uint64_t tail = tail_of(&w->last);
    const bool new =
        w->waits &&golden_flits(tail) > 0 && golden_get(tail, FIELD_SEQUENCE) == w->next;
    return distance(w->next + new, 0);
}

static void judge_ack(struct wire *w, const struct golden_micropacket *m, const struct wire *peer)
{
    const uint64_t tail = tail_of(m);
    if (!golden_has_ack(tail)) {
        if (++w->without_ack == MOST_WITHOUT_ACK)
            conform_fails(LCB_ACKS, w->last_clock, "%u micropackets in a row without an ack",
                          MOST_WITHOUT_ACK);
        return;
    }
    const unsigned ack = (unsigned)golden_get(tail, FIELD_ACK);
    w->without_ack = 0;
    w->nak = golden_get(tail, FIELD_NAK) != 0;
    w->naks += w->nak;
    if (w->last_loose)
        return;
    if (peer->begun && peer->epoch == w->epoch && distance(next_of(peer), ack) > WINDOW)
        conform_fails(LCB_ACKS, w->last_clock, "acknowledges up to %u, the peer is to send %u next",
                      ack, next_of(peer));
    if (w->acks_seen && distance(ack, w->ack) > WINDOW)
        conform_fails(LCB_ACKS, w->last_clock, "acknowledges up to %u, and before up to %u", ack,
                      w->ack);
    w->ack = ack;
    w->acks_seen = true;
}

static void judge(struct wire *w, const struct wire *peer)
{
    const struct golden_micropacket *m = &w->last;
    w->waits = false;
    w->judged++;
    if (!golden_micropacket_good(m->slot)) {
        conform_fails(LCB_CRC, w->last_clock,
                      "a micropacket with the tail %012" PRIx64 " has a wrong CRC", tail_of(m));
        return;
    }
    if (w->last_stray)
        conform_fails(LCB_FRAMES, w->last_clock,
                      "lanes outside the map (bits %x) do not send zeros", w->last_stray);
    judge_slots(w, m);
    judge_number(w, m, peer);
    judge_ack(w, m, peer);
    w->begun = true;
}

/* Lanes that are not in the map send zeros. */
static void note_stray(struct wire *w, const struct golden_lanes *follow,
                       const uint16_t lane[GOLDEN_LANES])
{
    unsigned map = 0;
    for (unsigned i = 0; i < follow->lanes; i++)
        map |= 1u << follow->lane[i];
    for (unsigned l = 0; l < GOLDEN_LANES; l++)
        w->stray |= !(map >> l & 1) && lane[l] != 0 ? 1u << l : 0;
}

static void begin_session(struct wire *w, const struct golden_lanes *follow)
{
    const unsigned epoch = follow->info0 >> EPOCH_LSB;
    if (epoch != w->epoch)
        new_epoch(w);
    w->epoch = epoch;
    w->session = follow->sessions;
    w->waits = w->begun = false;
    w->stray = 0;
}

void wire_clock(struct wire *w, const struct golden_lanes *follow,
                const uint16_t lane[GOLDEN_LANES], const struct wire *peer, bool loose,
                uint64_t clock)
{
    if (!follow->data) {
        follow_frame(w, lane, clock);
        w->waits = w->begun = false;
        return;
    }
    w->word = 0;
    w->whole = false;
    if (w->session != follow->sessions) {
        begin_session(w, follow); /* the last word of the last frame is on the lanes */
        return;
    }
    note_stray(w, follow, lane);
    if (!follow->complete)
        return;
    if (w->waits && follow->zeros < GOLDEN_SLOTS) /* else the link has died in the middle of it */
        judge(w, peer);
    w->last = follow->plain;
    w->last_loose = loose;
    w->last_stray = w->stray;
    w->last_clock = clock;
    w->stray = 0;
    w->waits = true;
}
