// SPDX-License-Identifier: Apache-2.0
/*
 * maint_model.c - struct maint_model of one machine, if a controller reaches it by AXI4-Lite; compiled once for each.
 */
#include "sim/engine/router_model.h"

#include "config/machine.h"

#if DEV_MAINT && !DEV_TAPS
#include "chip/maint/maint_axil.h"
#include "chip/maint/supervisor.h"

struct maint {
    struct maint_axil axil;
    struct maint_bus bus;
    struct supervisor supervisor;
};

static_assert(MODEL_ROUTER == UNIT_ROUTER && MODEL_SUPERVISOR == UNIT_SUPERVISOR &&
                  MODEL_LINKS == UNIT_LINKS,
              "units are those of the bus");

static void reset(void *memory)
{
    struct maint *m = memory;
    maint_axil_reset(&m->axil);
    maint_bus_reset(&m->bus);
    supervisor_reset(&m->supervisor);
}

static struct maint_axil_in axil_in(const struct maint *m, const struct maint_ask *ask)
{
    return (struct maint_axil_in){
        .s_axil = {.awaddr = (uint(AXI_LITE_BITS))(ask->awaddress << 3),
                   .awvalid = ask->awvalid,
                   .wdata = (u64)ask->wdata,
                   .wstrb = 0xFF,
                   .wvalid = ask->wvalid,
                   .bready = ask->bready,
                   .araddr = (uint(AXI_LITE_BITS))(ask->araddress << 3),
                   .arvalid = ask->arvalid,
                   .rready = ask->rready},
        .awunit = (u8)ask->awunit,
        .arunit = (u8)ask->arunit,
        .bus = m->bus.out.to[0],
    };
}

/* The reply of the unit that is asked, as hls/chip/maint/device_join.inc joins them. */
static struct maint_bus_in bus_in(const struct maint *m, const struct maint_parts *parts)
{
    const struct reg_reply *own = &m->supervisor.out.bus;
    const bool to_own = m->bus.out.bus.unit == UNIT_SUPERVISOR;
    return (struct maint_bus_in){
        .from = {maint_axil_request(&m->axil.out)},
        .reply = {.ready = to_own ? own->ready : (u1)parts->ready,
                  .error = to_own ? own->error : (u1)parts->error,
                  .rdata = to_own ? own->rdata : (u64)parts->reply},
    };
}

static struct supervisor_in supervisor_in(const struct maint *m, const struct maint_parts *parts)
{
    const struct maint_request *bus = &m->bus.out.bus;
    return (struct supervisor_in){
        .up = (dev_links)parts->up,
        .degraded = (dev_links)parts->degraded,
        .dead = (dev_links)parts->dead,
        .bus = {.valid = bus->valid && bus->unit == UNIT_SUPERVISOR,
                .write = bus->write,
                .addr = bus->addr,
                .wdata = bus->wdata},
    };
}

static void clock(void *memory, const struct maint_ask *ask, const struct maint_parts *parts,
                  struct maint_say *say, struct maint_tells *tells)
{
    struct maint *m = memory;
    const struct maint_axil_in axil = axil_in(m, ask);
    const struct maint_bus_in bus = bus_in(m, parts);
    const struct supervisor_in own = supervisor_in(m, parts);
    maint_axil(&m->axil, &axil);
    maint_bus(&m->bus, &bus);
    supervisor(&m->supervisor, &own);
    const struct axil_from_sub *from = &m->axil.out.s_axil;
    *say = (struct maint_say){.awready = from->awready,
                              .wready = from->wready,
                              .arready = from->arready,
                              .bvalid = from->bvalid,
                              .rvalid = from->rvalid,
                              .error = (from->bvalid && from->bresp != 0) ||
                                       (from->rvalid && from->rresp != 0),
                              .rdata = (uint64_t)from->rdata};
    const struct maint_request *to = &m->bus.out.bus;
    *tells = (struct maint_tells){.valid = to->valid,
                                  .write = to->write,
                                  .unit = (unsigned)to->unit,
                                  .address = (unsigned)to->addr,
                                  .data = (uint64_t)to->wdata,
                                  .restart = (uint64_t)m->supervisor.out.restart,
                                  .number = (unsigned)m->supervisor.out.number,
                                  .irq = m->supervisor.out.irq};
}

const struct maint_model THIS_MAINT = {
    .size = sizeof(struct maint), .reset = reset, .clock = clock};
#else
const struct maint_model THIS_MAINT = {0};
#endif
