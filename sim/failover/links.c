// SPDX-License-Identifier: Apache-2.0
/*
 * links.c - reads STATUS, writes LIMITS and CONTROL of link control blocks.
 */
#include "sim/failover/links.h"

#include <stdlib.h>

#include "hls/config/lcb_micropacket.h"
#include "hls/chip/maint/supervisor_map.h"
#include "hls/link/lcb_map.h"
#include "sim/failover/blocks.h"
#include "sim/base/program.h"

/*
 * Clocks: until a bus must have answered, and the controller of a chip, which asks for one thing after the other; beyond the limits until a link that tries is killed, for which FLUSH and what is read late count.
 * PAUSE: times as long between two restarts of a link that does not run.
 */
enum { ANSWER = 10, CHIP_ANSWER = 2000, CHIP_HEARD = 500, GRACE = 2000, PAUSE = 2 };

/* A link as it was read last. */
struct link_known {
    enum link_state state;
    bool lanes;         /* one of them at least is up */
    uint64_t since;     /* clock at which it was first found trying */
    uint64_t restarted; /* clock of the last restart since it ran; 0: none */
    bool asked;         /* for STATUS, where that is not asked for each time */
};

/* What a chip's supervisor said last. */
struct chip_known {
    uint64_t up, dead;
    uint64_t asked; /* clock of the requests that are on their way */
    bool waits;
    bool reads_dead; /* they are for DEAD, behind UP */
};

/* A field of a word of a register, and a value at its place. */
#define FIELD(word, register, field)                                                               \
    ((word) >> LCB_REG_##register##_##field##_AT &                                                 \
     ((UINT64_C(1) << LCB_REG_##register##_##field##_BITS) - 1))
#define AT(register, field, value) ((uint64_t)(value) << LCB_REG_##register##_##field##_AT)

static struct link_known *known_of(const struct links *l, unsigned router, unsigned port)
{
    return &l->known[(size_t)router * MACHINE_PORTS + port];
}

static bool has_cable(const struct links *l, unsigned router, unsigned port)
{
    return l->whole->ports[router][port].router != TOPO_NOBODY;
}

uint64_t links_patience(const struct links *l)
{
    return (uint64_t)l->limits.retry * l->limits.train + GRACE;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static void write_limits(struct links *l, unsigned router, unsigned port)
{
    const struct request request = {true, LCB_REG_LIMITS,
                                    AT(LIMITS, BAD, LCB_BAD_LIMIT) |
                                        AT(LIMITS, RETRY, l->limits.retry) |
                                        AT(LIMITS, TRAIN, l->limits.train)};
    blocks_ask(l->network, router, port, &request, 1);
}

/* A pulse of CONTROL, whose other fields stay as after a reset. */
static void control(struct links *l, unsigned router, unsigned port, uint64_t pulse)
{
    const struct request request = {true, LCB_REG_CONTROL,
                                    AT(CONTROL, LANES, LCB_REG_CONTROL_LANES_RESET) | pulse};
    blocks_ask(l->network, router, port, &request, 1);
}

static void restart(struct links *l, unsigned router, unsigned port)
{
    if (!l->chip) {
        control(l, router, port, AT(CONTROL, RESTART, 1));
        return;
    }
    const struct request request = {true, SUP_REG_RESTART,
                                    UINT64_C(1) << faults_link_of(l->network, router, port)};
    faults_ask_chip(l->network, router, &request, 1);
}

void links_begin(struct links *l, struct network *n, const struct topology *whole,
                 struct link_limits limits)
{
    *l = (struct links){
        .network = n, .whole = whole, .blocks = blocks_used(n), .limits = limits, .port = -1};
    l->known = sim_alloc((size_t)whole->routers * MACHINE_PORTS, sizeof *l->known);
    if (l->blocks && faults_chips(n))
        l->chip = sim_alloc(whole->routers, sizeof *l->chip);
    for (unsigned r = 0; r < whole->routers && l->blocks; r++)
        for (unsigned p = 0; p < whole->machine->ports; p++)
            if (has_cable(l, r, p))
                write_limits(l, r, p);
}

void links_free(struct links *l)
{
    free(l->known);
    free(l->chip);
}

void links_replaced(struct links *l, unsigned router)
{
    if (l->chip)
        l->chip[router] = (struct chip_known){0};
    for (unsigned p = 0; p < l->whole->machine->ports; p++) {
        *known_of(l, router, p) = (struct link_known){.state = LINK_DEAD};
        if (!l->blocks || !has_cable(l, router, p))
            continue;
        control(l, router, p, AT(CONTROL, KILL, 1));
        write_limits(l, router, p);
    }
}

void links_tend(struct links *l, unsigned router, unsigned port, bool may)
{
    struct link_known *known = known_of(l, router, port);
    const uint64_t now = faults_now(l->network);
    if (!l->blocks) {
        if (known->state == LINK_DEAD && may)
            faults_restart(l->network, router, port);
    } else if (known->state == LINK_SILENT && now >= known->since + links_patience(l)) {
        control(l, router, port, AT(CONTROL, KILL, 1));
    } else if (known->state == LINK_DEAD && known->lanes && may &&
               (known->restarted == 0 || now >= known->restarted + PAUSE * links_patience(l))) {
        known->restarted = now;
        restart(l, router, port);
    }
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* UP and DEAD of a chip, in turn; of a link that is dead STATUS, for its lanes. */
static void ask_chip(struct links *l, unsigned router, unsigned port)
{
    struct chip_known *chip = &l->chip[router];
    struct link_known *known = known_of(l, router, port);
    if (!chip->waits) {
        const struct request masks = {.address = chip->reads_dead ? SUP_REG_DEAD : SUP_REG_UP};
        faults_ask_chip(l->network, router, &masks, 1);
        chip->waits = true;
        chip->asked = faults_now(l->network);
    }
    if (has_cable(l, router, port) && known->state == LINK_DEAD && !known->asked) {
        const struct request status = {.address = LCB_REG_STATUS};
        blocks_ask(l->network, router, port, &status, 1);
        known->asked = true;
    }
}

/* Takes what has come; false if the chip does not answer. */
static bool hear_chip(struct links *l, unsigned router)
{
    struct chip_known *chip = &l->chip[router];
    if (!chip->waits)
        return true;
    if (faults_pending_chip(l->network, router) > 0)
        return faults_now(l->network) < chip->asked + CHIP_ANSWER;
    const uint64_t links = faults_read_chip(l->network, router);
    if (chip->reads_dead)
        chip->dead = links;
    else
        chip->up = links;
    chip->reads_dead = !chip->reads_dead;
    chip->waits = false;
    return true;
}

/* A link as its chip says. */
static enum link_state chip_state(struct links *l, unsigned router, unsigned port)
{
    const struct chip_known *chip = &l->chip[router];
    struct link_known *known = known_of(l, router, port);
    const unsigned link = faults_link_of(l->network, router, port);
    if (!hear_chip(l, router))
        return LINK_NO_ANSWER;
    if (known->asked && blocks_pending(l->network, router, port) == 0) {
        known->lanes = FIELD(blocks_read(l->network, router, port), STATUS, LANE_UP) != 0;
        known->asked = false;
    }
    return chip->up >> link & 1 ? LINK_UP : chip->dead >> link & 1 ? LINK_DEAD : LINK_SILENT;
}

void links_ask(struct links *l, unsigned port, const bool *dead_router)
{
    const struct request status = {.address = LCB_REG_STATUS};
    l->asked = faults_now(l->network);
    l->port = (int)port;
    for (unsigned r = 0; r < l->whole->routers && l->chip; r++)
        if (!dead_router[r])
            ask_chip(l, r, port);
    for (unsigned r = 0; r < l->whole->routers && l->blocks && !l->chip; r++)
        if (has_cable(l, r, port) && !dead_router[r]) {
            blocks_read(l->network, r, port);
            blocks_ask(l->network, r, port, &status, 1);
        }
}

/* FLUSH is as dead to the router as DEAD and LOOP. */
static enum link_state state_of(uint64_t status)
{
    switch ((enum block_state)FIELD(status, STATUS, STATE)) {
    case BLOCK_DEAD:
    case BLOCK_LOOP:
        return LINK_DEAD;
    case BLOCK_FLUSH:
        return LINK_TRAINS;
    case BLOCK_RUN:
        return LINK_UP;
    case BLOCK_TRAIN:
    case BLOCK_READY:
    case BLOCK_START:
        break;
    }
    return LINK_SILENT;
}

static enum link_state heard(struct link_known *known, enum link_state state, uint64_t now)
{
    if (state == LINK_NO_ANSWER)
        return state;
    if (state == LINK_SILENT && known->state != LINK_SILENT)
        known->since = now;
    if (state == LINK_UP)
        known->restarted = 0;
    known->state = state;
    return state;
}

enum link_state links_state(struct links *l, unsigned router, unsigned port)
{
    struct link_known *known = known_of(l, router, port);
    const uint64_t now = faults_now(l->network);
    if (!l->blocks) {
        known->state = faults_link(l->network, router, port);
        return known->state;
    }
    if (l->chip)
        return heard(known, chip_state(l, router, port), now);
    if (l->port != (int)port)
        return known->state;
    if (blocks_pending(l->network, router, port) > 0)
        return now >= l->asked + ANSWER ? LINK_NO_ANSWER : known->state;
    const uint64_t status = blocks_read(l->network, router, port);
    known->lanes = FIELD(status, STATUS, LANE_UP) != 0;
    return heard(known, state_of(status), now);
}

bool links_try(const struct links *l, const bool *dead_router, const bool *except)
{
    for (unsigned r = 0; r < l->whole->routers; r++)
        for (unsigned p = 0; p < l->whole->machine->ports && !dead_router[r]; p++)
            if (has_cable(l, r, p) && known_of(l, r, p)->state == LINK_SILENT &&
                !(except && except[(size_t)r * MACHINE_PORTS + p]))
                return true;
    return false;
}

uint64_t links_deaths(struct links *l, const bool *dead_router)
{
    const struct request deaths = {.address = LCB_REG_COUNTERS + COUNT_DEATHS};
    uint64_t sum = 0;
    for (unsigned p = 0; p < l->whole->machine->ports && l->blocks; p++) {
        for (unsigned r = 0; r < l->whole->routers; r++) {
            if (!has_cable(l, r, p) || dead_router[r])
                continue;
            blocks_read(l->network, r, p);
            blocks_ask(l->network, r, p, &deaths, 1);
        }
        net_run(l->network, l->chip ? CHIP_HEARD : ANSWER);
        for (unsigned r = 0; r < l->whole->routers; r++)
            sum += has_cable(l, r, p) && !dead_router[r] ? blocks_read(l->network, r, p) : 0;
    }
    l->port = -1;
    return sum;
}
