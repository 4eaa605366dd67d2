// SPDX-License-Identifier: Apache-2.0
/*
 * options.h - rows of options that programs of this folder have in common; what stands in a row beside its name is the program's.
 */
#ifndef TB_PROGRAMS_OPTIONS_H
#define TB_PROGRAMS_OPTIONS_H

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "sim/base/whole.h"
#include "tb/base/workers.h"

#include <errno.h>
#include <string.h>

/* A demo in lockstep: clocks, at least so many, and the JSON of its module. */
#define options_demo(cycles, least, info)                                                          \
    args_number("--cycles", cycles, least, UINT64_MAX, "clocks"),                                  \
        args_text("--info", "FILE", info,                                                          \
                  "what rtlgen says of the module: names of registers that differ")

/* A campaign in pieces. */
struct options_campaign {
    uint64_t pieces, seed, piece; /* piece: that one alone, unless it is UINT64_MAX */
    unsigned jobs;
    double ber; /* below 0: drawn for each piece */
    bool rtl;
    const char *json;
};

/* with_rtl: the program that has --rtl. */
#define options_campaign(c, with_rtl)                                                              \
    args_number("--pieces", &(c)->pieces, 1, 1000000000, "pieces, each from a seed of its own"),   \
        args_number("--piece", &(c)->piece, 0, 1000000000,                                         \
                    "this one alone, as in the campaign with this seed"),                          \
        args_unsigned("--jobs", &(c)->jobs, 1, WORKERS_MOST, "processes at a time"),               \
        args_rate("--ber", &(c)->ber,                                                              \
                  "bit error rate; without it each piece draws one from 1e-7 to 1e-3"),            \
        args_flag("--rtl", &(c)->rtl, "in lockstep with the RTL (" with_rtl ")"),                  \
        args_text("--json", "FILE", &(c)->json, "the report")

/* Ends the program if it has no Verilog for --rtl, or cannot write the report. */
static inline void options_campaign_check(const struct options_campaign *c, bool has_rtl,
                                          const char *with_rtl)
{
    if (c->rtl && !has_rtl)
        sim_fail("--rtl: build/bin/%s can do that", with_rtl);
    if (!whole_possible(c->json))
        sim_fail("--json %s: cannot write it: %s", c->json, strerror(errno));
}

#endif
