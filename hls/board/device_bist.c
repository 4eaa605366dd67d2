// SPDX-License-Identifier: Apache-2.0
/*
 * device_bist.c - the self-test of a device: wires between it, its cable, the processors and the console.
 */
#include "board/device_bist.h"
#include "board/board_bus.h"

#if RTR_LINKS != 2 || RTR_ROWS != 2 || RTR_COLS != 2
#error                                                                                             \
    "device_bist: for proto, whose links are the ports of row 0 and whose processors are those of row 1"
#endif

/* What the registers show; device_text.c prints them in this order. */
enum device_value {
    VALUE_SECONDS,
    VALUE_PROCESSOR,                                   /* rate, lost, cut and wrong of each */
    VALUE_LINK = VALUE_PROCESSOR + 4 * DEV_PROCESSORS, /* state and lanes of each */
};

HLS_RESET void device_bist_reset(struct device_bist *self)
{
    self->out = (struct device_bist_out){.tx = 1};
    for (int i = 0; i < BIST_VALUES; i++) {
        self->shown[i] = 0;
    }
    device_reset(&self->device);
    for (int i = 0; i < 2; i++) {
        bist_port_reset(&self->ports[i]);
        bist_cable_reset(&self->cable[i]);
    }
    bist_regs_reset(&self->regs);
    console_reset(&self->console);
    device_text_reset(&self->text);
}

/* A hop, and the list of those behind it; none is ones. */
static inline bist_route hop(int row, int col, bist_route then)
{
    return (bist_route)(then << HEAD_HOP_BITS | (u6)(row << 3 | col));
}

/* Processor p sends over the link beside it to the other one, and to itself. */
static inline struct bist_port_in port_inputs(const struct device_bist *self, int p)
{
    return (struct bist_port_in){
        .run = self->regs.out.run,
        .tick = self->regs.out.tick,
        .clear = self->regs.out.clear,
        .route = {hop(0, p, hop(1, 1 - p, (bist_route)-1)), hop(1, p, (bist_route)-1)},
        .from_router = self->device.out.to_processor[p],
    };
}

/* From link l. Only that from link 0 has errors. */
static inline struct bist_cable_in cable_inputs(const struct device_bist *self, int l)
{
    const u16 *lane = self->device.out.cable[l].lane;
    u1 faulty = l == 0;

    return (struct bist_cable_in){
        .lane = {lane[0], lane[1], lane[2]},
        .cut = faulty ? self->regs.out.cut : (u3)0,
        .flip = faulty && self->regs.out.flip,
        .noise = faulty && self->regs.out.noise,
    };
}

static inline struct device_in device_inputs(const struct device_bist *self)
{
    struct device_in to = {.chip = 1};

    for (int i = 0; i < 2; i++) {
        const struct bist_cable_out *cable = &self->cable[1 - i].out;

        to.cable_in[i] = (struct cable_in){
            .lane_valid = cable->up,
            .lane_up = cable->up,
            .lane = {cable->other[0], cable->other[1], cable->other[2]},
        };
        to.manage[i].bus = bus_to(self->console.out.bus, i == 0 ? UNIT_LINK0 : UNIT_LINK1);
        to.from_processor[i] = self->ports[i].out.to_router;
    }
    return to;
}

static inline void show(struct device_bist *self)
{
    u8 led = (u8)((u8)(u1)self->regs.out.seconds << 7 | (u8)(self->regs.out.cut != 0) << 3 |
                  (u8)self->regs.out.noise << 2);

    self->shown[VALUE_SECONDS] = self->regs.out.seconds;
    for (int i = 0; i < 2; i++) {
        const struct bist_check_out *seen = &self->ports[i].out.seen;
        const struct link_status *link = &self->device.out.status[i];
        u3 map = link->rx_map;

        self->shown[VALUE_PROCESSOR + 4 * i] = seen->rate;
        self->shown[VALUE_PROCESSOR + 4 * i + 1] = seen->lost;
        self->shown[VALUE_PROCESSOR + 4 * i + 2] = seen->cut;
        self->shown[VALUE_PROCESSOR + 4 * i + 3] = seen->wrong;
        self->shown[VALUE_LINK + 2 * i] = link->state;
        self->shown[VALUE_LINK + 2 * i + 1] = (u2)((u2)(u1)map + (u1)(map >> 1) + (u1)(map >> 2));
        led |= (u8)((u8)(link->state == LINK_RUN) << i | (u8)(seen->lost != 0) << 4 |
                    (u8)(seen->cut != 0) << 5 | (u8)(seen->wrong != 0) << 6);
    }
    self->out.led = led;
}

HLS_MODULE void device_bist(struct device_bist *self, const struct device_bist_in *in)
{
    struct device_in device_wires = device_inputs(self);
    struct bist_port_in ports[2] = {port_inputs(self, 0), port_inputs(self, 1)};
    struct bist_cable_in cable[2] = {cable_inputs(self, 0), cable_inputs(self, 1)};
    struct bist_regs_in regs = {
        .second = in->second,
        .bus = bus_to(self->console.out.bus, UNIT_BIST),
    };
    struct device_text_in text = {
        .at = self->console.out.at,
        .field = self->console.out.field,
        .letter = self->console.out.letter,
    };
    struct console_in console_wires = {
        .bit_clocks = in->bit_clocks,
        .rx = in->rx,
        .tick = self->regs.out.tick,
        .text = self->text.out.text,
        .bus = bus_from(self->regs.out.bus, self->device.out.status[0].bus,
                        self->device.out.status[1].bus),
    };

    for (int i = 0; i < BIST_VALUES; i++) {
        regs.value[i] = self->shown[i];
    }
    show(self);
    device(&self->device, &device_wires);
    for (int i = 0; i < 2; i++) {
        bist_port(&self->ports[i], &ports[i]);
        bist_cable(&self->cable[i], &cable[i]);
    }
    bist_regs(&self->regs, &regs);
    console(&self->console, &console_wires);
    device_text(&self->text, &text);
    self->out.tx = self->console.out.tx;
}
