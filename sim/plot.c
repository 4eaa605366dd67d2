// SPDX-License-Identifier: Apache-2.0
/*
 * plot.c - JSON, and gnuplot for the SVG: accepted load and latency over offered load.
 */
#include "plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

bool plot_json(const struct plot *p, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return false;
    fprintf(f,
            "{\"topology\": \"%s\", \"machine\": \"%s\", \"pattern\": \"%s\", \"mode\": \"%s\", "
            "\"seed\": %" PRIu64 ", \"clocks\": %" PRIu64 ", \"loads\": [",
            p->title, p->machine, p->pattern, p->mode, p->seed, p->clocks);
    for (unsigned i = 0; i < p->points; i++) {
        const struct plot_point *x = &p->point[i];
        char latency[24];
        snprintf(latency, sizeof latency, x->packets ? "%.2f" : "null", x->latency);
        fprintf(f,
                "%s\n  {\"load\": %g, \"offered\": %.5f, \"accepted\": %.5f, \"latency\": %s, "
                "\"worst\": %" PRIu64 ", \"links\": %.3f, \"packets\": %" PRIu64 "}",
                i ? "," : "", x->load, x->offered, x->accepted, latency, x->worst, x->links,
                x->packets);
    }
    fputs("\n]}\n", f);
    const bool good = fclose(f) == 0 && sim_write(path, text);
    free(text);
    return good;
}

static void send_data(FILE *gnuplot, const struct plot *p)
{
    fputs("$data << end\n", gnuplot);
    for (unsigned i = 0; i < p->points; i++)
        fprintf(gnuplot, "%g %g %g %g\n", p->point[i].load, p->point[i].offered,
                p->point[i].accepted, p->point[i].latency);
    fputs("end\n", gnuplot);
}

bool plot_svg(const struct plot *p, const char *path)
{
    FILE *gnuplot = sim_folders(path) ? popen("gnuplot", "w") : NULL;
    if (!gnuplot)
        return false;
    send_data(gnuplot, p);
    fprintf(gnuplot,
            "set terminal svg size 800,480 font 'sans,13' background 'white'\n"
            "set output '%s'\n"
            "set title '%s, %s, %s' noenhanced\n"
            "set xlabel 'offered, flits per clock and processor port'\n"
            "set ylabel 'accepted'\n"
            "set y2label 'mean latency, clocks'\n"
            "set xrange [0:1.05]\nset yrange [0:1.05]\nset y2range [0:*]\n"
            "set ytics nomirror\nset y2tics\nset grid\nset key left top\n"
            "plot x with lines dashtype 2 linecolor 'gray' notitle, \\\n"
            "  $data using 1:3 with linespoints linewidth 2 title 'accepted', \\\n"
            "  $data using 1:4 axes x1y2 with linespoints linewidth 2 title 'latency'\n",
            path, p->title, p->pattern, p->mode);
    return pclose(gnuplot) == 0;
}
