// SPDX-License-Identifier: Apache-2.0
/*
 * plot.c - JSON, and gnuplot for the SVG: accepted load and latency over offered load.
 */
#include "plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/whole.h"

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
    fputs("\n]}", f);
    const bool good = fclose(f) == 0 && whole_write(path, text);
    free(text);
    return good;
}

static void write_data(FILE *f, const struct plot *p)
{
    fputs("$data << end\n", f);
    for (unsigned i = 0; i < p->points; i++)
        fprintf(f, "%g %g %g %g\n", p->point[i].load, p->point[i].offered, p->point[i].accepted,
                p->point[i].latency);
    fputs("end\n", f);
}

static void write_script(FILE *f, const struct plot *p)
{
    write_data(f, p);
    fprintf(f,
            "set terminal svg size 800,480 font 'sans,13' background 'white'\n"
            "set title '%s, %s, %s' noenhanced\n"
            "set xlabel 'offered, flits per clock and processor port'\n"
            "set ylabel 'accepted'\n"
            "set y2label 'mean latency, clocks'\n"
            "set xrange [0:1.05]\nset yrange [0:1.05]\nset y2range [0:*]\n"
            "set ytics nomirror\nset y2tics\nset grid\nset key left top\n"
            "plot x with lines dashtype 2 linecolor 'gray' notitle, \\\n"
            "  $data using 1:3 with linespoints linewidth 2 title 'accepted', \\\n"
            "  $data using 1:4 axes x1y2 with linespoints linewidth 2 title 'latency'\n",
            p->title, p->pattern, p->mode);
}

/* All that a stream still holds into another. */
static void copy(FILE *from, FILE *to)
{
    char block[4096];
    size_t length;
    while ((length = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, length, to);
}

/* gnuplot reads a file without a name and draws on its standard output: no name of a file reaches it. */
bool plot_svg(const struct plot *p, const char *path)
{
    char command[60];
    struct whole svg;
    FILE *script = tmpfile();
    if (!script || !whole_open(&svg, path)) {
        if (script)
            fclose(script);
        return false;
    }
    write_script(script, p);
    fflush(script);
    snprintf(command, sizeof command, "gnuplot /dev/fd/%d", fileno(script));
    FILE *gnuplot = popen(command, "r");
    if (gnuplot)
        copy(gnuplot, svg.stream);
    const bool drawn = gnuplot && pclose(gnuplot) == 0;
    fclose(script);
    return whole_close(&svg, drawn);
}
