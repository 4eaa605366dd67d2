// SPDX-License-Identifier: Apache-2.0
/*
 * nested_ports: structs in structs on both sides; the port names are the paths joined by _.
 */
#include "hls.h"

struct nested_ports_addr {
    u2 group;
    u4 node;
};
struct nested_ports_packet {
    u1 valid;
    struct {
        struct nested_ports_addr from, to;
        u3 hops;
    } head;
    u24 body;
};

struct nested_ports_in {
    struct nested_ports_packet rx;
    struct nested_ports_addr here;
};
struct nested_ports_out {
    struct nested_ports_packet tx;
    struct {
        u16 arrived, passed;
    } count;
};
struct nested_ports {
    struct nested_ports_out out;
};

HLS_RESET void nested_ports_reset(struct nested_ports *self)
{
    *self = (struct nested_ports){0};
}

HLS_MODULE void nested_ports(struct nested_ports *self, const struct nested_ports_in *in)
{
    bool mine = in->rx.head.to.group == in->here.group &&
                (in->rx.head.to.node == in->here.node || in->here.node == 0);
    self->out.tx = in->rx;
    self->out.tx.head.hops++;
    if (mine) {
        self->out.tx.head.to = in->rx.head.from;
        self->out.tx.head.from = in->here;
    }
    self->out.count.arrived += in->rx.valid && mine;
    self->out.count.passed += in->rx.valid && !mine;
}
