// SPDX-License-Identifier: Apache-2.0
/*
 * chips_signals.c - signals of a node by number, for waveforms.
 */
#include "sim/host/machined/chips_inside.h"

/* name, bits, value: `in` and `out` are the ports of the node's chip. */
#define SIGNALS(S)                                                                                 \
    S("s_axi_awvalid", 1, in->s_axi[0].awvalid)                                                    \
    S("s_axi_awready", 1, out->s_axi[0].awready)                                                   \
    S("s_axi_awaddr", AXI_BAR_BITS, in->s_axi[0].awaddr)                                           \
    S("s_axi_wvalid", 1, in->s_axi[0].wvalid)                                                      \
    S("s_axi_wready", 1, out->s_axi[0].wready)                                                     \
    S("s_axi_wlast", 1, in->s_axi[0].wlast)                                                        \
    S("s_axi_wstrb", 16, in->s_axi[0].wstrb)                                                       \
    S("s_axi_wdata_low", 64, (u64)in->s_axi[0].wdata)                                              \
    S("s_axi_bvalid", 1, out->s_axi[0].bvalid)                                                     \
    S("s_axi_bresp", 2, out->s_axi[0].bresp)                                                       \
    S("s_axi_arvalid", 1, in->s_axi[0].arvalid)                                                    \
    S("s_axi_rvalid", 1, out->s_axi[0].rvalid)                                                     \
    S("m_axi_awvalid", 1, out->m_axi[0].awvalid)                                                   \
    S("m_axi_awready", 1, in->m_axi[0].awready)                                                    \
    S("m_axi_awaddr", 48, out->m_axi[0].awaddr)                                                    \
    S("m_axi_awid", 4, out->m_axi[0].awid)                                                         \
    S("m_axi_wvalid", 1, out->m_axi[0].wvalid)                                                     \
    S("m_axi_wready", 1, in->m_axi[0].wready)                                                      \
    S("m_axi_wdata_low", 64, (u64)out->m_axi[0].wdata)                                             \
    S("m_axi_bvalid", 1, in->m_axi[0].bvalid)                                                      \
    S("m_axi_bresp", 2, in->m_axi[0].bresp)                                                        \
    S("m_axi_arvalid", 1, out->m_axi[0].arvalid)                                                   \
    S("m_axi_arready", 1, in->m_axi[0].arready)                                                    \
    S("m_axi_araddr", 48, out->m_axi[0].araddr)                                                    \
    S("m_axi_rvalid", 1, in->m_axi[0].rvalid)                                                      \
    S("m_axi_rlast", 1, in->m_axi[0].rlast)                                                        \
    S("m_axi_rdata_low", 64, (u64)in->m_axi[0].rdata)                                              \
    S("s_axil_awvalid", 1, in->s_axil[0].awvalid)                                                  \
    S("s_axil_arvalid", 1, in->s_axil[0].arvalid)                                                  \
    S("irq", 1, out->irq[0])                                                                       \
    S("link0_state", 4, (u4)out->status[0].state)                                                  \
    S("link1_state", 4, (u4)out->status[1].state)                                                  \
    S("link0_lane0", 16, out->cable[0].lane[0])                                                    \
    S("link0_lane1", 16, out->cable[0].lane[1])                                                    \
    S("link0_lane2", 16, out->cable[0].lane[2])                                                    \
    S("link1_lane0", 16, out->cable[1].lane[0])                                                    \
    S("link1_lane1", 16, out->cable[1].lane[1])                                                    \
    S("link1_lane2", 16, out->cable[1].lane[2])

const char *chips_signal_name(unsigned signal, unsigned *bits)
{
    static const struct {
        const char *name;
        unsigned bits;
    } signals[] = {
#define NAME(name, bits, value) {name, bits},
        SIGNALS(NAME)
#undef NAME
    };
    if (signal >= sizeof signals / sizeof signals[0])
        return 0;
    *bits = signals[signal].bits;
    return signals[signal].name;
}

uint64_t chips_signal(const struct chips *c, unsigned node, unsigned signal)
{
    const struct chip_in *in = &c->end[node].in;
    const struct chip_out *out = &c->end[node].chip.out;
    unsigned i = 0;
    uint64_t found = 0;
#define VALUE(name, bits, value)                                                                   \
    if (signal == i++)                                                                             \
        found = (uint64_t)(value);
    SIGNALS(VALUE)
#undef VALUE
    return found;
}
