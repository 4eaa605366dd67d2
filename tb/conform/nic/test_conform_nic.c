// SPDX-License-Identifier: Apache-2.0
/*
 * test_conform_nic.c - the runs of make conform BLOCK=nic on the native model: ours conforms, also with registers at its ports; with a
 * fault at a port the check that is about it does not hold. scripts/test/test-conform.sh does the same in Verilog, with more faults.
 *
 * Built for proto: fast.
 */
#include "tb/base/harness.h"
#include "tb/conform/foreign.h"
#include "tb/conform/nic/nic_runs.h"

#include <stdlib.h>

/* ---- ours, with a fault ------------------------------------------------------------------------------ */

struct faulty {
    void *ours;
    struct endpoint_in in;
    struct endpoint_out out; /* of ours */
    uint64_t writes, flits;
};

/* What is changed of a clock's inputs, before it, and of its outputs, behind it. */
struct fault {
    const char *name;
    enum nic_check check; /* that does not hold then */
    unsigned run;         /* in which one sees it */
    void (*before)(struct faulty *f);
    void (*after)(struct faulty *f, struct endpoint_out *out);
};

static const struct fault *fault; /* null: none */
static bool late;                 /* registers at the tiles' ports */

static void flips_write(struct faulty *f, struct endpoint_out *out)
{
    f->writes += out->m_axi[0].wvalid && out->m_axi[0].wlast;
    if (f->writes > 6) {
        out->m_axi[0].wdata ^= out->m_axi[0].wstrb & 1 ? 1 : (typeof(out->m_axi[0].wdata))1 << 120;
    }
}

static void flips_flit(struct faulty *f, struct endpoint_out *out)
{
    f->flits += out->to_tile[0].valid;
    out->to_tile[0].flit ^= (rtr_flit)(f->flits % 32 == 7 && out->to_tile[0].valid) << 20;
}

static void moves_w(struct faulty *f, struct endpoint_out *out)
{
    (void)f;
    out->m_axi[0].wlast ^= 1;
}

static void keeps_irq(struct faulty *f, struct endpoint_out *out)
{
    (void)f;
    out->irq[0] = 0;
}

static void takes_marked(struct faulty *f)
{
    for (unsigned t = 0; t < NL_TILES; t++) {
        f->in.from_tile[t].bad = 0;
    }
}

static void hides_errors(struct faulty *f)
{
    f->in.m_axi[0].bresp = 0;
    f->in.m_axi[0].rresp = 0;
}

static void no_room(struct faulty *f, struct endpoint_out *out)
{
    (void)f;
    for (unsigned t = 0; t < NL_TILES; t++) {
        out->to_tile[t].room = 0;
        out->to_tile[t].spare = 0;
    }
}

static const struct fault faults[] = {
    {"data of writes", CHECK_ACCESSES, 5, NULL, flips_write},
    {"a bit of a flit", CHECK_PACKETS, 5, NULL, flips_flit},
    {"WLAST", CHECK_AXI, 0, NULL, moves_w},
    {"irq", CHECK_INTERRUPTS, 3, NULL, keeps_irq},
    {"packets that are marked bad", CHECK_DROPS, 11, takes_marked, NULL},
    {"responses of memory", CHECK_FAULTS, 4, hides_errors, NULL},
    {"room", CHECK_DELIVERY, 0, NULL, no_room},
    {"room, under programs", CHECK_DELIVERY, 5, NULL, no_room},
};

static void *faulty_make(const struct wire_design *of, const char *instance)
{
    struct faulty *f = calloc(1, sizeof(*f));

    (void)of;
    if (f == NULL) {
        abort();
    }
    f->ours = wire_ours.make(&wire_ours, instance);
    return f;
}

static void faulty_step(void *self, bool rst, const struct endpoint_in *in,
                        struct endpoint_out *out)
{
    struct faulty *f = self;

    f->in = *in;
    if (fault != NULL && fault->before != NULL) {
        fault->before(f);
    }
    if (late) { /* what goes out is a clock old */
        for (unsigned t = 0; t < NL_TILES; t++) {
            out->to_tile[t] = f->out.to_tile[t];
        }
    }
    wire_ours.step(f->ours, rst, &f->in, &f->out);
    if (!late) {
        *out = f->out;
    } else {
        const struct port_in tiles[NL_TILES] = {out->to_tile[0], out->to_tile[1]};

        *out = f->out;
        for (unsigned t = 0; t < NL_TILES; t++) {
            out->to_tile[t].valid = tiles[t].valid;
            out->to_tile[t].flit = tiles[t].flit;
            out->to_tile[t].bad = tiles[t].bad;
        }
    }
    if (fault != NULL && fault->after != NULL) {
        fault->after(f, out);
    }
}

static void faulty_free(void *self)
{
    struct faulty *f = self;

    wire_ours.free(f->ours);
    free(f);
}

static const struct wire_design faulty = {faulty_make, faulty_step, faulty_free};

/* ---- in the place of Verilator ------------------------------------------------------------------- */

void foreign_trace(const char *fst, uint64_t clock)
{
    (void)fst;
    (void)clock;
}

const char *foreign_ended(void)
{
    return NULL;
}

void foreign_free(void) {}

/* ---- the test ------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);
    const struct conform_block *block = nic_block(&faulty);
    const char *first;

    for (unsigned i = 0; i < block->n_runs; i++) {
        late = i % 2;
        const uint32_t broken = conform_broken(block, seed, 1u << i, &first);

        tap_why("%s", first);
        tap_ok(broken == 0, "%s: ours conforms%s", block->runs[i].name,
               late ? ", a clock later" : "");
    }
    late = false;
    for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        fault = &faults[i];
        const uint32_t broken = conform_broken(block, seed, 1u << fault->run, &first);

        tap_why("checks %05x: %s", broken, first);
        tap_ok(broken >> fault->check & 1, "%s: \"%s\" does not hold", fault->name,
               block->checks[fault->check].name);
    }
    return tap_done();
}
