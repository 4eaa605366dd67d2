// SPDX-License-Identifier: Apache-2.0
/*
 * boot.c - finds chips, compares, writes; boot.h.
 */
#include "tb/system/device/boot.h"

#include <stdio.h>
#include <string.h>

enum {
    ROUTER = 0,
    SUPERVISOR = 1,
    LINKS = 64,
    CHIP = 0, /* registers of the supervisor */
    UP = 1,
    RESTART = 4,
    PEER = 7, /* and of a link: who is at its other end */
    PATIENCE = 3000,
    SETTLE = 4000,
    PROCESSORS = 0x8000,  /* their numbers are from there on */
    FIRST_NUMBER = 0x100, /* of chips whose place is not known yet */
    LAST_ROW = (RTR_ROWS - 1) * RTR_COLS
};

/* ---- one register ------------------------------------------------------------------------------------ */

static uint64_t access_to(struct boot *t, const struct boot_chip *c, bool write, unsigned unit,
                          unsigned address, uint64_t data)
{
    struct maint_access a = c->way;
    uint64_t value = 0;

    a.write = write;
    a.unit = unit;
    a.address = address;
    a.data = data;
    t->packets++;
    if (!maint_ask(t->bench, t->end, &a, &value, PATIENCE))
        t->unanswered++;
    return value;
}

static uint64_t get(struct boot *t, const struct boot_chip *c, unsigned unit, unsigned address)
{
    return access_to(t, c, false, unit, address, 0);
}

static void put(struct boot *t, const struct boot_chip *c, unsigned unit, unsigned address,
                uint64_t data)
{
    (void)access_to(t, c, true, unit, address, data);
}

static bool has_tap(unsigned port)
{
    return port < RTR_COLS || port >= LAST_ROW;
}

/* ---- what there is ------------------------------------------------------------------------------------- */

static struct boot_peer peer_of(uint64_t reg)
{
    return (struct boot_peer){(int)(reg & 0xFFFF), (unsigned)(reg >> 16 & 0x3F)};
}

/* The way to what is behind a link of a chip. */
static struct boot_chip behind(const struct boot_chip *c, unsigned port, unsigned entry)
{
    struct boot_chip next = {.way = c->way, .entry = entry, .place = -1};

    next.way.port[next.way.hops - 1] = port; /* instead of the tap there */
    next.way.port[next.way.hops++] = entry;
    next.way.back_hops =
        c->way.hops == 1 ? 0 : c->way.back_hops; /* no router is in front of chip 0 */
    memmove(next.way.back + 1, next.way.back, sizeof next.way.back - sizeof *next.way.back);
    next.way.back[0] = c->entry;
    next.way.back_hops++;
    return next;
}

static void look_around(struct boot *t, unsigned n)
{
    struct boot_chip *c = &t->chip[n];

    put(t, c, SUPERVISOR, CHIP, FIRST_NUMBER + n);
    c->up = get(t, c, SUPERVISOR, UP);
    for (unsigned p = 0; p < BOOT_PORTS; p++)
        if (c->up >> p & 1)
            c->peer[p] = peer_of(get(t, c, LINKS + p, PEER));
    for (unsigned p = 0; p < BOOT_PORTS && t->chips < MAINT_CHIPS; p++)
        if ((c->up >> p & 1) && p != c->entry && c->peer[p].chip < PROCESSORS &&
            has_tap(c->peer[p].port)) {
            const struct boot_chip next = behind(c, p, c->peer[p].port);
            if (get(t, &next, SUPERVISOR, CHIP) == 0) { /* nobody was here */
                t->chip[t->chips] = next;
                put(t, &next, SUPERVISOR, CHIP, FIRST_NUMBER + t->chips++);
            }
        }
}

/* Links begin anew, each by the end that is nearer to us, and tell each other who they are. */
static void tell_numbers(struct boot *t)
{
    for (unsigned n = t->chips; n-- > 0;) {
        const struct boot_chip *c = &t->chip[n];
        put(t, c, SUPERVISOR, RESTART, ~(UINT64_C(1) << c->entry));
        maint_run(t->bench, SETTLE);
    }
    for (unsigned n = 0; n < t->chips; n++) {
        struct boot_chip *c = &t->chip[n];
        c->up = get(t, c, SUPERVISOR, UP);
        for (unsigned p = 0; p < BOOT_PORTS; p++) {
            c->peer[p] = (struct boot_peer){-1, 0};
            if (c->up >> p & 1) {
                c->peer[p] = peer_of(get(t, c, LINKS + p, PEER));
                c->peer[p].chip -= FIRST_NUMBER;
            }
        }
    }
}

/* ---- compared ------------------------------------------------------------------------------------------ */

/* Links of chip n that would be right if it were at `place`, to chips whose place is known. */
static unsigned votes(const struct boot *t, unsigned n, unsigned place)
{
    unsigned sum = 0;

    for (unsigned p = 0; p < BOOT_PORTS; p++) {
        const struct boot_peer found = t->chip[n].peer[p], due = t->wiring->peer[place][p];
        sum += found.chip >= 0 && found.chip < (int)t->chips && due.chip >= 0 &&
               t->chip[found.chip].place == due.chip && found.port == due.port;
    }
    return sum;
}

/* Each chip is where most of its links say, the surest first. */
static void find_places(struct boot *t)
{
    t->chip[0].place = 0;
    for (unsigned known = 1; known < t->chips; known++) {
        unsigned best = 0, chip = 0, place = 0;
        for (unsigned n = 0; n < t->chips; n++)
            for (unsigned w = 0; w < t->wiring->chips && t->chip[n].place < 0; w++) {
                const unsigned v = votes(t, n, w);
                if (v > best)
                    best = v, chip = n, place = w;
            }
        if (best > 0)
            t->chip[chip].place = (int)place;
    }
}

static void complain(struct boot *t, const char *what, unsigned place, unsigned port, int chip,
                     unsigned other)
{
    if (t->complaints < BOOT_COMPLAINTS)
        snprintf(t->complaint[t->complaints++], BOOT_TEXT, "%s: chip %u port %u, chip %d port %u",
                 what, place, port, chip, other);
}

static void compare(struct boot *t)
{
    for (unsigned n = 0; n < t->chips; n++)
        for (unsigned p = 0; p < BOOT_PORTS; p++) {
            const struct boot_chip *c = &t->chip[n];
            const struct boot_peer found = c->peer[p];
            if (c->place < 0)
                continue;
            const struct boot_peer due = t->wiring->peer[c->place][p];
            const bool chip = found.chip >= 0 && found.chip < (int)t->chips;
            const int place = chip ? t->chip[found.chip].place : -1;
            if (!(c->up >> p & 1) && due.chip > c->place) {
                t->dead_links++;
                complain(t, "dead", (unsigned)c->place, p, due.chip, due.port);
            } else if (chip && (place != due.chip || found.port != due.port) &&
                       (place > c->place || (place == c->place && found.port > p))) {
                t->wrong_cables++;
                complain(t, "wrong cable", (unsigned)c->place, p, place, found.port);
            }
        }
}

bool boot_find(struct boot *t, struct maint_bench *b, unsigned end, unsigned port,
               const struct boot_wiring *wiring)
{
    memset(t, 0, sizeof *t);
    t->bench = b;
    t->end = end;
    t->wiring = wiring;
    t->began = b->clock;
    t->chip[0] = (struct boot_chip){
        .way = {.hops = 1, .port = {port}, .back_hops = 1, .back = {port}}, .entry = port};
    t->chips = 1;
    for (unsigned n = 0; n < t->chips; n++)
        t->chip[n].place = -1, look_around(t, n);
    tell_numbers(t);
    find_places(t);
    compare(t);
    t->clocks = b->clock - t->began;
    return t->chips == wiring->chips && t->unanswered == 0;
}

/* ---- written ------------------------------------------------------------------------------------------- */

/* One word under way to each chip. */
bool boot_write(struct boot *t, const struct boot_word *const words[MAINT_CHIPS],
                const unsigned count[MAINT_CHIPS])
{
    unsigned at[MAINT_CHIPS] = {0};

    for (bool more = true; more;) {
        struct maint_access a[MAINT_CHIPS] = {0};
        unsigned tag[MAINT_CHIPS] = {0};
        more = false;
        for (unsigned n = 0; n < t->chips; n++) {
            const unsigned place = (unsigned)t->chip[n].place;
            if (at[n] == count[place])
                continue;
            a[n] = t->chip[n].way;
            a[n].write = true;
            a[n].unit = ROUTER;
            a[n].address = words[place][at[n]].address;
            a[n].data = words[place][at[n]].data;
            tag[n] = ++t->bench->tag % 256;
            const struct maint_packet p = maint_request_of(&a[n], tag[n]);
            maint_send(&t->bench->end[t->end], &p);
            t->packets++;
            more = true;
        }
        for (unsigned n = 0; more && n < t->chips; n++) {
            uint64_t value;
            if (at[n] == count[t->chip[n].place])
                continue;
            at[n]++;
            t->words++;
            if (!maint_answer(t->bench, t->end, &a[n], tag[n], &value, PATIENCE))
                t->unanswered++;
        }
    }
    for (unsigned n = 0; n < t->chips; n++)
        put(t, &t->chip[n], SUPERVISOR, CHIP, (unsigned)t->chip[n].place + 1);
    t->clocks = t->bench->clock - t->began;
    return t->unanswered == 0;
}

bool boot_report(const struct boot *t, const char *path)
{
    cJSON *json = cJSON_CreateObject();

    cJSON_AddNumberToObject(json, "routers", t->chips);
    cJSON_AddNumberToObject(json, "words", (double)t->words);
    cJSON_AddNumberToObject(json, "packets", (double)t->packets);
    cJSON_AddNumberToObject(json, "clocks", (double)t->clocks);
    cJSON_AddNumberToObject(json, "wrong_cables", t->wrong_cables);
    return report_write(path, json);
}
