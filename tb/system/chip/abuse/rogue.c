// SPDX-License-Identifier: Apache-2.0
/*
 * rogue.c - packets of a hostile peer.
 */
#include "tb/system/chip/abuse/rogue.h"

#include <string.h>

enum {
    RESPONSE_VC = RTR_VCS / 2,
    MODES = 7, /* and SOURCE behind them */
    MOST_USED = 2 * RTR_PACKET,
    FLIT_BITS = 48,
    SHORT_LENGTH = 15 /* the field is 0 for 16 */
};

void rogue_start(struct rogue *p, uint64_t seed, unsigned ptag, unsigned handle)
{
    *p = (struct rogue){.ptag = ptag, .handle = handle};
    rng_seed(&p->rng, seed);
}

bool rogue_idle(const struct rogue *p)
{
    return p->count == 0 && p->coming.flits == 0;
}

/* ---- what is wrong with a packet -------------------------------------------------------------------- */

/* The length field says so many flits, and so many are sent: a router counts them. */
static void stretch(struct rogue *p, struct rogue_packet *k)
{
    k->flits = 1 + rng_below(&p->rng, ROGUE_LONGEST);
    nic_set(k->flit, NIC_LENGTH, k->flits & SHORT_LENGTH);
    if (k->flits > 1) {
        nic_seal(k->flit, k->flits);
    }
}

/* Bits behind the fields that a router reads. */
static void flip(struct rogue *p, struct rogue_packet *k, unsigned bits)
{
    while (bits-- > 0) {
        unsigned at = rng_below(&p->rng, k->flits * FLIT_BITS);

        if (at >= FLIT_BITS || at < 18) {
            k->flit[at / FLIT_BITS] ^= (uint64_t)1 << at % FLIT_BITS;
        }
    }
}

static void spoil(struct rogue *p, struct rogue_packet *k)
{
    switch (rng_below(&p->rng, p->knobs.source ? 6 : 5)) {
    case 0: /* all that chk sees of an answer of one flit, and the CRC of others */
        flip(p, k, k->flits == 1 ? 1 : 1 + rng_below(&p->rng, 3));
        break;
    case 1:
        stretch(p, k);
        break;
    case 2:
        k->bad = true;
        break;
    case 3: /* a request on the responses' VC, and the reverse */
        k->response = !k->response;
        nic_set(k->flit, NIC_VC, k->response ? RESPONSE_VC : 0);
        if (k->response && nic_check(k->flit[0]) == nic_get(k->flit, NIC_CHK)) {
            k->flit[0] ^= 1; /* it does not pass for an answer to somebody else */
        }
        break;
    case 4: /* a `sub` that may have no NIC */
        nic_set(k->flit, NIC_NODE, nic_get(k->flit, NIC_NODE) ^ (1 + rng_below(&p->rng, 3)));
        if (k->flits > 1) {
            nic_seal(k->flit, k->flits);
        }
        break;
    default:
        nic_set(k->flit, NIC_MODE, MODE_SOURCE);
        if (k->flits > 1) {
            nic_seal(k->flit, k->flits);
        }
        break;
    }
}

static void queue(struct rogue *p, const struct nic_packet *packet)
{
    struct rogue_packet k = {.response = packet->response};

    if (p->count == ROGUE_QUEUE) {
        return;
    }
    k.flits = nic_encode(packet, k.flit);
    if (rng_chance(&p->rng, p->knobs.wrong)) {
        spoil(p, &k);
    }
    p->queue[(p->first + p->count++) % ROGUE_QUEUE] = k;
}

/* ---- requests and answers --------------------------------------------------------------------------- */

static void random_bytes(struct rogue *p, struct nic_packet *k, unsigned bytes)
{
    k->bytes = bytes;
    for (unsigned i = 0; i < bytes; i++) {
        k->data[i] = (uint8_t)rng_next(&p->rng);
    }
}

/* To any NIC: any command, handle and place, in its own domain or in none. */
static void send_request(struct rogue *p)
{
    struct nic_packet k = {
        .mode = rng_below(&p->rng, MODES),
        .node = ring_address(rng_below(&p->rng, RING_NODES)),
        .cmd = rng_below(&p->rng, rng_below(&p->rng, 4) == 0 ? 16 : 6),
        .x = rng_below(&p->rng, 16),
        .ptag = rng_below(&p->rng, 8) == 0 ? 0xF0 : p->ptag,
        .gen = rng_below(&p->rng, 4),
        .tag = rng_below(&p->rng, 1024),
        .mdh = rng_below(&p->rng, rng_below(&p->rng, 2) == 0 ? 4096 : 64),
        .z = rng_below(&p->rng, 64),
        .rmt = rng_below(&p->rng, 8) == 0,
        .ssid = rng_below(&p->rng, 512),
        .src = ring_rogue(rng_below(&p->rng, 4)),
        .offset = rng_next(&p->rng) >> (24 + rng_below(&p->rng, 40)),
    };

    if (k.cmd != NIC_GET && rng_below(&p->rng, 4) != 0) { /* mostly such as `unpack` lets pass */
        k.x &= k.rmt ? 13 : 1;
        k.x &= k.cmd == NIC_AMO || k.cmd == NIC_FAMO ? 15 : 12;
    }
    if (rng_below(&p->rng, 4) != 0) { /* to memory that there is, of its own domain and of others */
        k.ptag = p->ptag;
        k.mdh =
            p->handle + rng_below(&p->rng, 8) - rng_below(&p->rng, 2) * 8 * rng_below(&p->rng, 5);
        k.offset = rng_below(&p->rng, 1024);
    }
    if (k.cmd == NIC_PUT_MSG && k.z > 55) {
        k.z -= 8;
    }
    if (k.cmd == NIC_CQWRITE) {
        k.z = 7;
    }
    random_bytes(p, &k, nic_payload(&k));
    queue(p, &k);
}

/* The right answer once or twice, or another one. */
static void send_answer(struct rogue *p, const struct nic_packet *to)
{
    struct nic_packet k = {.response = true,
                           .vc = RESPONSE_VC,
                           .mode = to->mode,
                           .node = to->src,
                           .gen = to->gen,
                           .tag = to->tag};
    bool fetches = to->cmd == NIC_FAMO, wrong = rng_chance(&p->rng, p->knobs.wrong);
    unsigned bytes = to->cmd == NIC_GET ? 4 * (to->x + 1) : fetches ? 8 : 0;

    if (wrong) {
        k.gen = rng_below(&p->rng, 4);
        k.note = rng_below(&p->rng, 2) != 0;
        bytes = 4 * rng_below(&p->rng, 17);
    }
    if (rng_below(&p->rng, 4) == 0) {
        k.err = true;
        k.status = 1 + rng_below(&p->rng, 15);
        k.who = ring_rogue(0);
    } else {
        random_bytes(p, &k, bytes);
    }
    queue(p, &k);
    if (!wrong && rng_chance(&p->rng, p->knobs.wrong)) {
        queue(p, &k);
    }
}

/* ---- the processor port ----------------------------------------------------------------------------- */

static void take(struct rogue *p, const struct port_out *from)
{
    struct rogue_packet *k = &p->coming;
    struct nic_packet request;

    if (!from->valid) {
        return;
    }
    if (k->flits == 0) {
        k->response = from->flit >> 45 >= RESPONSE_VC;
    }
    if (k->flits < ROGUE_LONGEST) {
        k->flit[k->flits] = (uint64_t)from->flit;
    }
    k->flits++;
    if (!from->tail) {
        return;
    }
    p->taken++;
    if (!k->response && k->flits <= NIC_FLITS &&
        nic_decode(k->flit, k->flits, false, &request) == NIC_RIGHT &&
        rng_chance(&p->rng, p->knobs.answer)) {
        send_answer(p, &request);
    }
    *k = (struct rogue_packet){0};
}

static void give(struct rogue *p, struct port_in *to)
{
    struct rogue_packet *k = &p->queue[p->first];
    unsigned class = k->response;

    if (p->count == 0 || (p->at == 0 && p->used[class] + k->flits > MOST_USED)) {
        return;
    }
    to->valid = 1;
    to->flit = (rtr_flit)k->flit[p->at];
    to->bad = k->bad;
    p->used[class]++;
    if (++p->at == k->flits) {
        p->at = 0;
        p->first = (p->first + 1) % ROGUE_QUEUE;
        p->count--;
        p->sent++;
    }
}

void rogue_clock(struct rogue *p, struct ring *r)
{
    const struct port_out *from = &r->rogue.out.to_processor[0];

    for (unsigned t = 0; t < DEV_PROCESSORS; t++) {
        r->rogue_in.from_processor[t] =
            (struct port_in){.ready = 1, .room = (rtr_vcs)~0u, .spare = (rtr_vcs)~0u};
    }
    if (from->freed.valid) {
        p->used[from->freed.vc >= RESPONSE_VC]--;
    }
    take(p, from);
    if (rng_chance(&p->rng, p->knobs.request)) {
        send_request(p);
    }
    give(p, &r->rogue_in.from_processor[0]);
}
