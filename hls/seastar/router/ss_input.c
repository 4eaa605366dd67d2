// SPDX-License-Identifier: Apache-2.0
/*
 * ss_input.c - one input of the router.
 *
 * A packet asks when all of it is here, or when its head came with the word that the rest follows without a gap: so no output
 * waits for a link. Nothing that came is lost for want of a way: it is stored as others are, and leaves for nowhere.
 */
#include "seastar/router/ss_input.h"

#include "common/arbiter.h"

HLS_RESET void ss_input_reset(struct ss_input *self)
{
    self->out = (struct ss_input_out){};
    ss_store_reset(&self->store);
    ss_packets_reset(&self->packets);
    self->left = 0;
    self->came = (struct ss_arrival){};
    self->looked = (struct ss_arrival){};
    self->vc = 0;
    self->refused = 0;
    self->announced = 0;
    self->packet = (struct ss_packet){};
    for (int v = 0; v < SS_VCS; v++) {
        self->refused_flits[v] = 0;
    }
    self->leaving = (struct ss_leaving){};
    self->then = (struct ss_leaving){};
    self->after = 0;
}

/* ---- clocks 0 and 1: framing, while the tables are read ----------------------------------------- */

static inline struct ss_arrival frame(struct ss_input *self, const struct ss_input_in *in)
{
    u1 head = self->left == 0;
    u4 left = (u4)((head ? ss_head_length(in->flit) : self->left) - 1);

    if (in->valid) {
        self->left = left;
    }
    return (struct ss_arrival){
        .valid = in->valid,
        .head = head,
        .tail = left == 0,
        .whole = in->whole,
        .flit = {.flit = in->flit, .tail = left == 0, .bad = in->bad},
    };
}

/* ---- clock 2: where it goes, and into the store --------------------------------------------------- */

static inline u1 legal_length(u4 length)
{
    return length != 0 && length <= SS_LONGEST;
}

/* Where a head goes. In its own dimension v says that it crosses the dateline; entering one, the VC that it takes there. */
static inline struct ss_packet way_of(struct ss_input *self, const struct ss_input_in *in,
                                      ss_flit head)
{
    struct ss_entry_ecc_result entry = ss_entry_ecc_decode(in->entry);
    ss_port port = (ss_port)entry.data;
    u1 v = (u1)(entry.data >> 3), dateline = (u1)ss_head_vc(head);
    u1 goes_on = in->own != 0 && port != 0 && ss_dimension(in->own) == ss_dimension(port);
    u1 illegal = !legal_length(ss_head_length(head)) || self->refused;
    u1 none = entry.fatal || port >= SS_PORTS || (port == in->own && port != 0);
    u1 dead = !none && (u1)(in->dead >> port);
    u12 waited = (u12)((u12)ss_head_age(head) + in->bias[(u1)(ss_head_vc(head) >> 1)]);
    ss_age age = waited >> SS_AGE_BITS != 0 ? (ss_age)-1 : (ss_age)waited;

    self->out.events.illegal = illegal;
    self->out.events.no_route = !illegal && none;
    self->out.events.dead = !illegal && dead;
    self->out.events.corrected = entry.corrected;
    self->out.events.fatal = entry.fatal;
    return (struct ss_packet){
        .port = illegal || none || dead ? (ss_port)SS_NOWHERE : port,
        .dateline = goes_on ? (u1)(dateline || v) : v,
        .born = (ss_tick)(in->tick - age),
        .length = ss_head_length(head),
    };
}

/* A flit that has been looked up. What is to be stored, and of which packet that now may ask. */
static inline void arrive(struct ss_input *self, const struct ss_input_in *in,
                          struct ss_store_in *store, struct ss_packets_in *packets)
{
    struct ss_arrival a = self->looked;
    u1 head = a.valid && a.head;

    self->out.events = (struct ss_input_events){};
    if (head) {
        self->vc = (ss_vc)ss_head_vc(a.flit.flit);
        self->refused = (u1)(ss_head_vc(a.flit.flit) >> 2);
        self->packet = way_of(self, in, a.flit.flit);
    }
    self->out.events.came.valid = a.valid;
    self->out.events.came.vc = (u3)(((u3)self->refused << 2) | self->vc);
    u1 stored = a.valid && !self->refused;
    u1 announced = !a.head && self->announced;

    packets->push = stored && !announced && (a.tail || (a.head && a.whole));
    packets->push_vc = self->vc;
    packets->packet = self->packet;
    if (a.valid) {
        self->announced = announced || packets->push;
    }
    store->push = stored;
    store->push_vc = self->vc;
    store->pushed = a.flit;
    for (int v = 0; v < SS_VCS; v++) {
        u1 refused = a.valid && self->refused && self->vc == (ss_vc)v;

        self->refused_flits[v] += refused;
    }
}

/* ---- clock 3: offers ---------------------------------------------------------------------------- */

static inline ss_age age_of(ss_tick born, ss_tick tick)
{
    ss_tick waited = (ss_tick)(tick - born);

    return (u1)(waited >> SS_AGE_BITS) ? (ss_age)-1 : (ss_age)waited;
}

/* To each output a packet that may go there: of VCs the next behind the one that left last. */
static inline void offer(struct ss_input *self, const struct ss_input_in *in, u1 may, ss_vcs able)
{
    ss_age age[SS_VCS];

    for (int v = 0; v < SS_VCS; v++) {
        age[v] = age_of(self->packets.out.first[v].born, in->tick);
    }
    for (int o = 0; o <= SS_PORTS; o++) {
        ss_port port = o == SS_PORTS ? (ss_port)SS_NOWHERE : (ss_port)o;
        ss_vcs wants = 0;

        for (int v = 0; v < SS_VCS; v++) {
            struct ss_packet p = self->packets.out.first[v];
            ss_vc next = (ss_vc)((v & 2) | p.dateline);
            u1 room = o == SS_PORTS ? (u1)1 : (u1)(in->room[o == SS_PORTS ? 0 : o] >> next);

            wants |= (ss_vcs)((ss_vcs)(p.port == port && room) << v);
        }
        u8 one = mask_serve((u8)(wants & able), self->after);
        ss_vc vc = (ss_vc)mask_index(one);

        self->out.offer[o] = (struct ss_offer){
            .valid = may && one != 0,
            .vc = vc,
            .next = (ss_vc)((vc & 2) | self->packets.out.first[vc].dateline),
            .age = age[vc],
        };
    }
}

/* ---- clock 5: a flit leaves ------------------------------------------------------------------------ */

/* Bit by VC. */
static inline u1 of_vc(ss_vcs set, ss_vc vc)
{
    return (u1)(set >> vc);
}

static inline void leave(struct ss_input *self, const struct ss_input_in *in,
                         struct ss_store_in *store, struct ss_packets_in *packets)
{
    struct ss_leaving granted = {.valid = in->grant.valid,
                                 .left = self->packets.out.first[in->grant.vc].length,
                                 .vc = in->grant.vc,
                                 .next = in->grant.next,
                                 .age = in->grant.age,
                                 .to = in->grant.to};
    struct ss_leaving now = self->leaving, then = self->then;

    hls_assume(!granted.valid || !then.valid);
    if (!now.valid) {
        now = then.valid ? then : granted;
        then = (struct ss_leaving){};
    } else if (granted.valid) {
        then = granted;
    }
    ss_ways go = (ss_ways)(in->go | ((ss_ways)1 << SS_PORTS));
    u1 pops = now.valid && of_vc(self->store.out.some, now.vc) && (now.to & go) != 0;
    u1 ends = pops && of_vc(self->store.out.tail, now.vc);

    now.left -= pops;
    self->out.cross.valid = pops && (u1)(now.to >> SS_PORTS) == 0;
    self->out.cross.head = !now.begun;
    self->out.cross.vc = now.next;
    self->out.cross.age = now.age;
    self->out.cross.to = now.to;
    store->pop = pops;
    store->pop_vc = now.vc;
    store->sends = now.vc;
    packets->take = granted.valid;
    packets->take_vc = granted.vc;
    if (granted.valid) {
        self->after = mask_above((u8)((u8)1 << granted.vc));
    }
    /* The first of a VC is offered from the clock on in which no flit, or a tail alone, is left before it. */
    ss_vcs able = self->packets.out.waits;

    able &= now.valid ? (ss_vcs)(self->store.out.some | (ss_vcs)((ss_vcs)1 << now.vc))
                      : self->store.out.some;
    able &= granted.valid ? (ss_vcs) ~((ss_vcs)1 << granted.vc) : (ss_vcs)-1;
    offer(self, in, !then.valid && (!now.valid || now.left <= 1), able);

    now.begun = now.begun || pops;
    now.valid = now.valid && !ends;
    self->leaving = now;
    self->then = then;
    self->out.leaves = now.valid ? now.to : (ss_ways)0;
    self->out.leaves_vc = now.vc;
    self->out.follows = then.valid ? then.to : (ss_ways)0;
}

/* A flit that left, else one that was refused. */
static inline void give_back(struct ss_input *self, const struct ss_store_in *store)
{
    u1 freed = 0;
    u3 vc = 0;

    for (int v = 0; v < SS_VCS; v++) {
        u1 gives = !store->pop && !freed && self->refused_flits[v] != 0;

        self->refused_flits[v] -= gives;
        vc = gives ? (u3)(4 + v) : vc;
        freed = freed || gives;
    }
    self->out.freed = (struct ss_vc_note){.valid = store->pop || freed,
                                          .vc = store->pop ? (u3)store->pop_vc : vc};
}

HLS_MODULE void ss_input(struct ss_input *self, const struct ss_input_in *in)
{
    struct ss_store_in store = {};
    struct ss_packets_in packets = {};

    leave(self, in, &store, &packets);
    arrive(self, in, &store, &packets);
    self->out.events.corrected |= self->store.out.corrected || self->packets.out.corrected;
    self->out.events.fatal |= self->store.out.fatal || self->packets.out.fatal;
    give_back(self, &store);
    self->looked = self->came;
    self->came = frame(self, in);
    ss_store(&self->store, &store);
    ss_packets(&self->packets, &packets);
    self->out.tails = self->store.out.tail;
    self->out.cross.flit = self->store.out.popped.flit;
    self->out.cross.tail = self->store.out.popped.tail;
    self->out.cross.bad = self->store.out.popped.bad;
}
