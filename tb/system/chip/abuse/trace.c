// SPDX-License-Identifier: Apache-2.0
/*
 * trace.c - value change dump: signals by a table, each written when it changes.
 */
#include "tb/system/chip/abuse/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_FIRST = '!', ID_RANGE = 94 };

struct signal {
    const char *name;
    unsigned bits;
    uint64_t (*value)(const struct nic *n);
};

/* clang-format off */
static uint64_t awready(const struct nic *n)   { return n->out.s_axi.awready; }
static uint64_t wready(const struct nic *n)    { return n->out.s_axi.wready; }
static uint64_t bvalid(const struct nic *n)    { return n->out.s_axi.bvalid; }
static uint64_t bresp(const struct nic *n)     { return n->out.s_axi.bresp; }
static uint64_t m_awvalid(const struct nic *n) { return n->out.m_axi.awvalid; }
static uint64_t m_awaddr(const struct nic *n)  { return (uint64_t)n->out.m_axi.awaddr; }
static uint64_t m_awid(const struct nic *n)    { return (uint64_t)n->out.m_axi.awid; }
static uint64_t m_wvalid(const struct nic *n)  { return n->out.m_axi.wvalid; }
static uint64_t m_wlast(const struct nic *n)   { return n->out.m_axi.wlast; }
static uint64_t m_arvalid(const struct nic *n) { return n->out.m_axi.arvalid; }
static uint64_t m_araddr(const struct nic *n)  { return (uint64_t)n->out.m_axi.araddr; }
static uint64_t m_arid(const struct nic *n)    { return (uint64_t)n->out.m_axi.arid; }
static uint64_t req(const struct nic *n)       { return n->out.to_request.valid; }
static uint64_t req_is_head(const struct nic *n) { return n->out.to_request.head; }
static uint64_t req_head(const struct nic *n)  { return (uint64_t)n->out.to_request.word; }
static uint64_t rsp(const struct nic *n)       { return n->out.to_response.valid; }
static uint64_t rsp_head(const struct nic *n)  { return (uint64_t)n->out.to_response.word; }
static uint64_t req_room(const struct nic *n)  { return n->out.request_room; }
static uint64_t rsp_room(const struct nic *n)  { return n->out.response_room; }
static uint64_t tags(const struct nic *n)      { return n->initiator.orb.free.out.count; }
static uint64_t ids(const struct nic *n)       { return n->initiator.ssid.free.out.count; }
/* clang-format on */

static const struct signal signals[] = {
    {"s_axi_awready", 1, awready},   {"s_axi_wready", 1, wready},
    {"s_axi_bvalid", 1, bvalid},     {"s_axi_bresp", 2, bresp},
    {"m_axi_awvalid", 1, m_awvalid}, {"m_axi_awaddr", 48, m_awaddr},
    {"m_axi_awid", 4, m_awid},       {"m_axi_wvalid", 1, m_wvalid},
    {"m_axi_wlast", 1, m_wlast},     {"m_axi_arvalid", 1, m_arvalid},
    {"m_axi_araddr", 48, m_araddr},  {"m_axi_arid", 4, m_arid},
    {"request_valid", 1, req},       {"request_head", 1, req_is_head},
    {"request_word", 48, req_head},  {"response_valid", 1, rsp},
    {"response_word", 48, rsp_head}, {"request_room", 1, req_room},
    {"response_room", 1, rsp_room},  {"free_tags", 11, tags},
    {"free_ids", 10, ids},
};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

struct trace {
    FILE *file;
    const char *path;
    uint64_t from, to, clock;
    uint64_t last[RING_NODES][SIGNALS];
    bool begun;
};

static void print_id(FILE *f, unsigned number)
{
    fprintf(f, "%c%c", ID_FIRST + number / ID_RANGE, ID_FIRST + number % ID_RANGE);
}

struct trace *trace_new(const char *path, uint64_t from, uint64_t to)
{
    struct trace *t = calloc(1, sizeof(*t));

    if (t == NULL) {
        abort();
    }
    t->path = path;
    t->from = from;
    t->to = to;
    t->file = fopen(path, "w");
    if (t->file == NULL) {
        fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
        free(t);
        return NULL;
    }
    fprintf(t->file, "$timescale 1ns $end\n");
    for (unsigned n = 0; n < RING_NODES; n++) {
        fprintf(t->file, "$scope module nic%u $end\n", n);
        for (unsigned s = 0; s < SIGNALS; s++) {
            fprintf(t->file, "$var wire %u ", signals[s].bits);
            print_id(t->file, n * SIGNALS + s);
            fprintf(t->file, " %s $end\n", signals[s].name);
        }
        fprintf(t->file, "$upscope $end\n");
    }
    fprintf(t->file, "$enddefinitions $end\n");
    return t;
}

static void print_value(struct trace *t, unsigned n, unsigned s, uint64_t value)
{
    fputc('b', t->file);
    for (unsigned bit = signals[s].bits; bit-- > 0;) {
        fputc((value >> bit & 1) != 0 ? '1' : '0', t->file);
    }
    fputc(' ', t->file);
    print_id(t->file, n * SIGNALS + s);
    fputc('\n', t->file);
}

void trace_clock(struct trace *t, const struct world *w)
{
    uint64_t clock = t->clock++;

    if (clock < t->from || clock > t->to) {
        return;
    }
    fprintf(t->file, "#%llu\n", (unsigned long long)w->clock);
    for (unsigned n = 0; n < RING_NODES; n++) {
        for (unsigned s = 0; s < SIGNALS; s++) {
            uint64_t value = signals[s].value(ring_nic(w->ring, n));

            if (!t->begun || value != t->last[n][s]) {
                print_value(t, n, s, value);
                t->last[n][s] = value;
            }
        }
    }
    t->begun = true;
}

bool trace_end(struct trace *t)
{
    bool whole = ferror(t->file) == 0;

    whole = fclose(t->file) == 0 && whole;
    if (!whole) {
        fprintf(stderr, "%s: cannot be written\n", t->path);
    }
    free(t);
    return whole;
}
