// SPDX-License-Identifier: Apache-2.0
/* perf_plot.c - curves of PortalPerf by gnuplot. */
#include "tb/system/seastar/perf_plot.h"

#include <inttypes.h>
#include <stdio.h>

#include "sim/base/gnuplot.h"
#include "sim/base/whole.h"

static const char *const modes[PERF_MODES] = {"accelerated", "generic"};
static const char *const tests[PERF_TESTS] = {"put", "get", "bidirectional put"};

/* bytes, us, MB/s of each curve. */
static void write_data(FILE *f, const struct perf *p)
{
    for (unsigned m = 0; m < PERF_MODES; m++)
        for (unsigned t = 0; t < PERF_TESTS; t++) {
            const struct perf_curve *c = &p->curve[m][t];
            fprintf(f, "$d%u%u << end\n", m, t);
            for (unsigned i = 0; i < c->points; i++) {
                const double us = c->clocks[i] * PERF_NS / 1000;
                fprintf(f, "%" PRIu64 " %g %g\n", c->bytes[i], us,
                        (double)c->bytes[i] * (t == 2 ? 2 : 1) / us);
            }
            fputs("end\n", f);
        }
}

/* Each curve that has points, and then the marks of block $xt3. */
static void write_lines(FILE *f, const struct perf *p, const char *what)
{
    fputs("plot ", f);
    for (unsigned m = 0; m < PERF_MODES; m++)
        for (unsigned t = 0; t < PERF_TESTS; t++)
            if (p->curve[m][t].points)
                fprintf(f,
                        "$d%u%u using %s with linespoints linewidth 2 dashtype %u linecolor %u "
                        "title '%s, %s', ",
                        m, t, what, m + 1, t + 1, tests[t], modes[m]);
    fputs("$xt3 using 1:2 with points pointtype 7 pointsize 1.2 linecolor 'black' title 'XT3, "
          "generic, as published'\n",
          f);
}

static void write_head(FILE *f, const struct perf *p)
{
    write_data(f, p);
    fputs("set terminal svg size 800,480 font 'sans,13' background 'white'\n"
          "set grid\nset key left top\nset xlabel 'bytes'\n",
          f);
}

/* Put, get and bidirectional put of 0 bytes. */
static void latency_script(FILE *f, const void *perf)
{
    write_head(f, perf);
    fputs("$xt3 << end\n0 4.89\n0 6.09\n0 8.39\nend\n"
          "set title 'PortalPerf: time of a message'\nset ylabel 'us'\n"
          "set xrange [-2:66]\nset yrange [0:12]\n",
          f);
    write_lines(f, perf, "1:2");
}

/* Put of 100 KB, its asymptote and half of it, get of 100 KB. */
static void bandwidth_script(FILE *f, const void *perf)
{
    write_head(f, perf);
    fputs("$xt3 << end\n6144 554\n102400 1051\n2097152 1108\n102400 1012\nend\n"
          "set title 'PortalPerf: bandwidth'\nset ylabel 'MB/s'\n"
          "set logscale x 2\nset xrange [8:4194304]\nset yrange [0:*]\n",
          f);
    write_lines(f, perf, "1:($1 > 0 ? $3 : NaN)");
}

static bool write_svg(const struct perf *p, const char *path, const char *name,
                      void (*script)(FILE *, const void *))
{
    char file[4096];
    struct whole svg;
    snprintf(file, sizeof file, "%s-%s.svg", path, name);
    return whole_open(&svg, file) && whole_close(&svg, gnuplot_draw(script, p, svg.stream));
}

bool perf_plot(const struct perf *p, const char *path)
{
    const bool latency = write_svg(p, path, "latency", latency_script);
    return write_svg(p, path, "bandwidth", bandwidth_script) && latency;
}
