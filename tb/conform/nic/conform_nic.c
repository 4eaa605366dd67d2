// SPDX-License-Identifier: Apache-2.0
/*
 * conform_nic.c - somebody's NIC behind the ports of hls/chip/endpoint.h: the runs of nic_runs.h, with EXACT=yes beside ours.
 */
#include "nic_ports.h"
#include "tb/conform/conform.h"
#include "tb/conform/foreign.h"
#include "tb/conform/nic/nic_runs.h"

#include <stdlib.h>

struct foreign {
    void *rtl;
    void *ours; /* with EXACT=yes */
};

static void *foreign_make(const struct wire_design *of, const char *instance)
{
    struct foreign *f = calloc(1, sizeof(*f));

    (void)of;
    if (f == NULL) {
        abort();
    }
    if (conform_exact()) { /* generations of tags go on from what memories begin with */
        foreign_zeros();
    }
    f->rtl = foreign_new(instance);
    f->ours = conform_exact() ? wire_ours.make(&wire_ours, instance) : NULL;
    return f;
}

/* Lockstep: the first output that differs. */
static void compare(struct foreign *f, bool rst, const struct endpoint_in *in, const uint32_t *out)
{
    uint32_t ours[(PORTS_OUT_BITS + 31) / 32] = {0};
    struct endpoint_out native;

    wire_ours.step(f->ours, rst, in, &native);
    ports_pack_out(&native, ours);
    for (unsigned i = 0; !rst && i < sizeof ports_out / sizeof *ports_out; i++) {
        if (!bits_same(ours, out, ports_out[i].lsb, ports_out[i].width)) {
            conform_fails(CHECK_EXACT, *harness_clock, "%s is not as ours", ports_out[i].name);
            return;
        }
    }
}

static void foreign_model_step(void *self, bool rst, const struct endpoint_in *in,
                               struct endpoint_out *out)
{
    struct foreign *f = self;
    uint32_t words[(PORTS_IN_BITS + 31) / 32] = {0}, got[(PORTS_OUT_BITS + 31) / 32 + 1];

    ports_pack_in(in, words);
    foreign_step(f->rtl, rst, words, got);
    *out = (struct endpoint_out){};
    ports_unpack_out(got, out);
    if (f->ours != NULL) {
        compare(f, rst, in, got);
    }
}

/* The instance itself goes with all others at the end of the run. */
static void foreign_model_free(void *self)
{
    struct foreign *f = self;

    if (f->ours != NULL) {
        wire_ours.free(f->ours);
    }
    free(f);
}

static const struct wire_design foreign_design = {foreign_make, foreign_model_step,
                                                  foreign_model_free};

int main(int argc, char **argv)
{
    return conform_main(argc, argv, nic_block(&foreign_design));
}
