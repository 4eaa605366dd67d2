// SPDX-License-Identifier: Apache-2.0
/*
 * netlink_bench.c - NICs, a router of a few lines, and what must come of each packet.
 */
#include "tb/blocks/nic/netlink/netlink_bench.h"

#include <string.h>

struct netlink netlink_dut;
struct bench netlink_bench;
uint64_t netlink_now;

/* ---- the NICs' side ------------------------------------------------------------------------------- */

static struct nic_packet any(struct rng *rng, const struct load *load, bool response)
{
    struct nic_packet p = nic_random(rng, response);

    if (load->kind != 0) {
        p.err = false;
        p.status = p.who = 0;
        if (response) {
            p.bytes = load->kind == 2 ? 64 : 0;
        } else {
            p.cmd = load->kind == 1 ? NIC_PUT : NIC_GET;
            p.rmt = p.ssid = 0;
            p.x = 0;
            p.z = load->kind == 1 ? 63 : 0;
            p.bytes = nic_payload(&p);
        }
    }
    if (load->ordered) {
        p.mode = 4 + rng_below(rng, 3);
    } else if (load->adaptive) {
        p.mode = rng_below(rng, 4);
    }
    return p;
}

static void make(struct bench *b, struct rng *rng, const struct load *load, unsigned s)
{
    const bool response = s & 1;
    struct nic_packet p = any(rng, load, response);
    unsigned id = b->next_id[response];

    for (unsigned n = 0; n < IDS && b->sent[response][id].out; n++) {
        id = (id + 1) % IDS;
    }
    b->next_id[response] = (id + 1) % IDS;
    p.tag = id >> 2;
    p.gen = id & 3;
    p.node = b->node[rng_below(rng, NODES)];
    p.offset &= UINT64_C(0xFFFFFF03FF); /* few lines */
    b->sent[response][id] =
        (struct sent){.out = true, .packet = p, .source = s, .number = ++b->number};
    b->side[s].id = id;
    b->side[s].beats = nic_beats(&p, b->side[s].beat);
    b->side[s].at = 0;
}

static void nic_sends(struct bench *b, struct rng *rng, const struct load *load,
                      struct netlink_in *in)
{
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_out *nic = &netlink_dut.out.to_nic[s >> 1];
        struct netlink_nic_in *to = &in->from_nic[s >> 1];
        struct side *side = &b->side[s];
        const bool room = s & 1 ? nic->room_response : nic->room_request;

        if ((s & 1) == 0) {
            to->reset = rng_chance(rng, load->reset != 0 && side->quiet != 0 ? 0.3 : load->reset);
        }
        if (side->quiet != 0) {
            side->quiet--;
            continue;
        }
        if (side->at == side->beats && room && rng_chance(rng, load->begin[s & 1])) {
            make(b, rng, load, s);
        }
        if (side->at != side->beats && rng_chance(rng, load->push)) {
            *(s & 1 ? &to->response : &to->request) = side->beat[side->at++];
        }
        if (rng_below(rng, 16) == 0) {
            side->rests = !rng_chance(rng, load->room[s & 1]);
        }
        *(s & 1 ? &to->room_response : &to->room_request) = !side->rests;
    }
}

/* Its NIC was reset: the packet that it sends is cut, and ... */
static void cut_sent(struct bench *b, unsigned s)
{
    struct side *side = &b->side[s];
    struct sent *sent = &b->sent[s & 1][side->id];

    if (side->at != side->beats) {
        sent->cut = side->at;
        sent->out = side->at != 0;
        b->cut[s & 1][side->beats][side->at]++;
    }
    side->at = side->beats = 0;
}

/* ... the rest of the one that comes does not, if one does. */
static void cut_coming(struct bench *b, unsigned s)
{
    const unsigned c = s & 1, n = s >> 1;
    struct side *side = &b->side[s];
    unsigned beats = side->seen;

    if (b->from[s] < 0) {
        side->may_skip++;
        return;
    }
    struct port *tile = &b->tile[b->from[s]];
    bool tail = false;

    while (!tail) {
        tail = tile->want[c][n][tile->read[c][n]++ % MOST].tail;
        beats++;
    }
    b->lost_at[c][beats][side->seen]++;
    b->from[s] = -1;
}

static void nic_resets(struct bench *b, struct rng *rng, const struct netlink_in *in)
{
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_out *nic = &netlink_dut.out.to_nic[s >> 1];
        struct side *side = &b->side[s];

        if (!in->from_nic[s >> 1].reset) {
            continue;
        }
        must(&b->bugs, s & 1 ? !nic->response.valid : !nic->request.valid,
             "NIC %u, class %u: a beat while it is reset, expected none", s >> 1, s & 1);
        cut_sent(b, s);
        cut_coming(b, s);
        side->seen = 0;
        side->quiet = side->quiet != 0 ? side->quiet : 1 + rng_below(rng, 40);
        side->rests = true;
    }
}

/* The first packets of a tile for a NIC left out, as many as may be, the next beat is this one: they were dropped whole. */
static bool skips(struct bench *b, unsigned s, struct port *tile, const struct beat *beat)
{
    const unsigned c = s & 1, n = s >> 1, written = tile->written[c][n];
    unsigned at = tile->read[c][n], left_out = 0;

    while (b->from[s] < 0 && at != written && left_out != b->side[s].may_skip) {
        left_out += tile->want[c][n][at++ % MOST].tail;
        if (tile->want[c][n][(at - 1) % MOST].tail && at != written &&
            nic_same_beat(beat, &tile->want[c][n][at % MOST])) {
            b->side[s].may_skip -= left_out;
            b->skipped += left_out;
            tile->read[c][n] = at;
            return true;
        }
    }
    return false;
}

/* The next beat of a stream: of one tile's packets in their order, and of one packet until its tail. */
static void arrives(struct bench *b, unsigned s, const struct beat *beat)
{
    const unsigned c = s & 1, n = s >> 1;

    must(&b->bugs, !beat->head || !b->side[s].rests,
         "NIC %u, class %u: a packet begins, expected none, it has no room: %s", n, c,
         nic_word_text(beat->word));
    b->side[s].seen = beat->tail ? 0 : b->side[s].seen + 1;
    for (unsigned t = 0; t < 2 * NL_TILES; t++) { /* a second time: with one packet left out */
        struct port *tile = &b->tile[t % NL_TILES];
        const bool skipped = t >= NL_TILES && skips(b, s, tile, beat);
        const unsigned at = tile->read[c][n];

        if (t >= NL_TILES && !skipped) {
            continue;
        }
        if (b->from[s] >= 0
                ? b->from[s] == (int)(t % NL_TILES)
                : at != tile->written[c][n] && nic_same_beat(beat, &tile->want[c][n][at % MOST])) {
            if (must(&b->bugs, at != tile->written[c][n],
                     "NIC %u, class %u: beat %u of tile %u, expected none: %s", n, c, at,
                     t % NL_TILES, nic_word_text(beat->word)))
                must_beat(&b->bugs, beat, &tile->want[c][n][at % MOST],
                          "NIC %u, class %u: beat %u of tile %u", n, c, at, t % NL_TILES);
            tile->read[c][n]++;
            b->from[s] = beat->tail ? -1 : (int)(t % NL_TILES);
            b->arrived[s] += beat->tail;
            tile->arrived += beat->tail;
            return;
        }
    }
    miss(&b->bugs, "NIC %u, class %u: a beat that no tile has next: %s", n, c,
         nic_word_text(beat->word));
}

static void nic_sees(struct bench *b)
{
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_out *nic = &netlink_dut.out.to_nic[s >> 1];
        const struct beat *beat = s & 1 ? &nic->response : &nic->request;

        if (beat->valid) {
            arrives(b, s, beat);
        }
    }
}

/* ---- the router's side ---------------------------------------------------------------------------- */

/* The tile of a packet on a fixed way: bit k is the parity of bits k, k + 3 and so on of its destination and its line. */
static unsigned fixed_tile(uint32_t node, unsigned line)
{
    unsigned tile = 0;

    for (unsigned bit = 0; bit < 18; bit++) {
        tile ^= ((node ^ line) >> bit & 1) << bit % 3;
    }
    return tile % NL_TILES;
}

/* A packet has gone into the router: one that was sent, right, where and when it may. */
static void leaves(struct bench *b, unsigned t)
{
    struct port *tile = &b->tile[t];
    const bool response = nic_get(tile->flit, NIC_VC) >= RTR_VCS / 2;
    const unsigned id =
        response
            ? (unsigned)(nic_get(tile->flit, NIC_RSP_TAG) << 2 | nic_get(tile->flit, NIC_RSP_GEN))
            : (unsigned)(nic_get(tile->flit, NIC_TAG) << 2 | nic_get(tile->flit, NIC_GEN));
    struct sent *sent = &b->sent[response][id];
    struct nic_packet packet = sent->packet;
    uint64_t flit[NIC_FLITS];

    /* Of a packet that was cut: all its flits, zeros for what never came, and it is bad. */
    for (unsigned i = (sent->cut - 1) * BEAT_BYTES; sent->cut != 0 && i < packet.bytes; i++) {
        packet.data[i] = 0;
    }
    const unsigned flits = nic_encode(&packet, flit);

    must_equal(&b->bugs, tile->bad, sent->cut != 0,
               "tile %u, class %u, tag and generation %#x: marked", t, response, id);
    must(&b->bugs, sent->out, "tile %u, class %u, tag and generation %#x: a packet, expected none",
         t, response, id);
    must_equal(&b->bugs, tile->flits, flits, "tile %u, class %u, tag and generation %#x: flits", t,
               response, id);
    for (unsigned i = 0; i < flits && flits == tile->flits; i++) {
        must_equal(&b->bugs, tile->flit[i], flit[i],
                   "tile %u, class %u, tag and generation %#x: flit %u", t, response, id, i);
    }
    if (!sent->out || flits != tile->flits || memcmp(flit, tile->flit, flits * sizeof *flit) != 0) {
        return;
    }
    sent->out = false;
    b->packets[sent->source]++;
    b->flits[sent->source] += flits;
    if (sent->packet.mode >= 4 && !sent->astray) {
        unsigned node = 0;
        const unsigned line = sent->packet.mode == 6 ? 0 : (unsigned)(flit[0] >> 10 & 0xFF);

        while (b->node[node] != sent->packet.node) {
            node++;
        }
        const unsigned key = (sent->packet.mode * NODES + node) * 256 + line;

        /* holds netlink.ordered */
        must_equal(&b->bugs, t, fixed_tile(sent->packet.node, line),
                   "packet %llu, ordered, to node %#x: tile", (unsigned long long)sent->number,
                   (unsigned)sent->packet.node);
        must_at_least(&b->bugs, sent->number, b->seen[sent->source][key],
                      "an ordered packet to node %#x: its number", (unsigned)sent->packet.node);
        b->seen[sent->source][key] = sent->number;
    }
}

static void router_sees(struct bench *b, unsigned t)
{
    const struct port_in *port = &netlink_dut.out.to_tile[t];
    struct port *tile = &b->tile[t];

    must(&b->bugs, port->ready && !port->dead, "tile %u: ready %u, dead %u, expected 1, 0", t,
         (unsigned)port->ready, (unsigned)port->dead);
    if (!port->valid) {
        return;
    }
    if (tile->got == 0) {
        tile->flits = (unsigned)(port->flit >> 41 & 0xF);
    }
    if (tile->got == NIC_FLITS) {
        miss(&b->bugs, "tile %u: flit %u of a packet, expected its end before", t, tile->got);
        tile->got = 0;
    }
    tile->flit[tile->got++] = port->flit;
    tile->bad |= port->bad;
    tile->total++;
    const bool response = tile->flit[0] >> 45 >= RTR_VCS / 2;

    /* holds netlink.credit */
    tile->used[response]++;
    must_at_most(&b->bugs, tile->used[response], ALLOWED, "tile %u, class %u: flits at the router",
                 t, response);
    if (tile->got == tile->flits) {
        leaves(b, t);
        tile->got = 0;
        tile->bad = false;
    }
}

static void drops(struct bench *b, enum netlink_count reason, uint64_t head)
{
    b->dropped[reason][b->want[reason]++ % RECENT] = head;
}

/* The head beat that comes with counts is that of a packet dropped for the first of these reasons; it may be 0. */
static void check_info(struct bench *b)
{
    const uint64_t head = (uint64_t)(rtr_flit)netlink_dut.out.info;
    bool known = false;
    unsigned k = 0;

    while (k < NETLINK_HEAD_LOST && (netlink_dut.out.count >> k & 1) == 0) {
        k++;
    }
    for (unsigned i = 0; i < RECENT && k < NETLINK_HEAD_LOST; i++) {
        known |= b->dropped[k][i] == head;
    }
    must(&b->bugs, netlink_dut.out.info == 0 || known,
         "count %u: head %#llx, expected that of a packet dropped for it", k,
         (unsigned long long)head);
    b->told += known;
    b->untold += k < NETLINK_HEAD_LOST && netlink_dut.out.info == 0;
}

/* What the netlink has to make of a packet: beats to a NIC, or a count. */
static void judge(struct bench *b, struct port *tile)
{
    const bool response = tile->out_response;
    struct nic_packet p;
    struct beat beat[BEATS];
    const enum nic_fault fault = nic_decode(tile->out, tile->out_flits, response, &p);
    const unsigned nic = p.node & 3;

    if (tile->out_bad) {
        drops(b, NETLINK_MARKED, tile->out[0]);
    } else if (fault == NIC_WRONG_CODE) {
        drops(b, NETLINK_WRONG, tile->out[0]);
    } else if (fault == NIC_MISSHAPED) {
        drops(b, NETLINK_MISSHAPED, tile->out[0]);
    } else if (nic >= NL_NICS) {
        drops(b, NETLINK_NO_NIC, tile->out[0]);
    } else {
        const unsigned beats = nic_beats_of_flits(tile->out, &p, beat);

        for (unsigned i = 0; i < beats; i++) {
            tile->want[response][nic][tile->written[response][nic]++ % MOST] = beat[i];
        }
    }
}

static void begin(struct bench *b, struct rng *rng, const struct load *load, struct port *tile,
                  bool response)
{
    struct nic_packet p = any(rng, load, response);

    p.tag = b->next_in >> 2 & 0x3FF; /* no two alike at a time */
    p.gen = b->next_in++ & 3;
    p.node = rng_below(rng, NL_NICS);
    if (rng_chance(rng, load->fault) && rng_below(rng, 3) == 0) {
        p.node = rng_below(rng, 4);
    }
    tile->out_bad = false;
    tile->out_flits = nic_encode(&p, tile->out);
    if (rng_chance(rng, load->fault)) {
        switch (rng_below(rng, 3)) {
        case 0:
            tile->out_bad = true;
            break;
        case 1:
            tile->out[rng_below(rng, tile->out_flits)] ^= UINT64_C(1) << rng_below(rng, 36);
            break;
        default:
            nic_set(tile->out, NIC_LENGTH, rng_below(rng, 14) + 1);
            nic_set(tile->out, NIC_CHK,
                    response ? nic_check(tile->out[0]) : nic_get(tile->out, NIC_CHK));
            if (tile->out_flits > 1) {
                nic_seal(tile->out, tile->out_flits);
            }
        }
    }
    tile->out_response = response;
    tile->out_open = true;
    tile->out_at = 0;
}

static struct port_out router_sends(struct bench *b, struct rng *rng, const struct load *load,
                                    struct port *tile)
{
    struct port_out port = {};

    for (unsigned k = 0, c = rng_below(rng, 2); k < 2 && !tile->out_open; k++, c ^= 1) {
        if ((tile->room >> c & 1) && rng_chance(rng, load->choose[c])) {
            begin(b, rng, load, tile, c);
        }
    }
    if (tile->out_open) {
        port.valid = 1;
        port.flit = (rtr_flit)tile->out[tile->out_at];
        port.head = tile->out_at == 0;
        port.tail = ++tile->out_at == tile->out_flits;
        port.bad = port.tail && tile->out_bad;
        tile->out_open = !port.tail;
        if (port.tail) {
            judge(b, tile);
        }
    }
    return port;
}

static void router_turns(struct bench *b, struct rng *rng, const struct load *load,
                         struct netlink_in *in)
{
    for (unsigned t = 0; t < NL_TILES; t++) {
        struct port *tile = &b->tile[t];
        const struct port_in *port = &netlink_dut.out.to_tile[t];

        in->from_tile[t] = tile->way[0];
        memmove(tile->way, tile->way + 1, sizeof tile->way - sizeof *tile->way);
        tile->way[WAY - 1] = router_sends(b, rng, load, tile);
        tile->room = (unsigned)(port->room & 1) | (unsigned)(port->room >> (RTR_VCS / 2) & 1) << 1;
        /* holds netlink.spare */
        must_equal(&b->bugs, port->spare, port->room, "tile %u: spare, as room", t);
        for (unsigned k = 0, c = rng_below(rng, 2); k < 2; k++, c ^= 1) {
            if (!in->from_tile[t].freed.valid && tile->used[c] > 0 &&
                rng_chance(rng, t == 0 && load->slow != 0 ? load->slow : load->free[c])) {
                in->from_tile[t].freed =
                    (struct head_vc_note){.valid = 1, .vc = (head_vc_field)(c * RTR_VCS / 2)};
                tile->used[c]--;
            }
        }
    }
}

/* ---- runs ------------------------------------------------------------------------------------------ */

/* What stands beside the beat of a stream that came last, if it waits: the tail, and which tiles will do. */
static void harm(struct bench *b, struct rng *rng, const struct load *load, unsigned s)
{
    struct nl_entry *entry = &netlink_dut.send.entry[s];
    const unsigned width = 11 + NL_TILE_LOG2, first = rng_below(rng, width);
    const unsigned second = (first + 1 + rng_below(rng, width - 1)) % width;
    nl_mark_ecc_word *mark = &entry->marks[(nl_entry_place)(entry->wr - 1)];

    if (entry->rd == entry->wr || rng_below(rng, 16) != 0) {
        return;
    }
    *mark ^= (nl_mark_ecc_word)1 << first;
    if (load->bits == 2) {
        *mark ^= (nl_mark_ecc_word)1 << second;
    }
    b->sent[s & 1][b->side[s].id].astray |= load->bits == 2;
    b->want[load->bits == 2 ? NETLINK_FATAL : NETLINK_CORRECTED]++;
}

void netlink_bench_clock(struct bench *b, struct rng *rng, const struct load *load)
{
    struct netlink_in in = {.first = 0};

    nic_sends(b, rng, load, &in);
    router_turns(b, rng, load, &in);
    netlink(&netlink_dut, &in);
    netlink_now++;
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_in *nic = &in.from_nic[s >> 1];

        if (load->bits != 0 && (s & 1 ? nic->response.valid : nic->request.valid)) {
            harm(b, rng, load, s);
        }
    }
    b->waiting += netlink_dut.send.pack[0].queue.out.beats[0];
    nic_resets(b, rng, &in);
    nic_sees(b);
    for (unsigned t = 0; t < NL_TILES; t++) {
        router_sees(b, t);
    }
    check_info(b);
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        b->count[k] += netlink_dut.out.count >> k & 1;
    }
}

void netlink_bench_start(struct bench *b, struct rng *rng)
{
    memset(b, 0, sizeof *b);
    netlink_reset(&netlink_dut);
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        b->from[s] = -1;
    }
    for (unsigned i = 0; i < NODES; i++) {
        b->node[i] = rng_below(rng, 1 << 15) << 3 | i;
    }
}

/* But for packets that were left out, and nothing came behind which would have shown it. */
static bool all_came(struct bench *b, unsigned s, struct port *tile)
{
    const unsigned c = s & 1, n = s >> 1;

    for (; tile->read[c][n] != tile->written[c][n] && b->side[s].may_skip != 0; b->skipped++) {
        b->side[s].may_skip--;
        while (!tile->want[c][n][tile->read[c][n]++ % MOST].tail) {
        }
    }
    return tile->read[c][n] == tile->written[c][n];
}

void netlink_bench_finish(struct bench *b, struct rng *rng, const struct load *load)
{
    struct load drain = *load;

    drain.begin[0] = drain.begin[1] = drain.choose[0] = drain.choose[1] = 0;
    drain.reset = 0;
    drain.push = drain.free[0] = drain.free[1] = drain.room[0] = drain.room[1] = 1;
    for (unsigned t = 0; t < 4000; t++) {
        netlink_bench_clock(b, rng, &drain);
    }
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned id = 0; id < IDS; id++) {
            must(&b->bugs, !b->sent[c][id].out,
                 "class %u, tag and generation %#x, packet %llu: never left", c, id,
                 (unsigned long long)b->sent[c][id].number);
        }
        for (unsigned t = 0; t < NL_TILES; t++) {
            for (unsigned n = 0; n < NL_NICS; n++) {
                must(&b->bugs, all_came(b, 2 * n + c, &b->tile[t]),
                     "NIC %u, class %u: %u beats of tile %u came, expected %u", n, c,
                     (unsigned)b->tile[t].read[c][n], t, (unsigned)b->tile[t].written[c][n]);
            }
        }
    }
    must_at_least(&b->bugs, b->told, b->untold, "drops with their heads, of those without");
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        must_equal(&b->bugs, b->count[k], b->want[k], "count %u of enum netlink_count", k);
    }
}
