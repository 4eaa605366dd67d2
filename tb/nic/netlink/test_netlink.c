// SPDX-License-Identifier: Apache-2.0
/*
 * test_netlink.c - netlink between NICs and a router of a few lines: every packet of a NIC leaves once, by one tile, as the
 * golden encoder says; ordered ones keep their tile and their order; loads and shares; what comes from the router reaches
 * the NIC that it names; what is wrong is dropped for its own reason; a class that stands still holds only itself.
 */
#include <string.h>

#include "nic/netlink/netlink.h"
#include "tb/nic/unit/nic_beats.h"

enum {
    IDS = 1 << 12, /* tag and gen */
    WAY = 2,       /* clocks from the router's choice to its flit */
    QUEUE = 64,    /* packets of a class that wait behind a tile */
    NODES = 6,
    MOST = 512,
    RECENT = 64, /* packets dropped for one reason between which and their count netlink may be */
    ALLOWED = RTR_INQ_GUARANTEED + RTR_INQ_CREDIT_SHARED / 2,
};

static struct netlink dut;
static uint64_t now;

struct load {
    const char *name;
    unsigned
        kind; /* 0: anything, 1: puts of 64 bytes, acks coming, 2: gets and their data, 3: gets and acks */
    double begin[2];  /* how often a NIC begins a packet of a class */
    double push;      /* how often it has the next beat */
    double free[2];   /* how often the router gives a place of a class back */
    double choose[2]; /* how often the router sends a packet of a class */
    double room[2];   /* how often a NIC has room for a class */
    double fault;     /* of the packets from the router */
    bool ordered;     /* modes with a fixed way only */
    bool adaptive;    /* the others only */
    double slow;      /* how often tile 0 gives a place back, if not 0 */
    unsigned bits;    /* so many fall over beside one of 16 beats that wait for their tile */
};

struct sent {
    bool out;
    bool astray; /* two wrong bits beside one of its beats: it may take any tile */
    struct nic_packet packet;
    unsigned source;
    uint64_t number;
};

/* A stream of a NIC: beats that it sends, beats that it has to get. */
struct side {
    struct beat beat[BEATS];
    unsigned beats, at;
    unsigned id; /* of the packet that it sends */
    bool rests;  /* no room for what comes */
};

struct port {
    uint64_t flit[NIC_FLITS]; /* that goes into the router */
    unsigned flits, got;
    bool bad;
    unsigned used[2];
    uint64_t total, arrived; /* flits into the router, packets from it */
    /* out of the router */
    uint64_t out[NIC_FLITS + 1];
    unsigned out_flits, out_at;
    bool out_open, out_bad, out_response;
    struct port_out way[WAY];
    unsigned room;
    /* what has to come to each NIC from here, per class */
    struct beat want[2][NL_NICS][MOST];
    unsigned written[2][NL_NICS], read[2][NL_NICS];
};

struct bench {
    struct sent sent[2][IDS];
    unsigned next_id[2];
    struct side side[NL_STREAMS];
    struct port tile[NL_TILES];
    int from[NL_STREAMS]; /* the tile whose packet comes to a stream; -1: none */
    uint64_t seen[NL_STREAMS][NODES * 7 * 256]; /* number of the last packet on a fixed way */
    uint64_t waiting;                           /* beats of requests behind tile 0, times clocks */
    uint32_t node[NODES];
    unsigned next_in; /* id of a packet from the router */
    uint64_t number, bugs, packets[NL_STREAMS], flits[NL_STREAMS], arrived[NL_STREAMS], lost;
    uint64_t want[NETLINK_COUNTS], count[NETLINK_COUNTS];
    uint64_t dropped[NETLINK_COUNTS][RECENT]; /* first flits of packets that are dropped */
    uint64_t told, untold;                    /* drops that netlink says the head of, or does not */
    const char *why;
};

static struct bench bench;

static void complain(struct bench *b, const char *why)
{
    b->bugs++;
    b->why = why;
}

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
        const struct netlink_nic_out *nic = &dut.out.to_nic[s >> 1];
        struct netlink_nic_in *to = &in->from_nic[s >> 1];
        struct side *side = &b->side[s];
        const bool room = s & 1 ? nic->room_response : nic->room_request;

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

/* The next beat of a stream: of one tile's packets in their order, and of one packet until its tail. */
static void arrives(struct bench *b, unsigned s, const struct beat *beat)
{
    const unsigned c = s & 1, n = s >> 1;

    if (beat->head && b->side[s].rests) {
        complain(b, "a packet to a NIC without room");
    }
    for (unsigned t = 0; t < NL_TILES; t++) {
        struct port *tile = &b->tile[t];
        const unsigned at = tile->read[c][n];

        if (b->from[s] >= 0
                ? b->from[s] == (int)t
                : at != tile->written[c][n] && nic_same_beat(beat, &tile->want[c][n][at % MOST])) {
            if (at == tile->written[c][n] || !nic_same_beat(beat, &tile->want[c][n][at % MOST])) {
                complain(b, "a beat to a NIC is wrong");
            }
            tile->read[c][n]++;
            b->from[s] = beat->tail ? -1 : (int)t;
            b->arrived[s] += beat->tail;
            tile->arrived += beat->tail;
            return;
        }
    }
    complain(b, "a beat to a NIC that no tile had next");
}

static void nic_sees(struct bench *b)
{
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_out *nic = &dut.out.to_nic[s >> 1];
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
    uint64_t flit[NIC_FLITS];
    const unsigned flits = nic_encode(&sent->packet, flit);

    if (!sent->out || flits != tile->flits || memcmp(flit, tile->flit, flits * sizeof *flit) != 0) {
        complain(b, "a packet to the router is none that was sent");
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

        if (t != fixed_tile(sent->packet.node, line)) {
            complain(b, "an ordered packet on another tile");
        }
        if (sent->number < b->seen[sent->source][key]) {
            complain(b, "an ordered packet overtook another");
        }
        b->seen[sent->source][key] = sent->number;
    }
}

static void router_sees(struct bench *b, unsigned t)
{
    const struct port_in *port = &dut.out.to_tile[t];
    struct port *tile = &b->tile[t];

    if (!port->ready || port->dead) {
        complain(b, "ready, dead");
    }
    if (!port->valid) {
        return;
    }
    if (tile->got == 0) {
        tile->flits = (unsigned)(port->flit >> 41 & 0xF);
    }
    if (tile->got == NIC_FLITS) {
        complain(b, "a packet without end");
        tile->got = 0;
    }
    tile->flit[tile->got++] = port->flit;
    tile->bad |= port->bad;
    tile->total++;
    const bool response = tile->flit[0] >> 45 >= RTR_VCS / 2;

    if (++tile->used[response] > ALLOWED) {
        complain(b, "more flits of a class at the router than allowed");
    }
    if (tile->got == tile->flits) {
        leaves(b, t);
        tile->got = 0;
    }
}

static void drops(struct bench *b, enum netlink_count reason, uint64_t head)
{
    b->dropped[reason][b->want[reason]++ % RECENT] = head;
}

/* The head beat that comes with counts is that of a packet dropped for the first of these reasons; it may be 0. */
static void check_info(struct bench *b)
{
    const uint64_t head = (uint64_t)(rtr_flit)dut.out.info;
    bool known = false;
    unsigned k = 0;

    while (k < NETLINK_HEAD_LOST && (dut.out.count >> k & 1) == 0) {
        k++;
    }
    for (unsigned i = 0; i < RECENT && k < NETLINK_HEAD_LOST; i++) {
        known |= b->dropped[k][i] == head;
    }
    if (dut.out.info != 0 && !known) {
        complain(b, "a head that was not dropped");
    }
    b->told += known;
    b->untold += k < NETLINK_HEAD_LOST && dut.out.info == 0;
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
        const struct port_in *port = &dut.out.to_tile[t];

        in->from_tile[t] = tile->way[0];
        memmove(tile->way, tile->way + 1, sizeof tile->way - sizeof *tile->way);
        tile->way[WAY - 1] = router_sends(b, rng, load, tile);
        tile->room = (unsigned)(port->room & 1) | (unsigned)(port->room >> (RTR_VCS / 2) & 1) << 1;
        if (port->spare != port->room) {
            complain(b, "room is not what is spare");
        }
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
    struct nl_entry *entry = &dut.send.entry[s];
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

static void clock_once(struct bench *b, struct rng *rng, const struct load *load)
{
    struct netlink_in in = {.first = 0};

    nic_sends(b, rng, load, &in);
    router_turns(b, rng, load, &in);
    netlink(&dut, &in);
    now++;
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        const struct netlink_nic_in *nic = &in.from_nic[s >> 1];

        if (load->bits != 0 && (s & 1 ? nic->response.valid : nic->request.valid)) {
            harm(b, rng, load, s);
        }
    }
    b->waiting += dut.send.pack[0].queue.out.beats[0];
    nic_sees(b);
    for (unsigned t = 0; t < NL_TILES; t++) {
        router_sees(b, t);
    }
    check_info(b);
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        b->count[k] += dut.out.count >> k & 1;
    }
}

static void start(struct bench *b, struct rng *rng)
{
    memset(b, 0, sizeof *b);
    netlink_reset(&dut);
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        b->from[s] = -1;
    }
    for (unsigned i = 0; i < NODES; i++) {
        b->node[i] = rng_below(rng, 1 << 15) << 3 | i;
    }
}

static void finish(struct bench *b, struct rng *rng, const struct load *load)
{
    struct load drain = *load;

    drain.begin[0] = drain.begin[1] = drain.choose[0] = drain.choose[1] = 0;
    drain.push = drain.free[0] = drain.free[1] = drain.room[0] = drain.room[1] = 1;
    for (unsigned t = 0; t < 4000; t++) {
        clock_once(b, rng, &drain);
    }
    for (unsigned c = 0; c < 2; c++) {
        for (unsigned id = 0; id < IDS; id++) {
            if (b->sent[c][id].out) {
                complain(b, "a packet that never left");
            }
        }
        for (unsigned t = 0; t < NL_TILES; t++) {
            for (unsigned n = 0; n < NL_NICS; n++) {
                if (b->tile[t].read[c][n] != b->tile[t].written[c][n]) {
                    complain(b, "beats that never came to their NIC");
                }
            }
        }
    }
    if (b->told < b->untold) {
        complain(b, "drops without their heads");
    }
    for (unsigned k = 0; k < NETLINK_COUNTS; k++) {
        if (b->count[k] != b->want[k]) {
            complain(b, "a count is wrong");
            tap_note("count %u: %llu for %llu", k, (unsigned long long)b->count[k],
                     (unsigned long long)b->want[k]);
        }
    }
}

/* What a load has to show beside that nothing is wrong. */
static void look(struct bench *b, const struct load *load, uint64_t clocks)
{
    uint64_t flits = 0, tile[NL_TILES], in[NL_TILES], share[NL_NICS] = {}, arrived = 0;
    uint64_t out_by_class[2] = {}, in_by_class[2] = {};

    for (unsigned t = 0; t < NL_TILES; t++) {
        tile[t] = b->tile[t].total;
        in[t] = b->tile[t].arrived;
        flits += tile[t];
    }
    for (unsigned s = 0; s < NL_STREAMS; s++) {
        share[s >> 1] += b->flits[s];
        arrived += b->arrived[s];
        out_by_class[s & 1] += b->packets[s];
        in_by_class[s & 1] += b->arrived[s];
    }
    const double rate = (double)flits / (double)clocks;

    tap_note("%s: %.3f flits a clock out, tiles unequal by %.3f, NICs by %.3f; %llu packets in, "
             "tiles unequal by %.3f",
             load->name, rate, unfairness(tile, NL_TILES), unfairness(share, NL_NICS),
             (unsigned long long)arrived, unfairness(in, NL_TILES));
    for (unsigned s = 0; load->free[0] == 0 && s < NL_STREAMS; s += 2) {
        const struct nl_entry *entry = &dut.send.entry[s];

        if ((nl_entry_count)(entry->wr - entry->rd) <= (1 << NL_ENTRY_LOG2) - BEAT_ROOM) {
            complain(b, "places at the entrance that nobody gets");
        }
    }
    if (load->kind == 3 && (rate < 0.98 || unfairness(share, NL_NICS) > 0.02)) {
        complain(b, "a packet a clock, of the NICs in turn");
    }
    const bool light = load->begin[0] < 0.1; /* tiles have nothing to do, or one packet: in turn */

    if (load->adaptive && load->slow == 0 && load->kind != 3 &&
        ((rate < 0.95 * NL_TILES && !light) || unfairness(tile, NL_TILES) > (light ? 0.1 : 0.05) ||
         unfairness(share, NL_NICS) > 0.1)) {
        complain(b, "rate, loads of the tiles or shares of the NICs");
    }
    if (load->slow != 0 && load->begin[0] < 1 && b->waiting > 4 * clocks) {
        complain(b, "packets go to a tile that has much to do");
    }
    if (load->slow != 0 && load->begin[0] == 1 && rate < 0.95 * (NL_TILES - 1) + load->slow) {
        complain(b, "a slow tile holds the others");
    }
    if (load->free[0] == 0 && (out_by_class[1] < clocks / 20 || in_by_class[1] < clocks / 20)) {
        complain(b, "requests that stand still hold responses");
    }
    if (load->free[1] == 0 && (out_by_class[0] < clocks / 20 || in_by_class[0] < clocks / 20)) {
        complain(b, "responses that stand still hold requests");
    }
    if (load->free[0] != 0 && load->free[1] != 0 && unfairness(in, NL_TILES) > 0.1) {
        complain(b, "packets of some tiles are served before others");
    }
}

int main(int argc, char **argv)
{
    static const struct load loads[] = {
        {"anything, full rate", 0, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0},
        {"anything, at random", 0, {.5, .5}, .7, {.5, .5}, {.5, .5}, {.6, .6}, 0, 0, 0, 0, 0},
        {"slow router", 0, {1, 1}, 1, {.2, .2}, {1, 1}, {1, 1}, 0, 0, 0, 0, 0},
        {"slow NICs", 0, {1, 1}, 1, {1, 1}, {1, 1}, {.2, .2}, 0, 0, 0, 0, 0},
        {"ordered", 0, {1, 1}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 1, 0, 0, 0},
        {"faults", 0, {.8, .8}, .9, {.9, .9}, {.9, .9}, {.9, .9}, .4, 0, 0, 0, 0},
        {"puts, adaptive", 1, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0},
        {"a slow tile", 1, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, .1, 0},
        {"a slow tile, light load", 1, {.05, .05}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, .1, 0},
        {"light load, adaptive", 1, {.01, .01}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0},
        {"requests stand still", 0, {1, 1}, 1, {0, 1}, {1, 1}, {0, 1}, 0, 0, 0, 0, 0},
        {"responses stand still", 0, {1, 1}, 1, {1, 0}, {1, 1}, {1, 0}, 0, 0, 0, 0, 0},
        {"gets, adaptive", 2, {1, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0},
        {"acks, adaptive", 3, {0, 1}, 1, {1, 1}, {1, 1}, {1, 1}, 0, 0, 1, 0, 0},
        {"a wrong bit", 0, {.9, .9}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 0, 0, 0, 1},
        {"two wrong bits", 0, {.9, .9}, .9, {.7, .7}, {1, 1}, {1, 1}, 0, 0, 0, 0, 2},
    };
    struct rng rng;
    enum { CLOCKS = 30000 };

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        start(&bench, &rng);
        for (unsigned t = 0; t < CLOCKS; t++) {
            clock_once(&bench, &rng, &loads[i]);
        }
        look(&bench, &loads[i], CLOCKS);
        finish(&bench, &rng, &loads[i]);
        tap_why("%s, %llu times", bench.why, (unsigned long long)bench.bugs);
        tap_ok(bench.bugs == 0, "%s", loads[i].name);
    }
    tap_ok(harness_covers("hls/nic/netlink/nl_receive.c") == 2 &&
               harness_covers("hls/nic/netlink/nl_send.c") == 1 &&
               harness_covers("hls/nic/netlink/nl_entry.c") == 4,
           "all covers are hit");
    return tap_done();
}
