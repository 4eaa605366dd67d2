// SPDX-License-Identifier: Apache-2.0
/*
 * link_bist.c - the self-test of a link: wires between its two ends, the cables, the console.
 */
#include "board/link_bist.h"
#include "board/board_bus.h"

/* What the registers show of an end; link_text.c prints them in this order. */
enum end_value {
    END_SECONDS,
    END_STATE,
    END_LANES,
    END_RATE,
    END_LOST,
    END_CUT,
    END_WRONG,
    END_VALUES = 8
};

HLS_RESET void link_bist_reset(struct link_bist *self)
{
    self->out = (struct link_bist_out){.tx = 1};
    for (int i = 0; i < BIST_VALUES; i++) {
        self->shown[i] = 0;
    }
    for (int e = 0; e < 2; e++) {
        bist_link_reset(&self->ends[e]);
        bist_cable_reset(&self->cable[e]);
    }
    bist_regs_reset(&self->regs);
    console_reset(&self->console);
    link_text_reset(&self->text);
}

static inline struct bist_link_in end_inputs(const struct link_bist *self, int e)
{
    const struct bist_cable_out *cable = &self->cable[1 - e].out;

    return (struct bist_link_in){
        .run = self->regs.out.run,
        .tick = self->regs.out.tick,
        .clear = self->regs.out.clear,
        .identity = {.chip = 1, .port = (u6)e},
        .rx_lane = {cable->other[0], cable->other[1], cable->other[2]},
        .lane_up = cable->up,
        .bus = bus_to(self->console.out.bus, e == 0 ? UNIT_LINK0 : UNIT_LINK1),
    };
}

/* From end e. Only that from a has errors. */
static inline struct bist_cable_in cable_inputs(const struct link_bist *self, int e)
{
    const struct bist_link_out *end = &self->ends[e].out;
    u1 faulty = e == 0;

    return (struct bist_cable_in){
        .lane = {end->tx_lane[0], end->tx_lane[1], end->tx_lane[2]},
        .cut = faulty ? self->regs.out.cut : (u3)0,
        .flip = faulty && self->regs.out.flip,
        .noise = faulty && self->regs.out.noise,
    };
}

static inline void show(struct link_bist *self)
{
    u8 led = (u8)((u8)(u1)self->regs.out.seconds << 7 | (u8)(self->regs.out.cut != 0) << 3 |
                  (u8)self->regs.out.noise << 2);

    for (int e = 0; e < 2; e++) {
        const struct bist_link_out *end = &self->ends[e].out;
        u32 *value = &self->shown[END_VALUES * e];

        value[END_SECONDS] = self->regs.out.seconds;
        value[END_STATE] = end->state;
        value[END_LANES] = end->lanes;
        value[END_RATE] = end->seen.rate;
        value[END_LOST] = end->seen.lost;
        value[END_CUT] = end->seen.cut;
        value[END_WRONG] = end->seen.wrong;
        led |= (u8)((u8)(end->state == LINK_RUN) << e | (u8)(end->seen.lost != 0) << 4 |
                    (u8)(end->seen.cut != 0) << 5 | (u8)(end->seen.wrong != 0) << 6);
    }
    self->out.led = led;
}

HLS_MODULE void link_bist(struct link_bist *self, const struct link_bist_in *in)
{
    struct bist_link_in ends[2] = {end_inputs(self, 0), end_inputs(self, 1)};
    struct bist_cable_in cable[2] = {cable_inputs(self, 0), cable_inputs(self, 1)};
    struct bist_regs_in regs = {.second = in->second,
                                .bus = bus_to(self->console.out.bus, UNIT_BIST)};
    struct link_text_in text = {
        .at = self->console.out.at,
        .field = self->console.out.field,
        .letter = self->console.out.letter,
    };
    struct console_in console_wires = {
        .bit_clocks = in->bit_clocks,
        .rx = in->rx,
        .tick = self->regs.out.tick,
        .text = self->text.out.text,
        .bus = bus_from(self->regs.out.bus, self->ends[0].out.bus, self->ends[1].out.bus),
    };

    for (int i = 0; i < BIST_VALUES; i++) {
        regs.value[i] = self->shown[i];
    }
    show(self);
    for (int e = 0; e < 2; e++) {
        bist_link(&self->ends[e], &ends[e]);
        bist_cable(&self->cable[e], &cable[e]);
    }
    bist_regs(&self->regs, &regs);
    console(&self->console, &console_wires);
    link_text(&self->text, &text);
    self->out.tx = self->console.out.tx;
}
