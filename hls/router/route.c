// SPDX-License-Identifier: Apache-2.0
/*
 * route.c - which port a packet leaves by, in four stages: tables read; candidates weighed; the best one
 * chosen and the VC map read; the head rewritten and encoded. The other flits follow their head.
 *
 * Tables and VC map are written when nobody reads them: a write waits until then, and meanwhile out.hold asks for a
 * pause.
 */
#include "router/route.h"

#include "router/masks.h"
#include "router/rtr_ecc.h"

HLS_RESET void route_reset(struct route *self)
{
    self->out = (struct route_out){};
    self->started = 0;
    self->random = 0;
    self->global = 0;
    self->local = 0;
    self->bias = 0;
    self->waiting = (struct route_write){};
    self->open = 0;
    self->read = (struct route_flit){};
    self->read_how = (struct route_choice){};
    self->minimal_word = 0;
    self->nonminimal_word = 0;
    self->weigh = (struct route_flit){};
    self->weigh_how = (struct route_choice){};
    for (int i = 0; i < 4; i++) {
        self->option[i] = (struct route_option){};
    }
    self->chosen = (struct route_flit){};
    self->chosen_how = (struct route_choice){};
    self->chosen_candidate = (struct route_candidate){};
    self->map_word = 0;
}

/* ---- tables read --------------------------------------------------------------------------------- */

/* Six bits: destination and this tile, so that inputs spread over the candidates; not IN_ORDER: the sender's hash too. */
static inline u6 hash_of(rtr_flit head, u1 in_order, struct rtr_place here)
{
    u18 place = head_place_of(head);
    u8 sender = in_order ? (u8)0 : head_hash(head);
    u6 hash = (u6)place ^ (u6)(place >> 6) ^ (u6)(place >> 12);

    hash ^= (u6)(((u6)here.row << 3) | here.col);
    return hash ^ (u6)sender ^ (u6)(sender >> 6);
}

/* Reads the tables for a head. */
static inline void look_up(struct route *self, rtr_flit head, struct rtr_place here)
{
    u3 mode = head_mode(head);
    u1 adaptive = mode <= MODE_ADAPTIVE3;
    u6 hash = hash_of(head, mode == MODE_IN_ORDER, here);
    u1 local = head_global(head) == self->global;
    u1 own = local && head_local(head) == self->local;
    u2 draw = own ? (u2)head_sub(head) : adaptive ? (u2)self->random : (u2)hash;
    uint(ROUTE_INDEX_BITS) at = local ? head_local(head) : head_global(head);
    route_index index = route_index_of(local, at, draw);

    self->minimal_word = self->minimal_table[index];
    self->nonminimal_word = self->nonminimal_table[index];
    self->read_how = (struct route_choice){
        .adaptive = adaptive,
        .source = mode == MODE_SOURCE,
        .nonminimal = (adaptive || mode == MODE_NMIN_HASH) && !(u1)head_phase(head),
        .forced = mode == MODE_NMIN_HASH,
        .pick = adaptive ? (u1)(self->random >> 7) : (u1)(hash >> 2),
        .hash = (u3)(hash >> 3),
        .bias = (rtr_load)(self->bias >> (7 * (u2)mode)),
    };
}

/* In a clock without a lookup: the write that waits is done. */
static inline void write_tables(struct route *self)
{
    struct route_write write = self->waiting;

    if (write.valid && write.kind != ROUTE_VC_MAP) {
        route_ecc_word entry = route_ecc_encode((route_entry)write.data);

        if (write.kind == ROUTE_MINIMAL) {
            self->minimal_table[(route_index)write.index] = entry;
        } else {
            self->nonminimal_table[(route_index)write.index] = entry;
        }
        self->waiting.valid = 0;
    }
}

static inline void read_stage(struct route *self, const struct route_in *in)
{
    u1 head = !(u1)(self->open >> in->vc);

    if (in->valid) {
        struct rtr_fixed fixed = rtr_decode(in->code);
        rtr_vcs bit = (rtr_vcs)((rtr_vcs)1 << in->vc);
        u1 tail = inq_tail_set(in->tail);

        self->read = (struct route_flit){
            .head = head,
            .tail = tail,
            .bad = fixed.bad,
            .lost = fixed.fatal,
            .vc = in->vc,
            .flit = fixed.flit,
        };
        self->open = tail ? self->open & ~bit : self->open | bit;
        self->out.corrected |= fixed.corrected || inq_tail_odd(in->tail);
        self->out.fatal |= fixed.fatal || inq_tail_fatal(in->tail);
        if (head) {
            look_up(self, fixed.flit, in->here);
        }
    }
    if (!in->valid || !head) {
        write_tables(self);
    }
    self->read.valid = in->valid;
}

/* ---- candidates weighed -------------------------------------------------------------------------- */

static inline u6 port_bit(rtr_row row, rtr_col col)
{
    return (u6)(((u6)row << 3) | col);
}

/* Bit {row, col}: a port that exists and is not dead. */
static inline u64 living_ports(u64 dead)
{
    u64 living = 0;

    for (int row = 0; row < RTR_ROWS; row++) {
        living |= (((u64)1 << RTR_COLS) - 1) << (8 * row);
    }
    return living & ~dead;
}

#if RTR_TWO_STEP
/* The rows of a column with a port that exists and is not dead. */
static inline u8 living_rows(u64 living, rtr_col col)
{
    u64 ports = living >> col;
    u8 rows = 0;

    for (int row = 0; row < RTR_ROWS; row++) {
        rows |= (u8)((u8)(u1)(ports >> (8 * row)) << row);
    }
    return rows;
}
#endif

static inline struct route_option weigh(const struct route *self, struct route_candidate candidate,
                                        u64 living)
{
#if RTR_TWO_STEP
    candidate.rows &= living_rows(living, candidate.col);
    rtr_row row = mask_index(mask_lowest(candidate.rows));
    u1 lives = candidate.rows != 0;
#else
    rtr_row row = candidate.row;
    u1 lives = (u1)(living >> port_bit(row, candidate.col));
#endif
    return (struct route_option){
        .alive = candidate.valid && lives,
        .load = self->loads[port_bit(row, candidate.col)],
        .candidate = candidate,
    };
}

/* Mode SOURCE: the first hop of the sender's list as a candidate. */
static inline struct route_candidate hop_candidate(rtr_flit head)
{
    u6 hop = head_hop(head);

    return (struct route_candidate){
        .valid = 1,
        .col = (rtr_col)hop,
#if RTR_TWO_STEP
        .rows = (u8)((u8)1 << (u3)(hop >> 3)),
#else
        .row = (rtr_row)(hop >> 3),
#endif
    };
}

static inline void weigh_stage(struct route *self, const struct route_in *in)
{
    if (self->read.valid && self->read.head) {
        struct route_ecc_result minimal = route_ecc_decode(self->minimal_word);
        struct route_ecc_result nonminimal = route_ecc_decode(self->nonminimal_word);
        u1 source = self->read_how.source;
        u1 others = self->read_how.nonminimal && !nonminimal.fatal;
        u64 living = living_ports(in->dead);

        for (int i = 0; i < 4; i++) {
            struct route_candidate candidate =
                route_entry_candidate(i < 2 ? minimal.data : nonminimal.data, (u1)i);

            candidate.valid &= i < 2 ? !minimal.fatal && !source : others;
            candidate = i == 0 && source ? hop_candidate(self->read.flit) : candidate;
            self->option[i] = weigh(self, candidate, living);
        }
        self->weigh_how = self->read_how;
        self->out.corrected |= minimal.corrected || nonminimal.corrected;
        self->out.fatal |= minimal.fatal || nonminimal.fatal;
    }
    if (self->read.valid) {
        self->weigh = self->read;
    }
    self->weigh.valid = self->read.valid;
}

/* ---- chosen -------------------------------------------------------------------------------------- */

/* The better one of a pair: alive; adaptive: less loaded, pick breaks a tie; else as pick says. */
static inline struct route_option better(struct route_option a, struct route_option b,
                                         struct route_choice how)
{
    u1 less = b.load < a.load || (b.load == a.load && how.pick);
    u1 second = !a.alive || (b.alive && (how.adaptive ? less : how.pick));

    return second ? b : a;
}

static inline void choose_stage(struct route *self)
{
    u1 head = self->weigh.valid && self->weigh.head;
    struct route_write write = self->waiting;

    if (head) {
        struct route_choice how = self->weigh_how;
        struct route_option minimal = better(self->option[0], self->option[1], how);
        struct route_option nonminimal = better(self->option[2], self->option[3], how);
        u1 less = (u8)nonminimal.load + how.bias < minimal.load;
        u1 other = nonminimal.alive && (!minimal.alive || how.forced || less);
        struct route_candidate candidate = other ? nonminimal.candidate : minimal.candidate;

        self->map_word = self->vc_map[route_map_index_of(other, candidate.type, self->weigh.vc,
                                                         head_phase(self->weigh.flit))];
        candidate.valid = minimal.alive || nonminimal.alive;
        self->chosen_candidate = candidate;
        self->chosen_how = how;
        self->chosen_how.nonminimal = other;
    } else if (write.valid && write.kind == ROUTE_VC_MAP) {
        self->vc_map[(route_map_index)write.index] =
            route_map_ecc_encode((route_map_entry)write.data);
        self->waiting.valid = 0;
    }
    if (self->weigh.valid) {
        self->chosen = self->weigh;
    }
    self->chosen.valid = self->weigh.valid;
}

/* ---- sent ---------------------------------------------------------------------------------------- */

static inline route_taken pack_taken(u1 dropped, rtr_vc vc, struct route_candidate candidate)
{
    route_taken taken = (route_taken)(dropped | ((route_taken)vc << 1) |
                                      ((route_taken)candidate.col << (1 + RTR_VC_BITS)));
#if !RTR_TWO_STEP
    taken |= (route_taken)((route_taken)candidate.row << (4 + RTR_VC_BITS));
#endif
    return taken;
}

static inline struct row_flit unpack_taken(route_taken taken)
{
    return (struct row_flit){
        .vc = (rtr_vc)(taken >> 1),
        .col = (rtr_col)(taken >> (1 + RTR_VC_BITS)),
#if !RTR_TWO_STEP
        .row = (rtr_row)(taken >> (4 + RTR_VC_BITS)),
#endif
    };
}

/* Rewrites the head for its next hop; returns what the other flits of its packet need. */
static inline route_taken rewrite(struct route *self, struct route_flit *flit)
{
    u1 source = self->chosen_how.source;
    struct route_map_ecc_result map = route_map_ecc_decode(self->map_word);
    u3 vc = source ? (u3)flit->vc : (u3)map.data;
    rtr_phase phase = source ? head_phase(flit->flit) : (rtr_phase)(map.data >> 3);
    u1 unmapped = !source && map.fatal;
    u1 lost = flit->lost || !self->chosen_candidate.valid || unmapped || (u4)vc >= RTR_VCS;

    flit->flit = source ? head_hopped(flit->flit) : flit->flit;
    flit->flit = head_on(flit->flit, (rtr_vc)vc, phase);
    self->out.corrected |= !source && map.corrected;
    self->out.fatal |= unmapped;
    self->out.no_route = lost;
    self->out.nonminimal = !lost && self->chosen_how.nonminimal;
    return pack_taken(lost, (rtr_vc)vc, self->chosen_candidate);
}

static inline void send_stage(struct route *self)
{
    struct route_flit flit = self->chosen;

    self->out.flit.valid = 0;
    self->out.dropped = 0;
    if (flit.valid) {
        route_taken taken = self->taken[flit.vc];

        if (flit.head) {
            taken = rewrite(self, &flit);
            self->taken[flit.vc] = taken;
        }
        self->out.flit = unpack_taken(taken);
        self->out.flit.valid = !(u1)taken;
        self->out.flit.tail = flit.tail;
        self->out.flit.code = rtr_encode(flit.flit, flit.bad);
#if RTR_TWO_STEP
        self->out.flit.rows = (rtr_rows)self->chosen_candidate.rows;
        self->out.flit.hash = self->chosen_how.hash;
        self->out.flit.adaptive = self->chosen_how.adaptive;
#endif
        self->out.came_on = flit.vc;
        self->out.dropped = (u1)taken;
    }
}

/* ---- what software writes, and the loads ------------------------------------------------------ */

static inline void configure(struct route *self, const struct route_in *in)
{
    struct route_write write = in->config;

    /* router: its bus has a write in every fourth clock at most, and hold has ended this one by then. */
    hls_assume(!write.valid || !self->waiting.valid);
    if (write.valid && write.kind <= ROUTE_VC_MAP) {
        self->waiting = write;
    }
    if (write.valid && write.kind == ROUTE_BIAS) {
        self->bias = (u28)write.data;
    }
    if (write.valid && write.kind == ROUTE_HERE) {
        self->local = (rtr_local)write.data;
        self->global = (rtr_global)(write.data >> RTR_LOCAL_BITS);
    }
    self->out.hold = self->waiting.valid;
    self->loads[port_bit(in->load.place.row, in->load.place.col)] = in->load.load;
}

HLS_MODULE void route(struct route *self, const struct route_in *in)
{
    self->out.corrected = 0;
    self->out.fatal = 0;
    self->out.no_route = 0;
    self->out.nonminimal = 0;
    send_stage(self);
    choose_stage(self);
    weigh_stage(self, in);
    read_stage(self, in);
    configure(self, in);

    /* x^16 + x^14 + x^13 + x^11 + 1; the tile's place is the seed */
    self->random = self->started
                       ? (u16)((self->random >> 1) ^ ((u1)self->random ? (u16)0xB400 : (u16)0))
                       : (u16)(0x5A40 | port_bit(in->here.row, in->here.col));
    self->started = 1;
}
