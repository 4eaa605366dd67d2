// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_states.c - every history of transactions that use one id after the other, on the C of ssid and rmt themselves: any order, loss,
 * refusal, want of a place and timeout, answers in each clock of a CLOSE and of a NOTE.
 *
 * Some want a flag there, too. In no state is an event or flag at the target missing of what ended OK, second, unwanted or before its data; and when nothing more can happen the
 * id is free and the target counts nothing. A state is what ssid, rmt, the channel and the outstanding requests hold (world_key).
 *
 * Built for proto: fast. The long form: --errors 1 --full 2 --early 2.
 */
#include "tb/base/harness.h"
#include "tb/system/nic/events/events_world.h"

#include <stdlib.h>
#include <string.h>

/* Visited states by two hashes of their keys; where each came from. */
struct seen {
    uint64_t a, b;
};

struct search {
    struct world_limits limits;
    struct seen *table;
    uint64_t places, states, steps;
    struct world *stack;
    uint64_t waiting, room;
    uint64_t ends, ended_ok, events;
    unsigned faults;
    struct misses wrong;
};

static struct search search;

static uint64_t hash(const uint8_t *key, unsigned length, uint64_t x)
{
    for (unsigned i = 0; i < length; i++) {
        x = (x ^ key[i]) * 0x100000001B3;
        x ^= x >> 29;
    }
    x = (x ^ x >> 32) * 0xBF58476D1CE4E5B9;
    return x ^ x >> 31;
}

static void grow(void)
{
    struct seen *old = search.table;
    const uint64_t places = search.places;

    search.places = places == 0 ? 1 << 16 : 2 * places;
    search.table = calloc(search.places, sizeof(*old));
    for (uint64_t i = 0; i < places; i++) {
        uint64_t at = old[i].a;

        while (old[i].a != 0 && search.table[at %= search.places].a != 0) {
            at++;
        }
        if (old[i].a != 0) {
            search.table[at] = old[i];
        }
    }
    free(old);
}

/* The state was not seen before; it is now. */
static bool is_new(const struct world *w)
{
    uint8_t key[KEY_BYTES];
    const unsigned length = world_key(w, key);
    const struct seen s = {hash(key, length, 1) | 1, hash(key, length, 0x9E3779B97F4A7C15)};
    uint64_t at = s.a % search.places;

    while (search.table[at].a != 0) {
        if (search.table[at].a == s.a && search.table[at].b == s.b) {
            return false;
        }
        at = (at + 1) % search.places;
    }
    search.table[at] = s;
    search.states++;
    if (2 * search.states > search.places) {
        grow();
    }
    return true;
}

static void visit(void *whose, const struct world *next, const char *step)
{
    (void)whose;
    search.steps++;
    if (!is_new(next)) {
        return;
    }
    if (search.waiting == search.room) {
        const uint64_t room = search.room == 0 ? 64 : 2 * search.room;
        struct world *stack = realloc(search.stack, room * sizeof(*stack));

        if (stack == NULL) {
            abort();
        }
        search.stack = stack;
        search.room = room;
    }
    struct world *w = &search.stack[search.waiting++];

    *w = *next;
    w->step = step;
    world_judge(w, &search.limits);
}

static void report_fault(const struct world *w, unsigned faults)
{
    search.faults |= faults;
    miss(&search.wrong,
         "behind \"%s\": an event %s%s%s%s%s; transaction %u, %u posted, %u events, status %d",
         w->step, faults & FAULT_MISSING ? "missing " : "", faults & FAULT_TWICE ? "twice " : "",
         faults & FAULT_EARLY ? "early " : "", faults & FAULT_UNWANTED ? "unwanted " : "",
         faults & FAULT_SOURCE  ? "at the source"
         : faults & FAULT_LEFT  ? "or something left"
         : faults & FAULT_STUCK ? "or an end that does not come"
                                : "",
         w->now, w->posted[w->now], w->events[w->now], w->status[w->now] - 1);
}

/* All states from the first OPEN on. */
static void run(const struct world_limits *limits)
{
    static struct world w;

    free(search.table);
    search = (struct search){
        .limits = *limits, .stack = search.stack, .room = search.room, .faults = search.faults};
    grow();
    world_begin(&w, limits);
    visit(NULL, &w, "reset");
    while (search.waiting != 0) {
        w = search.stack[--search.waiting];
        if (w.faults != 0) {
            report_fault(&w, w.faults);
        } else if (world_steps(&w, limits, visit, NULL) == 0) {
            search.ends++;
            if (!world_is_over(&w, limits)) {
                report_fault(&w, FAULT_STUCK);
            }
            for (unsigned t = 0; t < limits->transactions; t++) {
                search.ended_ok += w.status[t] == 1;
                search.events += w.events[t];
            }
        }
    }
    must_at_least(&search.wrong, search.ends, 1, "histories that end");
    tap_misses(&search.wrong,
               "%u packets in %u transactions, wanted %u: %llu states, %llu steps; %llu last "
               "states, %llu transactions OK, %llu events in these",
               limits->packets, limits->transactions, limits->wants,
               (unsigned long long)search.states, (unsigned long long)search.steps,
               (unsigned long long)search.ends, (unsigned long long)search.ended_ok,
               (unsigned long long)search.events);
}

static void report(uint64_t states)
{
    cJSON *report = cJSON_CreateObject();

    cJSON_AddNumberToObject(report, "states", (double)states);
    cJSON_AddNumberToObject(report, "faults", search.faults);
    tap_ok(report_write("build/reports/nic-states.json", report), "%llu states in all",
           (unsigned long long)states);
}

int main(int argc, char **argv)
{
    uint64_t all = 0;
    uint64_t seed, packets = 2, losses = 1, errors = 0, full = 1, early = 1, refused = 1;

    test_options(argc, argv, &seed, args_number("--packets", &packets, 0, PACKETS_MOST, "packets"),
                 args_number("--losses", &losses, 0, 3, "losses"),
                 args_number("--errors", &errors, 0, 3, "errors"),
                 args_number("--full", &full, 0, 3, "packets without a place"),
                 args_number("--early", &early, 0, 3, "timeouts before an answer"),
                 args_number("--refused", &refused, 0, 3, "refused requests"));
    for (unsigned wants = 0; wants < 4; wants++) {
        run(&(struct world_limits){.packets = (unsigned)packets,
                                   .transactions = 2,
                                   .losses = (unsigned)losses,
                                   .errors = (unsigned)errors,
                                   .full = (unsigned)full,
                                   .early = (unsigned)early,
                                   .refused = (unsigned)refused,
                                   .wants = wants,
                                   .flags = wants == 3 ? 2 : wants & 1});
        all += search.states;
    }
    tap_ok(harness_covers("hls/nic/target/rmt.c") == 8, "all covers of rmt are hit");
    report(all);
    free(search.table);
    free(search.stack);
    return tap_done();
}
