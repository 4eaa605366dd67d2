// SPDX-License-Identifier: Apache-2.0
/*
 * plot.c - JSON, and gnuplot for the SVG: accepted load and latency over offered load.
 */
#include "sim/netsim/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/gnuplot.h"
#include "sim/base/whole.h"

/* Bars of a histogram: bins[PART * bar] and on, so that each is at most a quarter as wide as where it begins. */
enum { PART = 8, BARS = NET_BINS / PART };

struct bar {
    uint64_t from, to, packets; /* clocks from, to before */
};

static struct bar bar_of(const struct plot_point *p, unsigned bar)
{
    struct bar b = {net_bin_from(bar * PART), net_bin_from((bar + 1) * PART), 0};
    for (unsigned i = 0; i < PART; i++)
        b.packets += p->bins[bar * PART + i];
    return b;
}

/* [from, to, packets] from the first bar with packets to the last. */
static void write_histogram(FILE *f, const struct plot_point *p)
{
    unsigned first = 0, last = BARS;
    while (first < last && bar_of(p, first).packets == 0)
        first++;
    while (last > first && bar_of(p, last - 1).packets == 0)
        last--;
    for (unsigned bar = first; bar < last; bar++) {
        const struct bar b = bar_of(p, bar);
        fprintf(f, "%s[%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", bar > first ? ", " : "", b.from,
                b.to, b.packets);
    }
}

/* A number that there is only if packets arrived. */
static void write_latency(FILE *f, const char *name, const struct plot_point *p, double value)
{
    fprintf(f, "\"%s\": ", name);
    if (p->packets)
        fprintf(f, "%.10g, ", value);
    else
        fputs("null, ", f);
}

static void write_spread(FILE *f, const char *name, const struct plot_spread *s)
{
    fprintf(f, "\"%s\": {\"least\": %.5f, \"mean\": %.5f, \"most\": %.5f}", name, s->least, s->mean,
            s->most);
}

/* {from, to, offered, accepted} of each flow of a list. */
static void write_flows(FILE *f, const struct plot *p, const struct plot_point *x)
{
    if (p->flows == 0)
        return;
    fputs(",\n   ", f);
    write_spread(f, "flow", &x->flow_spread);
    fputs(", \"flows\": [", f);
    for (unsigned i = 0; i < p->flows; i++)
        fprintf(f, "%s\n    {\"from\": %u, \"to\": %u, \"offered\": %.5f, \"accepted\": %.5f}",
                i ? "," : "", p->from[i], p->to[i], x->flow[i].offered, x->flow[i].accepted);
    fputs("]", f);
}

static void write_point(FILE *f, const struct plot *p, const struct plot_point *x)
{
    fprintf(f,
            "{\"load\": %g, \"offered\": %.5f, \"accepted\": %.5f, \"accepted_least\": %.5f, "
            "\"accepted_most\": %.5f, \"saturated\": %s, ",
            x->load, x->offered, x->accepted, x->least, x->most, x->saturated ? "true" : "false");
    write_latency(f, "latency", x, round(x->latency * 100) / 100);
    write_latency(f, "median", x, (double)x->median);
    write_latency(f, "p99", x, (double)x->p99);
    write_latency(f, "p999", x, (double)x->p999);
    write_latency(f, "worst", x, (double)x->worst);
    fprintf(f, "\"links\": %.3f, \"packets\": %" PRIu64 ", \"warmup\": %" PRIu64 ",\n   ", x->links,
            x->packets, x->warmup);
    write_spread(f, "node", &x->node);
    fputs(", ", f);
    write_spread(f, "port", &x->port);
    write_flows(f, p, x);
    fputs(",\n   \"histogram\": [", f);
    write_histogram(f, x);
    fputs("]}", f);
}

bool plot_json(const struct plot *p, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return false;
    fprintf(f,
            "{\"topology\": \"%s\", \"machine\": \"%s\", \"nodes\": %u, \"ports\": %u, "
            "\"pattern\": \"%s\", \"mode\": \"%s\", \"seed\": %" PRIu64
            ", \"seeds\": %u, \"slices\": %u, \"clocks\": %" PRIu64 ", \"loads\": [",
            p->title, p->machine, p->nodes, p->ports, p->pattern, p->mode, p->seed, p->seeds,
            p->slices, p->clocks);
    for (unsigned i = 0; i < p->points; i++) {
        fputs(i ? ",\n  " : "\n  ", f);
        write_point(f, p, &p->point[i]);
    }
    fputs("\n]}", f);
    const bool good = fclose(f) == 0 && whole_write(path, text);
    free(text);
    return good;
}

/* A point in a line: load, offered, accepted, latency, accepted if it is saturated, ports: mean, least, most. */
static void write_data(FILE *f, const struct plot *p)
{
    fputs("$data << end\n", f);
    for (unsigned i = 0; i < p->points; i++) {
        const struct plot_point *x = &p->point[i];
        fprintf(f, "%g %g %g ", x->load, x->offered, x->accepted);
        fprintf(f, x->packets ? "%g " : "NaN ", x->latency);
        fprintf(f, x->saturated ? "%g " : "NaN ", x->accepted);
        fprintf(f, "%g %g %g\n", x->port.mean, x->port.least, x->port.most);
    }
    fputs("end\n", f);
}

/* gnuplot draws no line without points. */
static void write_script(FILE *f, const struct plot *p)
{
    bool saturated = false, latencies = false;
    for (unsigned i = 0; i < p->points; i++) {
        saturated |= p->point[i].saturated;
        latencies |= p->point[i].packets > 0;
    }
    write_data(f, p);
    fprintf(f,
            "set terminal svg size 800,480 font 'sans,13' background 'white'\n"
            "set title '%s, %s, %s' noenhanced\n"
            "set xlabel 'offered, flits per clock and processor port'\n"
            "set ylabel 'accepted'\n"
            "set xrange [0:1.05]\nset yrange [0:1.05]\n"
            "set grid\nset key left top\n%s"
            "plot x with lines dashtype 2 linecolor 'gray' notitle, \\\n"
            "  $data using 1:6:7:8 with yerrorbars pointtype 0 linecolor 'gray' title "
            "'of a port: least to most', \\\n"
            "  $data using 1:3 with linespoints linewidth 2 title 'accepted'%s%s\n",
            p->title, p->pattern, p->mode,
            latencies ? "set y2label 'mean latency, clocks'\nset y2range [0:*]\n"
                        "set ytics nomirror\nset y2tics\n"
                      : "",
            saturated ? ", \\\n  $data using 1:5 with points pointtype 6 pointsize 2 linecolor "
                        "'red' title 'saturated'"
                      : "",
            latencies ? ", \\\n  $data using 1:4 axes x1y2 with linespoints linewidth 2 title "
                        "'latency'"
                      : "");
}

static void loads_script(FILE *f, const void *plot)
{
    write_script(f, plot);
}

bool plot_svg(const struct plot *p, const char *path)
{
    struct whole svg;
    if (!whole_open(&svg, path))
        return false;
    return whole_close(&svg, gnuplot_draw(loads_script, p, svg.stream));
}

/* Routers from left to right, their ports from below: a square for each cable. */
static void cables_script(FILE *f, const void *what)
{
    const struct plot_cables *c = what;
    fputs("$cables << end\n", f);
    for (unsigned r = 0; r < c->routers; r++)
        for (unsigned p = 0; p < c->ports; p++)
            if (c->load[(size_t)r * c->ports + p] >= 0)
                fprintf(f, "%u %u %.3f\n", r, p, c->load[(size_t)r * c->ports + p]);
    fprintf(f,
            "end\nset terminal svg size 1000,480 font 'sans,13' background 'white'\n"
            "set title 'flits per clock into each cable'\nset xlabel 'router'\nset ylabel 'port'\n"
            "set xrange [-0.5:%u.5]\nset yrange [-0.5:%u.5]\nset cbrange [0:1]\n"
            "set palette defined (0 '#e8eef7', 0.5 '#f2b134', 1 '#b42318')\n"
            "plot $cables using 1:2:3 with points pointtype 5 pointsize %.2f palette notitle\n",
            c->routers - 1, c->ports - 1, c->routers < 40 ? 0.6 : 0.25);
}

static bool has_latencies(const struct plot *p)
{
    bool has = false;
    for (unsigned i = 0; i < p->points; i++)
        has |= p->point[i].packets > 0;
    return has;
}

/* The share of packets in each bar, a line for each load. */
static void latencies_script(FILE *f, const void *what)
{
    const struct plot *p = what;
    for (unsigned i = 0; i < p->points; i++) {
        const struct plot_point *x = &p->point[i];
        fprintf(f, "$load%u << end\n", i);
        for (unsigned bar = 0; bar < BARS && x->packets > 0; bar++) {
            const struct bar b = bar_of(x, bar);
            if (b.packets > 0 || (bar > 0 && bar_of(x, bar - 1).packets > 0))
                fprintf(f, "%" PRIu64 " %.4f\n", b.from > 0 ? b.from : 1,
                        100.0 * (double)b.packets / (double)x->packets);
        }
        fputs("end\n", f);
    }
    fputs("set terminal svg size 1000,400 font 'sans,13' background 'white'\n"
          "set title 'packets by latency'\nset xlabel 'clocks'\nset ylabel '%'\n"
          "set logscale x\nset yrange [0:*]\nset grid\nset key outside\nplot ",
          f);
    for (unsigned i = 0, drawn = 0; i < p->points; i++)
        if (p->point[i].packets > 0)
            fprintf(f, "%s$load%u using 1:2 with steps linewidth 2 title '%.3f'",
                    drawn++ ? ", " : "", i, p->point[i].offered);
    fputs("\n", f);
}

static bool has_cables(const struct plot_cables *c)
{
    bool has = false;
    for (size_t i = 0; i < (size_t)c->routers * c->ports; i++)
        has = has || c->load[i] >= 0;
    return has;
}

bool plot_map(const struct plot_cables *cables, const char *path)
{
    struct whole svg;
    if (!whole_open(&svg, path))
        return false;
    return whole_close(&svg, has_cables(cables) && gnuplot_draw(cables_script, cables, svg.stream));
}

static void write_cell(FILE *f, bool there, const char *format, double value)
{
    char text[40] = "-";
    if (there)
        snprintf(text, sizeof text, format, value);
    fprintf(f, "<td>%s</td>", text);
}

static void write_row(FILE *f, const struct plot_point *x)
{
    const bool there = x->packets > 0;
    fprintf(f, "<tr><td>%.3f</td><td>%.3f%s</td><td>%.3f to %.3f</td>", x->offered, x->accepted,
            x->saturated ? ", saturated" : "", x->least, x->most);
    write_cell(f, there, "%.1f", x->latency);
    write_cell(f, there, "%.0f", (double)x->median);
    write_cell(f, there, "%.0f", (double)x->p99);
    write_cell(f, there, "%.0f", (double)x->p999);
    write_cell(f, there, "%.0f", (double)x->worst);
    fprintf(f,
            "<td>%.2f</td><td>%" PRIu64 "</td><td>%" PRIu64
            "</td><td>%.3f, %.3f, %.3f</td><td>%.3f, %.3f, %.3f</td></tr>\n",
            x->links, x->packets, x->warmup, x->node.least, x->node.mean, x->node.most,
            x->port.least, x->port.mean, x->port.most);
}

static void write_table(FILE *f, const struct plot *p)
{
    fputs("<table><tr><th>offered</th><th>accepted</th><th>of the seeds</th><th>mean "
          "latency</th><th>median</th><th>99 %</th>"
          "<th>99.9 %</th><th>worst</th><th>links</th><th>packets</th><th>warm-up</th>"
          "<th>at a node: least, mean, most</th><th>at a port</th></tr>\n",
          f);
    for (unsigned i = 0; i < p->points; i++)
        write_row(f, &p->point[i]);
    fputs("</table>\n", f);
}

/* The flows of a list, as many as one reads, at the highest load. */
static void write_flow_table(FILE *f, const struct plot *p)
{
    enum { MOST = 200 };
    const struct plot_point *last = &p->point[p->points - 1];
    if (p->flows == 0)
        return;
    fprintf(f, "<h2>Flows at %.3f offered</h2>\n<table><tr><th>from</th><th>to</th>", last->load);
    fputs("<th>offered</th><th>accepted</th></tr>\n", f);
    for (unsigned i = 0; i < p->flows && i < MOST; i++)
        fprintf(f, "<tr><td>%u</td><td>%u</td><td>%.4f</td><td>%.4f</td></tr>\n", p->from[i],
                p->to[i], last->flow[i].offered, last->flow[i].accepted);
    fputs("</table>\n", f);
    if (p->flows > MOST)
        fprintf(f, "<p>The first %d of %u; the others are in the JSON report.</p>\n", MOST,
                p->flows);
}

bool plot_html(const struct plot *p, const struct plot_cables *cables, const char *path)
{
    struct whole page;
    if (!whole_open(&page, path))
        return false;
    FILE *f = page.stream;
    fprintf(
        f,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title><style>"
        "body { font: 15px/1.45 sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em }"
        "table { border-collapse: collapse } th, td { text-align: right; padding: 0.2em 0.8em; "
        "border-bottom: 1px solid #ddd }</style></head><body>\n<h1>%s</h1>\n<p>%s routers, %u "
        "nodes, %u processor "
        "ports; %s, %s; "
        "%" PRIu64 " clocks for each load, seeds from %" PRIu64
        " on: %u. Loads are flits per clock and processor port, of nodes and flows flits per "
        "clock, latencies clocks.</p>\n",
        p->title, p->title, p->machine, p->nodes, p->ports, p->pattern, p->mode, p->clocks, p->seed,
        p->seeds);
    write_table(f, p);
    bool drawn = gnuplot_draw(loads_script, p, f);
    if (has_latencies(p)) {
        fputs("<h2>Latencies</h2>\n", f);
        drawn = drawn && gnuplot_draw(latencies_script, p, f);
    }
    write_flow_table(f, p);
    if (has_cables(cables)) {
        fprintf(f, "<h2>Cables at %.3f offered</h2>\n", p->point[p->points - 1].offered);
        drawn = drawn && gnuplot_draw(cables_script, cables, f);
    }
    fputs("</body></html>\n", f);
    return whole_close(&page, drawn);
}
