// SPDX-License-Identifier: Apache-2.0
/*
 * machine.c - struct machine of one machine, from its headers; compiled once for each.
 */
#include "sim/net/machine.h"

#include "router/flit/packet.h"
#if RTR_LENGTH_BITS == 0
#include "link/packet/phit.h"
#endif
#include "router/input/route.h"
#include "router/input/route_table.h"
#include "router/rtr_regs.h"

static_assert((int)MODE_OF_ADAPTIVE == MODE_ADAPTIVE0 &&
                  (int)MODE_OF_NONMINIMAL == MODE_NMIN_HASH &&
                  (int)MODE_OF_MINIMAL == MODE_MIN_HASH && (int)MODE_OF_ORDERED == MODE_IN_ORDER,
              "modes are those of the head flit");

static unsigned entry_at(bool local, unsigned index, unsigned draw)
{
    const unsigned fars = 1U << ROUTE_FAR_BITS;
    const route_way way = local          ? route_way_local((rtr_local)index)
                          : index < fars ? route_way_far((route_far)index)
                                         : route_way_near((route_near)(index - fars));
    return (unsigned)route_index_of(way, (u2)draw);
}

static unsigned hop_at(bool nonminimal, unsigned type, unsigned vc, unsigned phase)
{
    return (unsigned)route_map_index_of((u1)nonminimal, (u2)type, (rtr_vc)vc, (rtr_phase)phase);
}

static struct route_candidate hls_candidate(const struct candidate *candidate)
{
    return (struct route_candidate){
        .valid = (u1)candidate->valid,
        .type = (u2)candidate->type,
        .col = (rtr_col)candidate->col,
#if RTR_TWO_STEP
        .rows = (u8)candidate->rows,
#else
        .row = (rtr_row)(candidate->valid ? __builtin_ctz(candidate->rows) : 0),
#endif
    };
}

static uint64_t pack_entry(const struct candidate candidates[MACHINE_CANDIDATES])
{
    return (uint64_t)route_entry_pack(hls_candidate(&candidates[0]), hls_candidate(&candidates[1]));
}

static void unpack_entry(uint64_t word, struct candidate candidates[MACHINE_CANDIDATES])
{
    for (unsigned i = 0; i < MACHINE_CANDIDATES; i++) {
        const struct route_candidate c = route_entry_candidate((route_entry)word, (u1)i);
        candidates[i] = (struct candidate){
            .valid = c.valid,
            .col = (uint8_t)c.col,
            .type = (uint8_t)c.type,
#if RTR_TWO_STEP
            .rows = (uint8_t)c.rows,
#else
            .rows = (uint8_t)(1U << (unsigned)c.row),
#endif
        };
    }
}

static uint64_t pack_hop(struct hop hop)
{
    return (uint64_t)route_map_pack((u3)hop.vc, (rtr_phase)hop.phase);
}

static struct hop unpack_hop(uint64_t word)
{
    const route_map_entry entry = (route_map_entry)word;
    return (struct hop){.vc = (unsigned)(u3)entry, .phase = (unsigned)(rtr_phase)(entry >> 3)};
}

static uint64_t pack_here(unsigned global, unsigned local, uint64_t seed)
{
    uint64_t parts = 0;
#if RTR_NEAR_BITS != 0
    parts |= (uint64_t)(global / HERE_NO_NEAR % 2) << ROUTE_NO_NEAR_AT;
    parts |= (uint64_t)(global / HERE_NO_FAR % 2) << ROUTE_NO_FAR_AT;
#endif
    return (seed & ((UINT64_C(1) << ROUTE_SEED_BITS) - 1)) << ROUTE_SEED_AT | parts |
           (uint64_t)(global % HERE_NO_NEAR) << RTR_LOCAL_BITS | local;
}

/* A field of the head: nothing if the machine has none. */
static rtr_flit field(unsigned value, unsigned bits, unsigned at)
{
    return bits == 0 ? (rtr_flit)0 : (rtr_flit)((rtr_flit)(value & ((1U << bits) - 1)) << at);
}

static unsigned mode_of(unsigned mode)
{
#if RTR_LENGTH_BITS == 0
    return mode == MODE_OF_ADAPTIVE  ? RAH_ADAPTIVE
           : mode == MODE_OF_ORDERED ? RAH_IN_ORDER
                                     : RAH_HASH;
#else
    return mode;
#endif
}

static uint64_t pack_head(const struct head *head)
{
    return (uint64_t)(field(head->vc, RTR_HEAD_VC_BITS, HEAD_VC_AT) |
                      field(head->length, RTR_LENGTH_BITS, HEAD_LENGTH_AT) |
                      field(mode_of(head->mode), RTR_MODE_BITS, HEAD_MODE_AT) |
                      field(head->phase, RTR_PHASE_BITS, HEAD_PHASE_AT) |
                      field(head->global, RTR_GLOBAL_BITS, HEAD_GLOBAL_AT) |
                      field(head->local, RTR_LOCAL_BITS, HEAD_LOCAL_AT) |
                      field(head->sub, RTR_SUB_BITS, HEAD_SUB_AT) |
                      field(head->hash, RTR_HASH_BITS, HEAD_HASH_AT) |
                      field(head->tag, HEAD_REST_BITS, 0));
}

static struct head unpack_head(uint64_t flit)
{
    const rtr_flit head = (rtr_flit)flit;
    return (struct head){
        .vc = (unsigned)head_vc(head),
#if RTR_LENGTH_BITS != 0
        .length = (unsigned)head_length(head),
#endif
        .mode = (unsigned)head_mode(head),
        .phase = (unsigned)head_phase(head),
        .global = (unsigned)head_global(head),
        .local = (unsigned)head_local(head),
        .sub = (unsigned)head_sub(head),
        .hash = (unsigned)head_hash(head),
        .tag = (unsigned)head & ((1U << HEAD_REST_BITS) - 1),
    };
}

#if RTR_LENGTH_BITS == 0
static uint64_t pack_end(const uint64_t *flits, unsigned count)
{
    const uint64_t without_vc = (UINT64_C(1) << HEAD_VC_AT) - 1;
    pkt_crc crc = 0;
    for (unsigned i = 0; i < count; i++)
        crc = core_step(crc, (lcb_flit)(i ? flits[i] : flits[i] & without_vc));
    return (uint64_t)end_pack(0, (lcb_count)(count + 1), core_end(crc));
}
#endif

static unsigned route_address(unsigned port, enum memory memory)
{
    return port / RTR_COLS << 13 | port % RTR_COLS << 10 |
           (memory == MEMORY_FIRST ? RTR_REG_OUTPUT : RTR_REG_ROUTE);
}

static unsigned counter_address(unsigned port, unsigned counter)
{
    return port / RTR_COLS << 13 | port % RTR_COLS << 10 | (RTR_REG_COUNTERS + counter);
}

static unsigned arrived_address(unsigned port, unsigned vc)
{
    return counter_address(port, RTR_INCOMING_FLIT_VC0 + vc);
}

static unsigned dropped_address(unsigned port)
{
    return counter_address(port, RTR_NO_ROUTE);
}

static uint64_t route_data(enum memory memory, unsigned index, uint64_t word)
{
    static const unsigned kind[MEMORIES] = {
        [MEMORY_MINIMAL] = ROUTE_MINIMAL, [MEMORY_NONMINIMAL] = ROUTE_NONMINIMAL,
        [MEMORY_VC_MAP] = ROUTE_VC_MAP,   [MEMORY_BIAS] = ROUTE_BIAS,
        [MEMORY_HERE] = ROUTE_HERE,
    };
    if (memory == MEMORY_FIRST)
        return word << RTR_REG_OUTPUT_FIRST_AT;
    return (uint64_t)kind[memory] << 61 | (uint64_t)index << 48 | word;
}

const struct machine THIS_MACHINE = {
    .name = THIS_NAME,
    .rows = RTR_ROWS,
    .cols = RTR_COLS,
    .ports = RTR_PORTS,
    .vcs = RTR_VCS,
    .phases = 1U << RTR_PHASE_BITS,
    .packet = RTR_PACKET,
    .flit_bits = RTR_FLIT_BITS,
    .globals = 1U << RTR_GLOBAL_BITS,
    .locals = 1U << RTR_LOCAL_BITS,
    .fars = 1U << ROUTE_FAR_BITS,
    .nears = RTR_NEAR_BITS ? 1U << RTR_NEAR_BITS : 0,
    .subs = 1U << RTR_SUB_BITS,
    .hashes = 1U << RTR_HASH_BITS,
    .tags = 1U << HEAD_REST_BITS,
    .two_step = RTR_TWO_STEP,
    .by_end = RTR_LENGTH_BITS == 0,
    .entry_at = entry_at,
    .hop_at = hop_at,
    .pack_entry = pack_entry,
    .unpack_entry = unpack_entry,
    .pack_hop = pack_hop,
    .unpack_hop = unpack_hop,
    .pack_here = pack_here,
    .pack_head = pack_head,
    .unpack_head = unpack_head,
#if RTR_LENGTH_BITS == 0
    .pack_end = pack_end,
#endif
    .route_address = route_address,
    .route_data = route_data,
    .arrived_address = arrived_address,
    .dropped_address = dropped_address,
};
