// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_errors.c - every row of the table of errors whose block exists (errors.md, "By place"): its cause once in idle
 * NICs and once under the traffic of others; its status, its counter, the first error; and nothing else is touched.
 *
 * Rows stand in errors_*.c; those of flits in tb/system/chip/test_chip_bits.c. What has been seen in both is in
 * nic-cover.json: a row without a hit fails.
 *
 * Built for aries: fast; proto: san. Recorded for nic, nic_initiator, nic_target.
 */
#include "tb/system/nic/errors/errors.h"

#include <stdio.h>
#include <string.h>

static struct nic_cover cover;
static cJSON *cover_rows;

static bool is_error(unsigned counter)
{
    static const uint64_t none[3][2] = {
        {NR_CLASS_INFORMATIONAL_LOW, NR_CLASS_INFORMATIONAL_HIGH},
        {NR_CLASS_DIAG_ONLY_LOW, NR_CLASS_DIAG_ONLY_HIGH},
        {NR_CLASS_CORRECTABLE_MEMORY_LOW, NR_CLASS_CORRECTABLE_MEMORY_HIGH},
    };
    unsigned number = counter - NR_REGISTER_REFUSED;
    uint64_t classes = 0;

    for (unsigned i = 0; i < 3; i++) {
        classes |= none[i][number / 64] >> number % 64 & 1;
    }
    return classes == 0;
}

/* FIRST_ERROR names what was counted; the errors of others come before it, if there are others. */
static bool is_first(const struct actor *a, const struct error_row *row)
{
    uint64_t first = actor_counter(a, row->node, NR_FIRST_ERROR);
    bool captured = (first >> NR_FIRST_ERROR_CAPTURED_AT & 1) != 0;
    unsigned counter = NR_REGISTER_REFUSED + (unsigned)(first >> NR_FIRST_ERROR_COUNTER_AT & 0x7F);

    return a->traffic
               ? captured || !is_error(row->counter)
               : captured == is_error(row->counter) && (!captured || counter == row->counter);
}

/*
 * What the first error is about: of a packet its destination is here and, of a request, its source the other node; of an access
 * its address.
 */
static bool says_what(const struct actor *a, const struct error_row *row)
{
    const uint64_t low = actor_counter(a, row->node, NR_FIRST_INFO0);
    const uint64_t high = actor_counter(a, row->node, NR_FIRST_INFO1);
    const unsigned here = a->bench->node[row->node].address;
    const unsigned there = a->bench->node[row->node == 0].address, c = row->counter;
    const bool request = c >= NR_RAT_LOST && c <= NR_RAT_UNREACHABLE && c != NR_RAT_STRAY;
    const bool access = c == NR_REGISTER_REFUSED || (c >= NR_PIO_BAD_BURST && c <= NR_PIO_NO_WORD);

    tap_note("%s: %016llx %016llx", row->name, (unsigned long long)high, (unsigned long long)low);
    if (a->traffic || !is_error(row->counter)) {
        return true;
    }
    return request ? (low >> 18 & 0x3FFFF) == here && (high >> 2 & 0x3FFFF) == there
                   : !access || (low != 0 && high == 0);
}

static bool happens(struct actor *a, const struct error_row *row)
{
    uint64_t before = 0;
    bool good;

    if (row->counter != 0) {
        nic_bench_write(a->bench, row->node, NR_FIRST_ERROR, 1);
        before = actor_counter(a, row->node, row->counter);
    }
    good = row->happens(a);
    if (row->counter != 0) {
        uint64_t counted = actor_counter(a, row->node, row->counter) - before;
        bool first = is_first(a, row);

        tap_why("as it should %d, counted %llu, first error %llx", good,
                (unsigned long long)counted,
                (unsigned long long)actor_counter(a, row->node, NR_FIRST_ERROR));
        good = good && counted != 0 && first && says_what(a, row);
    }
    return good;
}

/* Rows side by side: what has been seen idle, and under traffic. */
static void print_table(void)
{
    const int half = cJSON_GetArraySize(cover_rows) / 2;

    tap_note("idle traffic row");
    for (int i = 0; i < half; i++) {
        const cJSON *idle = cJSON_GetArrayItem(cover_rows, i);
        const cJSON *traffic = cJSON_GetArrayItem(cover_rows, half + i);
        const char *name = cJSON_GetObjectItem(idle, "name")->valuestring;

        tap_note("%-4s %-7s %.*s", cJSON_GetObjectItem(idle, "hits")->valueint ? "yes" : "NO",
                 cJSON_GetObjectItem(traffic, "hits")->valueint ? "yes" : "NO",
                 (int)(strlen(name) - strlen(", idle")), name);
    }
}

static void run(struct actor *a, const struct error_row *rows)
{
    const char *where = a->traffic ? "under traffic" : "idle";
    char name[160];

    for (const struct error_row *row = rows; row->name != NULL; row++) {
        bool good = happens(a, row);

        tap_ok(good, "%s: %s", where, row->name);
        snprintf(name, sizeof(name), "%s, %s", row->name, where);
        nic_cover_row(cover_rows, name, good);
    }
}

/* More puts than have contexts, to a host that takes nothing until all are sent: packets wait in front of rat_net. */
static void crowd(struct actor *a)
{
    host_set(a->bench->node[1].host, &(struct host_knobs){.latency = ACTOR_LATENCY, .stall = 1});
    actor_begin(a, 1, ACTOR_THERE, 0);
    for (unsigned i = 0; i < (1 << NIC_PUTS_LOG2) + 16; i++) {
        actor_store(a, store_put(ACTOR_FMA, i % 32 * 64, actor_data, 64));
    }
    actor_end(a, WANTS_GLOBAL);
    actor_run(a, 200);
    actor_memory(a, 1, ACTOR_LATENCY);
    tap_equal(actor_ending(a), GN_OK, "more puts than have contexts at their target");
}

static void test(uint64_t seed, bool traffic)
{
    const struct program_knobs knobs = {.processes = 3,
                                        .most = 4,
                                        .limit = 4,
                                        .messages = 0.2,
                                        .atomics = 0.2,
                                        .flagged = true,
                                        .virtually = true,
                                        .illegal = 0.1};
    struct actor a;

    actor_start(&a, seed, &knobs, &cover);
    a.traffic = traffic;
    run(&a, errors_host);
    run(&a, errors_target);
    run(&a, errors_transfer);
    run(&a, errors_pages);
    run(&a, errors_network);
    run(&a, errors_atomic);
    run(&a, errors_reduce);
    if (!traffic && NIC_TAGS > 256) { /* an epoch is long enough */
        crowd(&a);
    }
    actor_finish(&a, traffic ? "under traffic" : "idle");
}

int main(int argc, char **argv)
{
    uint64_t seed = test_seed(argc, argv);

    cover_rows = cJSON_CreateArray();
    test(seed, false);
    test(seed + 1, true);
    print_table();
    nic_cover_report(&cover, cover_rows);
    return tap_done();
}
