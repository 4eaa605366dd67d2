// SPDX-License-Identifier: Apache-2.0
/*
 * checkpoint.c - a network to a file and back.
 */
#include "sim/engine/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/engine/network_state.h"
#include "sim/engine/tape.h"

#ifndef SIM_SOURCES
#error "scripts/make/sim.mk gives a sum over the sources"
#endif

static const char title[] = "heddle-checkpoint " SIM_SOURCES;

/* ---- what a network is -------------------------------------------------------------------------- */

static void tape_store(struct tape *t, struct packets *p)
{
    const uint32_t size = p->size;
    tape_bytes(t, &p->size, sizeof p->size);
    tape_bytes(t, &p->free, sizeof p->free);
    tape_bytes(t, p->bucket, sizeof p->bucket);
    if (p->size > PACKETS_MOST) {
        t->broken = true;
        p->size = size;
    }
    if (!t->keeps && p->size != size) {
        free(p->packet);
        p->packet = sim_alloc(p->size, sizeof *p->packet);
    }
    tape_bytes(t, p->packet, p->size * sizeof *p->packet);
}

static void tape_block(struct tape *t, const struct network *n, struct block *block)
{
    if (!block->link)
        return;
    tape_bytes(t, block->link, n->model->link->size);
    tape_bytes(t, &block->random, sizeof block->random);
    tape_bytes(t, &block->good_bits, sizeof block->good_bits);
    tape_bytes(t, &block->from_router, sizeof block->from_router);
    tape_bytes(t, &block->to_router, sizeof block->to_router);
    if (block->checked)
        tape_bytes(t, block->checked, sizeof *block->checked);
}

static void tape_router(struct tape *t, struct network *n, unsigned router)
{
    const size_t tile = tile_of(n, router, 0);
    tape_bytes(t, n->router[router - n->first], n->model->size);
    tape_store(t, &n->nics.store[router]);
    for (unsigned p = 0; p < n->model->machine->ports; p++) {
        struct cable_end *end = &n->end[tile + p];
        if (n->topology->ports[router][p].kind == PORT_UNUSED)
            continue;
        tape_bytes(t, end, sizeof *end);
        tape_bytes(t, &n->arrival[(tile + p) * n->slots], n->slots * sizeof *n->arrival);
        tape_bytes(t, &n->sent[(size_t)router * MACHINE_PORTS + p], sizeof *n->sent);
        if (end->nic != NIC_NOBODY)
            tape_bytes(t, &n->nics.nic[end->nic], sizeof *n->nics.nic);
        if (n->block)
            tape_block(t, n, &n->block[tile + p]);
    }
}

/* Sums are those of all ranks; whoever goes on has them in its first. */
static void tape_whole(struct tape *t, struct network *n, const struct checkpoint *c)
{
    struct nics *s = &n->nics;
    struct ranks *ranks = n->config.ranks;
    struct nic_sums sums = s->sums;
    const size_t tallies = nics_tallies(s) * sizeof *s->tally;
    uint64_t most[] = {s->worst, s->arrived};
    memcpy(n->tally, s->tally, tallies);
    if (t->keeps && n->border) {
        assert(ranks);
        ranks->sum((uint64_t *)&sums, sizeof sums / sizeof(uint64_t));
        ranks->sum(n->tally, nics_tallies(s));
        ranks->most(most, 2);
    }
    if (t->keeps)
        net_complaint(n);
    tape_bytes(t, c->progress, c->size);
    tape_bytes(t, &sums, sizeof sums);
    tape_bytes(t, n->tally, tallies);
    tape_bytes(t, most, sizeof most);
    tape_bytes(t, s->complaint, sizeof s->complaint);
    tape_bytes(t, &s->complaint_clock, sizeof s->complaint_clock);
    tape_bytes(t, &s->complaint_router, sizeof s->complaint_router);
    tape_bytes(t, &s->now, sizeof s->now);
    tape_bytes(t, &s->measured, sizeof s->measured);
    tape_bytes(t, &s->closed, sizeof s->closed);
    tape_bytes(t, &n->measured, sizeof n->measured);
    tape_bytes(t, &n->begun, sizeof n->begun);
    tape_bytes(t, &n->delivered, sizeof n->delivered);
    tape_bytes(t, &n->moved, sizeof n->moved);
    if (t->keeps)
        return;
    s->sums = ranks && ranks->rank > 0 ? (struct nic_sums){0} : sums;
    if (!ranks || ranks->rank == 0)
        memcpy(s->tally, n->tally, tallies);
    s->worst = most[0];
    s->arrived = most[1];
}

/* ---- to a file ---------------------------------------------------------------------------------- */

/* This rank's part, behind those before it. */
static bool append(struct network *n, const char *part, const struct checkpoint *c,
                   struct tape *whole)
{
    const bool first = !n->config.ranks || n->config.ranks->rank == 0;
    FILE *f = fopen(part, first ? "w" : "a");
    bool good = f != NULL;
    if (good && first)
        good = fprintf(f, "%s\n%s\n", title, c->run) > 0 && tape_write(whole, f);
    for (unsigned r = n->first; good && r < n->last; r++) {
        struct tape t = {.keeps = true};
        tape_router(&t, n, r);
        good = tape_write(&t, f);
        tape_free(&t);
    }
    const int error = errno;
    if (f && fclose(f) != 0)
        good = false;
    else if (!good)
        errno = error;
    return good;
}

void checkpoint_save(struct network *n, const char *path, const struct checkpoint *c)
{
    char part[PATH_MAX + 8];
    struct ranks *ranks = n->config.ranks;
    const unsigned count = ranks ? ranks->count : 1, rank = ranks ? ranks->rank : 0;
    struct tape whole = {.keeps = true};
    uint64_t error = 0;
    snprintf(part, sizeof part, "%s.part", path);
    tape_whole(&whole, n, c);
    for (unsigned turn = 0; turn < count && error == 0; turn++) {
        if (turn == rank && !append(n, part, c, &whole))
            error = errno ? (uint64_t)errno : EIO;
        if (ranks)
            ranks->most(&error, 1);
    }
    tape_free(&whole);
    if (rank == 0 && error == 0 && rename(part, path) != 0)
        error = (uint64_t)errno;
    if (ranks)
        ranks->most(&error, 1);
    if (error == 0)
        return;
    if (rank == 0)
        (void)remove(part);
    sim_fail("%s: cannot write the checkpoint: %s", path, strerror((int)error));
}

/* ---- and back ------------------------------------------------------------------------------------- */

static bool line_of(FILE *f, char *line, size_t size)
{
    if (!fgets(line, (int)size, f))
        return false;
    const size_t length = strlen(line);
    if (length == 0 || line[length - 1] != '\n')
        return false;
    line[length - 1] = '\0';
    return true;
}

static const char damaged[] = "the checkpoint is damaged or cut off";

/* A field of a run is its name, FIELD_IS, what it is, FIELD_END. */
#define FIELD_IS  '\t'
#define FIELD_END '\v'

void checkpoint_field(struct checkpoint *c, const char *name, const char *format, ...)
{
    char value[200];
    va_list list;
    va_start(list, format);
    vsnprintf(value, sizeof value, format, list);
    va_end(list);
    for (char *at = value; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
    const size_t used = strlen(c->run);
    snprintf(c->run + used, sizeof c->run - used, "%s%c%s%c", name, FIELD_IS, value, FIELD_END);
}

/* What is otherwise in the run of a file than in ours; a program of one version writes the same fields for all runs. */
static void tell_differences(char *text, size_t room, const char *there, const char *here)
{
    const char *old_end, *new_end;
    text[0] = '\0';
    while ((old_end = strchr(there, FIELD_END)) && (new_end = strchr(here, FIELD_END))) {
        const int name = (int)strcspn(here, (char[]){FIELD_IS, '\0'}) + 1;
        const int old = (int)(old_end - there) - name, new = (int)(new_end - here) - name;
        const size_t used = strlen(text), whole = (size_t)(old_end - there);
        if (old != new || memcmp(there, here, whole) != 0)
            snprintf(text + used, room - used, "%s%.*s %.*s, not %.*s", used ? "; " : "", name - 1,
                     here, old, there + name, new, here + name);
        there = old_end + 1;
        here = new_end + 1;
    }
}

/* The file behind its first two lines. */
static FILE *open_checkpoint(const char *path, const struct checkpoint *c)
{
    char line[CHECKPOINT_RUN + 2];
    FILE *f = fopen(path, "r");
    if (!f)
        sim_fail("--resume %s: %s", path, strerror(errno));
    if (!line_of(f, line, sizeof line) || strncmp(line, title, strcspn(title, " ")) != 0)
        sim_fail("--resume %s: it is no checkpoint", path);
    if (strcmp(line, title) != 0)
        sim_fail("--resume %s: a checkpoint of another version of this program; begin again", path);
    if (!line_of(f, line, sizeof line))
        sim_fail("--resume %s: %s", path, damaged);
    if (strcmp(line, c->run) != 0) {
        char text[CHECKPOINT_RUN];
        tell_differences(text, sizeof text, line, c->run);
        sim_fail("--resume %s: the checkpoint is of another run: %s", path, text);
    }
    return f;
}

void checkpoint_look(const char *path, const struct checkpoint *c, unsigned routers)
{
    FILE *f = open_checkpoint(path, c);
    bool good = true;
    for (unsigned part = 0; good && part < routers + 1; part++) { /* the whole, then each router */
        struct tape t;
        good = tape_read(&t, f);
        tape_free(&t);
    }
    good = good && fgetc(f) == EOF;
    fclose(f);
    if (!good)
        sim_fail("--resume %s: %s", path, damaged);
}

void checkpoint_load(struct network *n, const char *path, const struct checkpoint *c)
{
    FILE *f = open_checkpoint(path, c);
    struct tape t;
    bool good = tape_read(&t, f);
    if (good)
        tape_whole(&t, n, c);
    good = good && !t.broken && t.at == t.size;
    tape_free(&t);
    for (unsigned r = 0; good && r < n->topology->routers; r++) {
        if (r < n->first || r >= n->last) {
            good = tape_skip(f);
            continue;
        }
        good = tape_read(&t, f);
        if (good)
            tape_router(&t, n, r);
        good = good && !t.broken && t.at == t.size;
        tape_free(&t);
    }
    good = good && (n->last < n->topology->routers || fgetc(f) == EOF);
    fclose(f);
    if (!good)
        sim_fail("--resume %s: %s", path, damaged);
}
