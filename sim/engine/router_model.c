// SPDX-License-Identifier: Apache-2.0
/*
 * router_model.c - struct router_model of one machine; compiled once for each.
 */
#include "sim/engine/router_model.h"

#include <stddef.h>

#include "sim/engine/fast/fast.h"
#include "chip/link_port.h"

/* Nothing comes in the first clocks after a reset, in which the input queues set their counts. */
static void reset(void *memory)
{
    const struct router_in idle = {0};
    fast_reset(memory);
    for (unsigned v = 0; v < RTR_VCS; v++)
        fast(memory, &idle);
}

static struct port_in port_in(const struct wires_in *in)
{
    return (struct port_in){
        .valid = in->valid,
        .flit = (rtr_flit)in->flit,
        .bad = in->bad,
#if RTR_LENGTH_BITS == 0
        .tail = in->tail,
        .ok = (u2)in->ok,
#endif
        .ready = in->ready,
        .room = (rtr_vcs)in->room,
        .spare = (rtr_vcs)in->spare,
        .peer_load = (rtr_load)in->peer_load,
        .far_request = (rtr_far)in->far_request,
        .far_response = (rtr_far)in->far_response,
        .dead = in->dead,
    };
}

static struct wires_out wires_out(const struct port_out *out)
{
    return (struct wires_out){
        .flit = (uint64_t)out->flit,
        .valid = out->valid,
        .head = out->head,
        .tail = out->tail,
        .bad = out->bad,
        .freed = out->freed.valid,
#if RTR_LENGTH_BITS == 0
        .refused = out->refused,
#endif
        .start = out->start.valid,
        .freed_vc = (uint8_t)out->freed.vc,
        .start_vc = (uint8_t)out->start.vc,
    };
}

static inline void clock_by(void (*clock)(struct fast *, const struct router_in *), void *memory,
                            const struct wires_in *in, struct wires_out *out, struct bus *bus)
{
    struct fast *self = memory;
    struct router_in to = {
        .bus = {.valid = bus->valid,
                .write = bus->write,
                .addr = (u16)bus->address,
                .wdata = (u64)bus->data},
    };
    for (int p = 0; p < RTR_PORTS; p++)
        to.from_link[p] = port_in(&in[p]);
    clock(self, &to);
    for (int p = 0; p < RTR_PORTS; p++)
        out[p] = wires_out(&self->router.out.to_link[p]);
    bus->ready = self->router.out.bus.ready;
    bus->error = self->router.out.bus.error;
    bus->reply = (uint64_t)self->router.out.bus.rdata;
}

static void clock_router(void *memory, const struct wires_in *in, struct wires_out *out,
                         struct bus *bus)
{
    clock_by(fast, memory, in, out, bus);
}

static void clock_plain(void *memory, const struct wires_in *in, struct wires_out *out,
                        struct bus *bus)
{
    clock_by(fast_plain, memory, in, out, bus);
}

/* Registers and small memories, without what stands in block RAM. */
static inline void expect_bytes(const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += 64)
        __builtin_prefetch((const char *)from + at, 1, 2);
}

static void expect(const void *memory)
{
    const struct router *self = memory;
    for (int p = 0; p < RTR_PORTS; p++) {
        const struct tile *t = &self->tile[p];
        expect_bytes(t, offsetof(struct tile, queue.store) + 192);
        expect_bytes(&t->queue.route, offsetof(struct route, minimal_table));
        expect_bytes(&t->queue.stage, offsetof(struct stage_queue, codes));
        expect_bytes(t->queue.credit, sizeof t->queue - offsetof(struct input_queue, credit));
        for (int i = 0; i < RTR_COLS; i++)
            expect_bytes(&t->sub.buffer[i], 64);
        expect_bytes(t->sub.credit, sizeof t->sub - offsetof(struct subswitch, credit));
        for (int i = 0; i < RTR_ROWS; i++)
            expect_bytes(&t->mux.buffer[i], 64);
        expect_bytes(t->mux.candidate, sizeof *t - offsetof(struct tile, mux.candidate));
    }
}

static void write_word(void *memory, unsigned port, enum memory kind, unsigned index, uint64_t word)
{
    struct tile *tile = &((struct router *)memory)->tile[port];
    struct route *route = &tile->queue.route;
    switch (kind) {
    case MEMORY_MINIMAL:
        route->minimal_table[(route_index)index] = route_ecc_encode((route_entry)word);
        break;
    case MEMORY_NONMINIMAL:
        route->nonminimal_table[(route_index)index] = route_ecc_encode((route_entry)word);
        break;
    case MEMORY_VC_MAP:
        route->vc_map[(route_map_index)index] = route_map_encode((route_map_entry)word);
        break;
    case MEMORY_BIAS:
#if RTR_LENGTH_BITS != 0
        route->bias = (route_biases)word;
#else
        route->bias = bias_of((route_biases)word, 0);
#endif
        break;
    case MEMORY_HERE:
        route->local = (rtr_local)word;
        route->global = (rtr_global)(word >> RTR_LOCAL_BITS);
#if RTR_NEAR_BITS != 0
        route->nobody.near = (u1)(word >> ROUTE_NO_NEAR_AT);
        route->nobody.far = (u1)(word >> ROUTE_NO_FAR_AT);
#endif
        route->random = route_seed(
            (u48)word, (struct rtr_place){(rtr_row)(port / RTR_COLS), (rtr_col)(port % RTR_COLS)});
        break;
    case MEMORY_FIRST:
        tile->ctl.out.first = (rtr_rows)word;
        break;
    case MEMORIES:
        break;
    }
}

static uint64_t read_word(const void *memory, unsigned port, enum memory kind, unsigned index)
{
    const struct tile *tile = &((const struct router *)memory)->tile[port];
    const struct route *route = &tile->queue.route;
    switch (kind) {
    case MEMORY_MINIMAL:
        return (uint64_t)route_ecc_decode(route->minimal_table[(route_index)index]).data;
    case MEMORY_NONMINIMAL:
        return (uint64_t)route_ecc_decode(route->nonminimal_table[(route_index)index]).data;
    case MEMORY_VC_MAP:
        return (uint64_t)route_map_decode(route->vc_map[(route_map_index)index]).data;
    case MEMORY_BIAS:
#if RTR_LENGTH_BITS != 0
        return (uint64_t)route->bias;
#else
        return (uint64_t)route->bias.add |
               (uint64_t)route->bias.add_minimal << ROUTE_ADD_MINIMAL_AT |
               (uint64_t)route->bias.halve << ROUTE_HALVE_AT |
               (uint64_t)route->bias.halve_minimal << ROUTE_HALVE_MINIMAL_AT;
#endif
    case MEMORY_HERE:
#if RTR_NEAR_BITS != 0
        return (uint64_t)route->global << RTR_LOCAL_BITS | (uint64_t)route->local |
               (uint64_t)route->nobody.near << ROUTE_NO_NEAR_AT |
               (uint64_t)route->nobody.far << ROUTE_NO_FAR_AT;
#else
        return (uint64_t)route->global << RTR_LOCAL_BITS | (uint64_t)route->local;
#endif
    case MEMORY_FIRST:
        return (uint64_t)tile->ctl.out.first;
    case MEMORIES:
        break;
    }
    return 0;
}

#if RTR_LENGTH_BITS == 0
static_assert((int)MODEL_GOOD == OK_GOOD && (int)MODEL_SOFT == OK_SOFT && (int)MODEL_CUT == OK_CUT,
              "verdicts are those of the link");
#endif

static_assert((int)BLOCK_DEAD == LINK_DEAD && (int)BLOCK_TRAIN == LINK_TRAIN &&
                  (int)BLOCK_READY == LINK_READY && (int)BLOCK_START == LINK_START &&
                  (int)BLOCK_RUN == LINK_RUN && (int)BLOCK_FLUSH == LINK_FLUSH &&
                  (int)BLOCK_LOOP == LINK_LOOP,
              "states are those of the status register");

static void link_reset(void *memory)
{
    link_port_reset(memory);
}

static struct port_out port_out(const struct wires_out *out)
{
    return (struct port_out){
        .freed = {.valid = out->freed, .vc = (head_vc_field)out->freed_vc},
#if RTR_LENGTH_BITS == 0
        .refused = out->refused,
#endif
        .valid = out->valid,
        .flit = (rtr_flit)out->flit,
        .head = out->head,
        .tail = out->tail,
        .bad = out->bad,
        .start = {.valid = out->start, .vc = (rtr_vc)out->start_vc},
    };
}

static struct wires_in wires_in(const struct port_in *in)
{
    return (struct wires_in){
        .flit = (uint64_t)in->flit,
        .valid = in->valid,
        .bad = in->bad,
#if RTR_LENGTH_BITS == 0
        .tail = in->tail,
        .ok = (uint8_t)in->ok,
#endif
        .ready = in->ready,
        .dead = in->dead,
        .room = (uint8_t)in->room,
        .spare = (uint8_t)in->spare,
        .peer_load = (uint8_t)in->peer_load,
        .far_request = (uint8_t)in->far_request,
        .far_response = (uint8_t)in->far_response,
    };
}

static void link_clock(void *memory, const struct wires_out *from_router,
                       const struct lanes *from_cable, struct link_side *side,
                       struct wires_in *to_router, struct lanes *to_cable)
{
    struct link_port *self = memory;
    struct link_port_in in = {
        .from_router = port_out(from_router),
        .cable_in = {.lane_valid = from_cable->up && from_cable->valid ? (u3)7 : (u3)0,
                     .lane_up = from_cable->up ? (u3)7 : (u3)0},
#if !LCB_PACKET
        .now = (lcb_time)side->now,
#endif
        .restart = side->restart,
        .identity = {.chip = (u16)side->chip, .port = (u6)side->port},
        .bus = {.valid = side->bus.valid,
                .write = side->bus.write,
                .addr = (u16)side->bus.address,
                .wdata = (u64)side->bus.data},
    };
    for (int lane = 0; lane < LANES; lane++)
        in.cable_in.lane[lane] = from_cable->word[lane];
    link_port(self, &in);
    *to_router = wires_in(&self->out.to_router);
    side->bus.ready = self->out.bus.ready;
    side->bus.error = self->out.bus.error;
    side->bus.reply = (uint64_t)self->out.bus.rdata;
    side->up = self->out.state == LINK_RUN;
    side->degraded = side->up && (u3)(self->out.tx_map & self->out.rx_map) != 7;
    side->dead = self->out.to_router.dead;
#if LCB_PACKET
    side->reported = self->out.report.valid && self->out.report.tail && !self->out.report.bad;
#else
    side->reported = self->out.report.valid;
#endif
    for (int lane = 0; lane < LANES; lane++)
        to_cable->word[lane] = (uint16_t)self->out.cable.lane[lane];
    to_cable->up = true;
#if LANE_PACE > 1
    to_cable->valid = self->out.cable.lane_valid;
#else
    to_cable->valid = true;
#endif
}

static const struct link_model link_model = {
    .size = sizeof(struct link_port), .reset = link_reset, .clock = link_clock};

const struct router_model THIS_ROUTER = {
    .link = &link_model,
    .maint = &THIS_MAINT,
    .machine = &THIS_MACHINE,
    .size = sizeof(struct fast),
    .registers = sizeof(struct router),
#if RTR_INQ_SHARED
    .credit = RTR_INQ_GUARANTEED,
    .credit_shared = RTR_INQ_CREDIT_SHARED,
#else
    .credit = RTR_INQ_CREDIT_VC,
    .credit_shared = 0,
#endif
    .reset = reset,
    .clock = clock_router,
    .plain = clock_plain,
    .expect = expect,
    .write = write_word,
    .read = read_word,
};
