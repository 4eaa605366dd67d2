// SPDX-License-Identifier: Apache-2.0
/*
 * route.c - which port a packet leaves by, in seven stages, clocks 2 to 8 of the table in hls/router/README.md. The other flits follow their
 * head.
 *
 * Tables and VC map are written when nobody reads them: a write waits for a clock in which no head comes, and meanwhile
 * out.hold asks for a pause. A write into the VC map then goes through the stages in the place of that head.
 */
#include "router/input/route.h"

#include "router/flit/masks.h"

HLS_RESET void route_reset(struct route *self)
{
    self->out = (struct route_out){};
    self->started = 0;
    self->random = 0;
    self->global = 0;
    self->local = 0;
#if RTR_NEAR_BITS != 0
    self->nobody = (struct route_nobody){};
#endif
#if RTR_LENGTH_BITS != 0
    self->bias = 0;
    self->read_others = 0;
    self->found_others = 0;
    self->read_bias = (struct route_bias){};
    self->found_bias = (struct route_bias){};
#else
    self->bias = (struct route_bias){};
    self->source = (u16)-1;
    self->bare = 0;
    self->bare_bad = 0;
#endif
    self->waiting = (struct route_waiting){};
    self->open = 0;
    self->came = (struct route_raw){};
    self->read = (struct route_flit){};
    self->read_how = (struct route_choice){};
    self->read_write = (struct route_map_write){};
    self->minimal_word = 0;
    self->nonminimal_word = 0;
    self->found = (struct route_flit){};
    self->found_how = (struct route_choice){};
    self->found_write = (struct route_map_write){};
    self->minimal = 0;
    self->nonminimal = 0;
    self->minimal_syndrome = 0;
    self->nonminimal_syndrome = 0;
    self->weigh = (struct route_flit){};
    self->weigh_how = (struct route_choice){};
    self->weigh_write = (struct route_map_write){};
    for (int i = 0; i < 4; i++) {
        self->option[i] = (struct route_option){};
    }
    self->chosen = (struct route_coded){};
    self->chosen_way = (struct route_taking){};
    self->map_word = 0;
    self->mapped = (struct route_coded){};
    self->mapped_way = (struct route_taking){};
    self->map = (struct route_map_result){};
}

/* ---- tables read --------------------------------------------------------------------------------- */

/* Six bits: destination and this tile, so that inputs spread over the candidates; not IN_ORDER: the sender's hash too. */
static inline u6 hash_of(rtr_flit head, u1 in_order, struct rtr_place here)
{
    u18 place = head_place_of(head);
    u8 sender = in_order ? (u8)0 : head_hash(head);
    u6 hash = (u6)place ^ (u6)(place >> 6) ^ (u6)(place >> 12);
    hash ^= (u6)(((u6)here.row << 3) | here.col);
#if RTR_LENGTH_BITS != 0
    return hash ^ (u6)sender ^ (u6)(sender >> 6);
#else
    return hash ^ (u6)sender ^ (u6)(sender << 3); /* in what draws and in what picks a row */
#endif
}

/* Reads the tables for a head. */
static inline void look_up(struct route *self, rtr_flit head, struct rtr_place here)
{
    u3 mode = head_mode(head);
    u1 adaptive = mode <= MODE_ADAPTIVE3;
    u6 hash = hash_of(head, mode == MODE_IN_ORDER, here);
#if RTR_NEAR_BITS == 0
    u1 local = head_global(head) == self->global;
#else
    u1 local = head_global(head) == self->global && !self->nobody.far && !self->nobody.near;
#endif
    u1 own = local && head_local(head) == self->local;
    u2 draw = own ? (u2)head_sub(head) : adaptive ? (u2)self->random : (u2)hash;
#if RTR_NEAR_BITS == 0
    route_index index = route_index_of(route_way_of(head, self->global), draw);
#else
    route_index index = route_index_of(route_way_of(head, self->global, self->nobody), draw);
#endif

    self->minimal_word = self->minimal_table[index];
    self->nonminimal_word = self->nonminimal_table[index];
    self->read_how = (struct route_choice){
        .adaptive = adaptive,
        .source = mode == MODE_SOURCE,
#if RTR_LENGTH_BITS != 0
        .forced = mode == MODE_NMIN_HASH,
#endif
        .pick = adaptive ? (u1)(self->random >> 2) : (u1)(hash >> 2),
        .hash = adaptive ? (u3)(self->random >> 3) : (u3)(hash >> 3),
    };
#if RTR_LENGTH_BITS != 0
    self->read_others = (adaptive || mode == MODE_NMIN_HASH) && !(u1)head_phase(head);
    self->read_bias = bias_of(self->bias, (u2)mode);
#endif
}

/* In a clock without a lookup: the write that waits is done, or goes on to the VC map. */
static inline void write_tables(struct route *self)
{
    struct route_waiting write = self->waiting;
    u1 waits = self->out.hold;
    route_ecc_word entry = route_ecc_encode((route_entry)write.data);

    if (waits && write.kind == ROUTE_MINIMAL) {
        self->minimal_table[(route_index)write.index] = entry;
    }
    if (waits && write.kind == ROUTE_NONMINIMAL) {
        self->nonminimal_table[(route_index)write.index] = entry;
    }
    self->read_write.valid = waits && write.kind == ROUTE_VC_MAP;
    self->out.hold = 0;
}

#if RTR_LENGTH_BITS == 0
/* A head without another hop is taken off, and the next flit is the head; if that is the end, as of a cut copy, nothing is left. */
static inline void take_off(struct route *self, struct route_flit *flit)
{
    rtr_vcs bit = vc_bit(flit->vc);

    u1 empties = head_empties(flit->flit), second = !flit->head && (self->bare & bit) != 0;

    flit->lost =
        flit->head ? flit->lost || !head_fits(flit->flit) || (empties && flit->tail) : second;
    flit->bad |= second && (self->bare_bad & bit) != 0;
    self->bare = flit->head && empties && !flit->tail ? self->bare | bit : self->bare & ~bit;
    self->bare_bad = flit->bad ? self->bare_bad | bit : self->bare_bad & ~bit;
}
#endif

static inline void read_stage(struct route *self, const struct route_in *in)
{
    struct route_raw came = self->came;
    rtr_vcs bit = vc_bit(came.vc);
    u1 head = (self->open & bit) == 0;

    self->read_write = (struct route_map_write){
        .index = (route_map_index)self->waiting.index,
        .data = (route_map_entry)self->waiting.data,
    };
    if (came.valid) {
        struct rtr_fixed fixed = rtr_correct(came.code, came.low ^ came.high);
        u1 tail = inq_tail_set(came.tail);

        self->read = (struct route_flit){
            .head = head,
            .tail = tail,
            .bad = fixed.bad,
            .lost = fixed.fatal,
            .vc = came.vc,
            .flit = fixed.flit,
        };
#if RTR_LENGTH_BITS == 0
        take_off(self, &self->read);
#endif
        self->open = tail ? self->open & ~bit : self->open | bit;
        self->out.corrected |= fixed.corrected || inq_tail_odd(came.tail);
        self->out.fatal |= fixed.fatal || inq_tail_fatal(came.tail);
        if (head) {
            look_up(self, fixed.flit, in->here);
        }
    }
    if ((!came.valid || !head) && hls_when(self->out.hold)) {
        write_tables(self);
    }
    self->read.valid = came.valid;
}

/* ---- in front of and behind the tables: registers ------------------------------------------------ */

static inline void come_stage(struct route *self, const struct route_in *in)
{
    /* inq_store reads VCs that exist: of a packet on another one it stores nothing. */
    hls_assume((u4)in->vc < RTR_VCS);
    const rtr_code low = ((rtr_code)1 << (RTR_CODE_BITS / 2)) - 1;

    if (hls_when(in->code != self->came.code)) {
        self->came.code = in->code;
        self->came.low = flit_ecc_inspect(in->code & low);
        self->came.high = flit_ecc_inspect(in->code & ~low);
    }
    self->came.valid = in->valid;
    self->came.vc = in->vc;
    self->came.tail = in->tail;
}

static inline void find_stage(struct route *self)
{
    self->found = self->read;
    self->found_how = self->read_how;
#if RTR_LENGTH_BITS != 0
    self->found_others = self->read_others;
    self->found_bias = self->read_bias;
#endif
    self->found_write = self->read_write;
    if (hls_when(self->read.valid && self->read.head)) {
        self->minimal = (route_entry)self->minimal_word;
        self->nonminimal = (route_entry)self->nonminimal_word;
        self->minimal_syndrome = route_ecc_inspect(self->minimal_word);
        self->nonminimal_syndrome = route_ecc_inspect(self->nonminimal_word);
    }
}

/* ---- candidates weighed -------------------------------------------------------------------------- */

static inline route_exit exit_of(struct route_candidate candidate)
{
#if RTR_TWO_STEP
    return (route_exit)(((route_exit)candidate.rows << 3) | candidate.col);
#else
    return (route_exit)(((route_exit)candidate.row << 3) | candidate.col);
#endif
}

/* Of a column of ports: the rows that are alive. */
static inline u8 living_rows(route_column column, rtr_col col)
{
    const u8 rows = (u8)((1 << RTR_ROWS) - 1);
    u1 exists = RTR_COLS == 8 || col < RTR_COLS;

    return exists ? rows & ~(u8)(rtr_rows)column : (u8)0;
}

/* The load of one of them. */
static inline rtr_told load_at(route_column column, rtr_row row, u1 response)
{
    rtr_told load[8] = {};

    for (int i = 0; i < RTR_ROWS; i++) {
        rtr_told requests = (rtr_told)(column >> ROUTE_REQUESTS_AT(i));
        rtr_told responses = (rtr_told)(column >> ROUTE_RESPONSES_AT(i));

        load[i] = response ? responses : requests;
    }
    return load[row];
}

/*
 * A candidate with its port's load for this class of packets, biased as its side is; in a full column it has the highest load,
 * whatever the bias.
 */
static inline struct route_option weigh(const struct route *self, struct route_candidate candidate,
                                        u1 minimal, struct route_bias bias, rtr_cols full)
{
    route_column column = self->columns[candidate.col];
    u8 living = living_rows(column, candidate.col);
#if RTR_TWO_STEP
    candidate.rows &= living;
    rtr_row row = mask_index(mask_lowest(candidate.rows));
    u1 lives = candidate.rows != 0;
#else
    rtr_row row = candidate.row;
    u1 lives = (u1)(living >> row);
#endif
    rtr_told load = load_at(column, row, vc_responds(self->found.vc));
    u1 halve = bias.halve && minimal == bias.halve_minimal;
    rtr_load add = minimal == bias.add_minimal ? bias.add : (rtr_load)0;
    u1 closed = (u1)((u8)full >> candidate.col);

    return (struct route_option){
        .alive = candidate.valid && lives,
        .load = closed ? (u8)ROUTE_FULL_LOAD : (u8)(rtr_told)(load >> halve) + add,
        .type = candidate.type,
        .exit = exit_of(candidate),
    };
}

/* Mode SOURCE: the first hop of the sender's list as a candidate, if the list has not ended and it may go there. */
static inline struct route_candidate hop_candidate(const struct route *self, rtr_flit head)
{
    u6 hop = head_hop(head);
#if RTR_LENGTH_BITS != 0
    u1 valid = hop != HEAD_NO_HOP;

    (void)self;
#else
    u8 rows = (u8)self->source, cols = (u8)(self->source >> 8);
    u1 valid = (u1)(rows >> (u3)(hop >> 3)) && (u1)(cols >> (u3)hop);
#endif

    return (struct route_candidate){
        .valid = valid,
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
#if RTR_LENGTH_BITS != 0
    u1 wanted = self->found_others;
    struct route_bias bias = self->found_bias;
#else
    u1 wanted = self->found_how.adaptive;
    struct route_bias bias = self->bias;
#endif
    rtr_cols full = vc_responds(self->found.vc) ? in->full.full_response : in->full.full_request;

    if (self->found.valid && self->found.head) {
        struct route_ecc_result minimal = route_ecc_correct(self->minimal, self->minimal_syndrome);
        struct route_ecc_result nonminimal =
            route_ecc_correct(self->nonminimal, self->nonminimal_syndrome);
        u1 source = self->found_how.source;
        u1 others = wanted && !nonminimal.fatal;

        for (int i = 0; i < 4; i++) {
            struct route_candidate candidate =
                route_entry_candidate(i < 2 ? minimal.data : nonminimal.data, (u1)i);

            candidate.valid &= i < 2 ? !minimal.fatal && !source : others;
            candidate = i == 0 && source ? hop_candidate(self, self->found.flit) : candidate;
            self->option[i] = weigh(self, candidate, i < 2, bias, full);
        }
        self->weigh_how = self->found_how;
        self->out.corrected |= minimal.corrected || nonminimal.corrected;
        self->out.fatal |= minimal.fatal || nonminimal.fatal;
    }
    self->weigh = self->found;
    self->weigh_write = self->found_write;
}

/* ---- chosen -------------------------------------------------------------------------------------- */

/* Whether b is better than a: alive; adaptive: less loaded, pick breaks a tie; else as pick says. */
static inline u1 second_of(struct route_option a, struct route_option b, struct route_choice how)
{
    u1 less = ((u9)b.load << 1) < (((u9)a.load << 1) | how.pick);

    return !a.alive || (b.alive && (how.adaptive ? less : how.pick));
}

/* Encoded, in a head without what the VC map will say: VC and phase; lost: also one without a candidate. */
static inline struct route_coded encode(const struct route_flit *flit, u1 source, u1 found)
{
    rtr_flit rest = source ? head_hopped(flit->flit) : head_on(flit->flit, 0, 0);
#if RTR_LENGTH_BITS != 0
    u1 heads = flit->head;
#else
    u1 heads = flit->head || flit->lost;

    rest = flit->head ? rest : head_on(flit->flit, 0, 0);
#endif

    return (struct route_coded){
        .valid = flit->valid,
        .head = flit->head,
        .tail = flit->tail,
        .from_map = flit->head && !source,
#if RTR_LENGTH_BITS != 0
        .lost = flit->lost || !found,
#else
        .lost = flit->lost || (flit->head && !found),
        .empties = flit->head && head_empties(flit->flit),
#endif
        .vc = flit->vc,
        .code = rtr_encode(heads ? rest : flit->flit, flit->bad),
    };
}

static inline void choose_stage(struct route *self)
{
    u1 head = self->weigh.valid && self->weigh.head;
    struct route_map_write write = self->weigh_write;
    struct route_choice how = self->weigh_how;
    const struct route_option *option = self->option;
    u1 minimal = option[0].alive || option[1].alive;
    u1 nonminimal = option[2].alive || option[3].alive;

    if (head) {
        u1 m = second_of(option[0], option[1], how);
        u1 n = second_of(option[2], option[3], how);
        /* Each is compared with each, so that this does not wait for m and n. */
        u1 less_than_0 = n ? option[3].load < option[0].load : option[2].load < option[0].load;
        u1 less_than_1 = n ? option[3].load < option[1].load : option[2].load < option[1].load;
        u1 less = m ? less_than_1 : less_than_0;
#if RTR_LENGTH_BITS != 0
        u1 other = nonminimal && (!minimal || how.forced || less);
#else
        u1 other = nonminimal && (!minimal || less);
#endif
        struct route_option first = m ? option[1] : option[0];
        struct route_option second = n ? option[3] : option[2];
        u2 type = other ? second.type : first.type;

        self->map_word = self->vc_map[route_map_index_of(other, type, self->weigh.vc,
                                                         head_phase(self->weigh.flit))];
        self->chosen_way = (struct route_taking){
            .exit = other ? second.exit : first.exit,
            .nonminimal = other,
            .adaptive = how.adaptive,
            .hash = how.hash,
        };
    } else if (write.valid) {
        self->vc_map[write.index] = route_map_encode(write.data);
    }
    self->chosen = encode(&self->weigh, how.source, minimal || nonminimal);
}

/* ---- behind the VC map: registers ---------------------------------------------------------------- */

static inline void map_stage(struct route *self)
{
    self->mapped = self->chosen;
    self->mapped_way = self->chosen_way;
    self->map = route_map_decode(self->map_word);
}

/* ---- sent ---------------------------------------------------------------------------------------- */

static inline route_taken pack_taken(u1 dropped, rtr_vc vc, route_exit exit)
{
    /* Of a two-step machine's exit the column fits, and no more is wanted where heads stay. */
    return (route_taken)(dropped | ((route_taken)vc << 1) |
                         ((route_taken)exit << (1 + RTR_VC_BITS)));
}

static inline struct row_flit unpack_taken(route_taken taken)
{
    return (struct row_flit){
        .vc = (rtr_vc)(taken >> 1),
        .col = (rtr_col)(taken >> (1 + RTR_VC_BITS)),
#if !RTR_TWO_STEP
        .row = (rtr_row)(taken >> (4 + RTR_VC_BITS)),
#elif RTR_LENGTH_BITS == 0
        .rows = (rtr_rows)(taken >> (4 + RTR_VC_BITS)),
#endif
    };
}

/* A head's VC and phase, of which nothing else waits for the VC map; returns what the other flits of its packet need. */
static inline route_taken rewrite(struct route *self, struct route_coded *flit, route_taken taken)
{
    struct route_map_result map = self->map;
    u1 unmapped = map.fatal || (u4)(u3)map.data >= RTR_VCS;
    route_taken vcs = (route_taken)((route_taken)(rtr_vc)-1 << 1);
    route_taken vc = (route_taken)((route_taken)(rtr_vc)map.data << 1);

#if RTR_LENGTH_BITS != 0
    rtr_flit mapped = head_on(0, (rtr_vc)map.data, (rtr_phase)(map.data >> 3));

    /* The code is linear: where there were zeros it becomes that of the whole. */
    flit->code ^= rtr_encode(mapped, 0);
#else
    (void)flit; /* drop() does it, as the head may be a later flit */
#endif
    self->out.corrected |= map.corrected;
    self->out.fatal |= map.fatal;
    return (route_taken)((taken & ~vcs) | vc | unmapped);
}

/* Whether a flit goes no further; no_route is said once for each packet that is dropped. */
static inline u1 drop(struct route *self, struct route_coded *flit, route_taken taken)
{
    u1 gone = (u1)taken;
#if RTR_LENGTH_BITS != 0
    self->out.no_route = flit->valid && flit->head && gone;
    return gone;
#else
    /* Behind a head that was taken off the next flit is the head, and a packet that ends with it has none left. */
    u1 second = !flit->head && flit->lost;
    u1 ends = second && flit->tail;

    if (second || flit->from_map) {
        flit->code ^= rtr_encode(head_on(0, (rtr_vc)(taken >> 1), 0), 0); /* linear */
    }
    self->out.no_route = flit->valid && (flit->head ? gone : ends && !gone);
    return gone || flit->empties || ends;
#endif
}

static inline void send_stage(struct route *self)
{
    struct route_coded flit = self->mapped;
    struct route_taking way = self->mapped_way;
    route_taken taken = flit.head ? pack_taken(flit.lost, flit.vc, way.exit) : self->taken[flit.vc];

    if (flit.valid && flit.from_map) {
        taken = rewrite(self, &flit, taken);
    }
    u1 dropped = drop(self, &flit, taken);

    if (flit.valid && flit.head) {
        self->taken[flit.vc] = taken;
        self->out.nonminimal = !dropped && way.nonminimal;
    }
    self->out.flit = unpack_taken(taken);
    self->out.flit.valid = flit.valid && !dropped;
    self->out.flit.tail = flit.tail;
    self->out.flit.code = flit.code;
#if RTR_TWO_STEP
#if RTR_LENGTH_BITS != 0
    self->out.flit.rows = (rtr_rows)(way.exit >> 3);
#endif
    self->out.flit.hash = way.hash;
    self->out.flit.adaptive = way.adaptive;
#endif
    self->out.came_on = flit.vc;
    self->out.dropped = flit.valid && dropped;
}

/* ---- what software writes, and the loads ------------------------------------------------------ */

static inline void draw_next(struct route *self, const struct route_in *in)
{
    route_random now = self->random;
    u3 next = (u3)(now ^ (now >> 5));

    self->random = (now >> ROUTE_RANDOM_STEP) | (route_random)next
                                                    << (ROUTE_RANDOM_BITS - ROUTE_RANDOM_STEP);
    if (!self->started || (in->config.valid && in->config.kind == ROUTE_HERE)) {
        self->random = route_seed(in->config.data, in->here);
    }
    self->started = 1;
}

static inline void configure(struct route *self, const struct route_in *in)
{
    struct route_write write = in->config;

    /* router: its bus has a write in every fourth clock at most, and hold has ended the wait of this one by then. */
    hls_assume(!write.valid || !self->out.hold);
    if (write.valid && write.kind <= ROUTE_VC_MAP) {
        self->out.hold = 1;
        self->waiting =
            (struct route_waiting){write.kind, (route_place)write.index, (route_word)write.data};
    }
    if (write.valid && write.kind == ROUTE_BIAS) {
#if RTR_LENGTH_BITS != 0
        self->bias = (route_biases)write.data;
#else
        self->bias = bias_of((route_biases)write.data, 0);
#endif
    }
    if (write.valid && write.kind == ROUTE_HERE) {
        self->local = (rtr_local)write.data;
        self->global = (rtr_global)(write.data >> RTR_LOCAL_BITS);
#if RTR_NEAR_BITS != 0
        self->nobody.near = (u1)(write.data >> ROUTE_NO_NEAR_AT);
        self->nobody.far = (u1)(write.data >> ROUTE_NO_FAR_AT);
#endif
    }
#if RTR_LENGTH_BITS == 0
    if (write.valid && write.kind == ROUTE_SOURCE) {
        self->source = (u16)write.data;
    }
#endif

    route_column column = in->load.dead;

    for (int i = 0; i < RTR_ROWS; i++) {
        column |= (route_column)in->load.request[i] << ROUTE_REQUESTS_AT(i);
        column |= (route_column)in->load.response[i] << ROUTE_RESPONSES_AT(i);
    }
    self->columns[in->load.col] = column;
}

HLS_MODULE void route(struct route *self, const struct route_in *in)
{
    self->out.corrected = 0;
    self->out.fatal = 0;
    self->out.no_route = 0;
    self->out.nonminimal = 0;
    if (hls_when(self->mapped.valid || self->out.flit.valid || self->out.dropped ||
                 !self->started)) {
        send_stage(self);
    }
    map_stage(self);
    if (hls_when(self->weigh.valid || self->chosen.valid || self->weigh_write.valid ||
                 !self->started)) {
        choose_stage(self);
    }
    weigh_stage(self, in);
    find_stage(self);
    read_stage(self, in);
    come_stage(self, in);
    configure(self, in);
    draw_next(self, in);
}
