// SPDX-License-Identifier: Apache-2.0
/*
 * errors_host.c - what a process, a driver or host memory does wrong.
 */
#include "tb/system/nic/errors/errors.h"

#include <string.h>

/* Bits of STATUS: why a store was dropped (enum fma_error). */
enum { NO_ID, NOT_OPEN, BAD_COMMAND, BAD_ALIGNMENT, DISABLED };

static struct driver_burst put(const uint8_t *data, unsigned bytes)
{
    return store_put(ACTOR_FMA, 0, data, bytes);
}

static void clear_status(struct actor *a)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_STATUS, 0));
}

/* Ends the transaction, in which nothing is wrong. */
static bool ends_well(struct actor *a)
{
    actor_end(a, WANTS_GLOBAL);
    return actor_ending(a) == GN_OK;
}

/* ---- stores -------------------------------------------------------------------------------------- */

static bool bad_burst(struct actor *a)
{
    struct driver_burst over = store_put(ACTOR_FMA, 48, actor_data, 16), fixed = put(actor_data, 8),
                        wraps = put(actor_data, 64);

    over.beats = 2; /* over the end of a line */
    over.strobes = 0xFFFFFFFF;
    fixed.kind = DRIVER_FIXED;
    wraps.kind = DRIVER_WRAP;
    return !actor_store(a, over) && !actor_store(a, fixed) && !actor_store(a, wraps);
}

/* One that never was enabled, and one that was; STATUS of that shows it later. */
static bool disabled_window(struct actor *a)
{
    bool good = !actor_store(a, store_put(ACTOR_FMA + 1, 0, actor_data, 8));

    clear_status(a);
    actor_descriptor(a, false, false);
    good = good && !actor_store(a, put(actor_data, 8));
    good = good && actor_status(a) == (uint64_t)1 << (10 + DISABLED); /* read by the driver: OKAY */
    actor_descriptor(a, true, false);
    return good && actor_dropped(a, DISABLED);
}

/* Stores wait when their descriptor is disabled: they are refused, and what was open ends. */
static bool disabled_behind_stores(struct actor *a)
{
    struct nic_driver *d = &a->bench->node[0].driver;
    const uint64_t refused = d->refused;
    uint64_t event;

    actor_begin(a, 1, ACTOR_THERE, 0);
    for (unsigned i = 0; i < 40; i++) {
        const struct driver_burst burst = store_put(ACTOR_FMA, 0, actor_data, 64);

        driver_burst(d, &burst);
    }
    actor_descriptor(a, false, false);
    event = actor_event(a, ACTOR_PATIENCE);
    actor_descriptor(a, true, false);
    return d->refused > refused && (event >> 59 & 15) == GN_SEQUENCE &&
           actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

static bool not_open(struct actor *a)
{
    clear_status(a);
    return actor_store(a, put(actor_data, 8)) && actor_dropped(a, NOT_OPEN);
}

static bool opened_twice(struct actor *a)
{
    bool good;

    clear_status(a);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 0));
    good = actor_dropped(a, NOT_OPEN);
    return ends_well(a) && good;
}

/* Two may be in flight; their answers wait behind a slow memory. All stores come at once. */
static bool no_id(struct actor *a)
{
    struct nic_driver *d = &a->bench->node[0].driver;
    const uint64_t base = (uint64_t)1 << 40;
    bool good;

    clear_status(a);
    actor_modes(a, ACTOR_THERE, ACTOR_HERE, ACTOR_QUEUE, 0);
    actor_memory(a, 1, 400);
    for (int i = 0; i < 2; i++) {
        const struct driver_burst stores[] = {
            store_word(ACTOR_FMA, WORD_BASE, base), store_word(ACTOR_FMA, WORD_OPEN, 0),
            put(actor_data, 8),
            store_word(ACTOR_FMA, WORD_CLOSE, ++a->tag | (uint64_t)WANTS_GLOBAL << 56)};

        for (unsigned s = 0; s < sizeof(stores) / sizeof(stores[0]); s++) {
            driver_burst(d, &stores[s]);
        }
    }
    actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 0));
    good = actor_dropped(a, NO_ID);
    actor_memory(a, 1, ACTOR_LATENCY);
    a->tag--;
    good = good && actor_ending(a) == GN_OK;
    a->tag++;
    return actor_ending(a) == GN_OK && good && (actor_status(a) & 0x1FF) == 0;
}

static bool bad_command(struct actor *a)
{
    bool good;

    clear_status(a);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_word(ACTOR_FMA, 20, 1)); /* there is no such word */
    good = actor_dropped(a, BAD_COMMAND);
    return ends_well(a) && good;
}

/* holds fma.flags: the descriptor has not the right, the transaction stays open, and ends as it would have. */
static bool flag_without_right(struct actor *a)
{
    bool good;

    clear_status(a);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_word(ACTOR_FMA, 13, (uint64_t)1 << 59));
    good = actor_dropped(a, BAD_COMMAND);
    return ends_well(a) && good;
}

/* SOURCE, a list of hops in the place of the node, by each request that a store can be. */
static bool source_mode(struct actor *a)
{
    const uint64_t base = (uint64_t)1 << 40, source = (uint64_t)7 << 27;
    const struct driver_burst stores[] = {
        put(actor_data, 8),
        store_get(ACTOR_FMA, 0, 0, 8, false),
        store_launch(ACTOR_FMA, base, false, 1),
        store_launch(ACTOR_FMA, base, true, 0),
        store_word(ACTOR_FMA, WORD_CQWRITE, 1),
    };
    uint64_t sent = actor_counter(a, 0, NR_ORB_REQUESTS);
    bool good = true;

    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a,
                store_word(ACTOR_FMA, WORD_MODES,
                           source | ACTOR_THERE | ACTOR_HERE << 12 | (uint64_t)ACTOR_QUEUE << 30));
    for (unsigned i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
        clear_status(a);
        good = actor_store(a, stores[i]) && actor_dropped(a, BAD_COMMAND) && good;
    }
    good = good && (a->traffic || actor_counter(a, 0, NR_ORB_REQUESTS) == sent);
    return ends_well(a) && good;
}

static bool long_message(struct actor *a)
{
    bool good;

    clear_status(a);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_modes(a, ACTOR_THERE, ACTOR_HERE, ACTOR_QUEUE, 1);
    actor_store(a, put(actor_data, 57));
    good = actor_dropped(a, BAD_COMMAND);
    return ends_well(a) && good;
}

/* Neither the local nor the remote offset of a get may be odd. */
static bool bad_alignment(struct actor *a)
{
    bool good;

    clear_status(a);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_get(ACTOR_FMA, 0, 2, 8, false));
    good = actor_dropped(a, BAD_ALIGNMENT);
    clear_status(a);
    actor_store(a, store_word(ACTOR_FMA, WORD_BASE, (uint64_t)1 << 40 | 2));
    actor_store(a, store_get(ACTOR_FMA, 0, 0, 8, false));
    good = good && actor_dropped(a, BAD_ALIGNMENT);
    return ends_well(a) && good;
}

static bool no_such_pe(struct actor *a)
{
    bool good;

    nic_bench_write(a->bench, 0, NR_NTT + ACTOR_NTT, 1 | 1 << NR_NTT_VALID_AT);
    nic_bench_write(a->bench, 0, NR_NTT + ACTOR_NTT + 1, 1);
    actor_descriptor(a, true, true);
    good = actor_put(a, 0, ACTOR_THERE, 0) == GN_OK;                  /* virtual 0 is node 1 */
    good = good && actor_put(a, 1, ACTOR_THERE, 0) == GN_UNREACHABLE; /* its entry is not valid */
    good = good && actor_put(a, 2, ACTOR_THERE, 0) == GN_UNREACHABLE; /* beyond the job */
    actor_descriptor(a, true, false);
    return good;
}

/* Two may be outstanding; their answers wait behind a slow memory. What is refused took nothing: the next transaction is whole. */
static bool over_limit(struct actor *a)
{
    const uint16_t limit = (uint16_t)(NR_FMA + NR_FMA_STEP * ACTOR_FMA + 1);
    uint64_t refused = actor_counter(a, 0, NR_SSID_OVERFLOW);
    bool good;

    nic_bench_write(a->bench, 0, limit, 2);
    actor_memory(a, 1, 400);
    actor_begin(a, 1, ACTOR_THERE, 0);
    for (int i = 0; i < 5; i++) {
        actor_store(a, put(actor_data, 8));
    }
    actor_end(a, WANTS_GLOBAL);
    good = actor_ending(a) == GN_OVERFLOW;
    good = good && actor_counter(a, 0, NR_SSID_OVERFLOW) == refused + 3;
    actor_memory(a, 1, ACTOR_LATENCY);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, put(actor_data, 8));
    actor_store(a, put(actor_data, 8));
    good = ends_well(a) && good;
    nic_bench_write(a->bench, 0, limit, 0);
    return good;
}

/* ---- events ---------------------------------------------------------------------------------------- */

static bool ends_without_event(struct actor *a, unsigned queue)
{
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_modes(a, ACTOR_THERE, ACTOR_HERE, queue, 0);
    actor_end(a, WANTS_GLOBAL);
    actor_run(a, 500);
    return (actor_status(a) & 0x3FF) == 0; /* neither open nor in flight */
}

static bool queue_of_others(struct actor *a)
{
    return ends_without_event(a, ACTOR_OTHER_QUEUE);
}

static bool queue_disabled(struct actor *a)
{
    return ends_without_event(a, ACTOR_OFF_QUEUE);
}

static bool no_read_index(struct actor *a)
{
    /* nothing is there to be read */
    return actor_store(a, store_queue(ACTOR_QUEUE, a->ring_read + 1));
}

/* 63 events fill the ring of 64; the 64th and 65th are dropped, and the next one that fits says so. */
static bool full_queue(struct actor *a)
{
    uint8_t *ring = host_memory(a->bench->node[0].host) + ACTOR_RING_AT;
    bool good;

    for (int i = 0; i < 65; i++) {
        actor_begin(a, 1, ACTOR_THERE, 0);
        actor_end(a, WANTS_GLOBAL);
        actor_run(a, 100);
    }
    memset(ring, 0, 8 << ACTOR_RING_LOG2);
    a->ring_read += 63;
    actor_store(a, store_queue(ACTOR_QUEUE, a->ring_read));
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_end(a, WANTS_GLOBAL);
    good = actor_event(a, ACTOR_PATIENCE) >> 63 == 1;
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_end(a, WANTS_GLOBAL);
    return good && actor_event(a, ACTOR_PATIENCE) >> 63 == 0;
}

/* ---- transactions ------------------------------------------------------------------------------------ */

/* The seventh epoch finds it open: its descriptor says so, and only then it is closed. */
static bool never_closes(struct actor *a)
{
    enum { SHORT = 4 * NIC_TAGS };
    uint64_t before = actor_counter(a, 0, NR_SSID_OLD);
    bool young, old;

    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, SHORT);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_run(a, 5 * SHORT);
    young = actor_counter(a, 0, NR_SSID_OLD) == before;
    actor_run(a, 4 * SHORT);
    old = actor_counter(a, 0, NR_SSID_OLD) == before + 1 && (actor_status(a) >> 9 & 1) == 1;
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    return ends_well(a) && young && old;
}

/* OPEN says that packets are counted at the target, and CLOSE wants nothing there. */
static bool counted(struct actor *a)
{
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_end(a, WANTS_GLOBAL);
    actor_ending(a);
    actor_store(a, store_word(ACTOR_FMA, WORD_OPEN, 1));
    actor_store(a, put(actor_data, 8));
    return ends_well(a);
}

static bool wants_at_target(struct actor *a)
{
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_end(a, WANTS_GLOBAL | WANTS_TARGET);
    return actor_ending(a) == GN_SEQUENCE;
}

static bool disabled_while_open(struct actor *a)
{
    uint64_t word;

    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_descriptor(a, false, false);
    word = actor_event(a, ACTOR_PATIENCE);
    actor_descriptor(a, true, false);
    return (word >> 59 & 15) == GN_SEQUENCE && actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

/* ---- registers ----------------------------------------------------------------------------------------- */

/* What breaks a rule is refused, and what stood there goes on: segments and limits are as before. */
static bool registers(struct actor *a)
{
    unsigned mdd = NR_MDD + NR_MDD_STEP * ACTOR_THERE, fma = NR_FMA + NR_FMA_STEP * ACTOR_FMA;
    struct nic_driver *d = &a->bench->node[0].driver;
    uint64_t refused = d->lite_refused;

    nic_bench_write(a->bench, 0, (uint16_t)mdd,
                    (((uint64_t)1 << 48) - 100) | (uint64_t)1 << NR_MDD_VALID_AT);
    nic_bench_write(a->bench, 0, (uint16_t)(mdd + 1), 101);
    nic_bench_write(a->bench, 0, (uint16_t)fma,
                    (uint64_t)(NIC_SSIDS - 1) << NR_FMA_LIMIT_AT | /* the others' come on top */
                        (uint64_t)1 << NR_FMA_ENABLE_AT);
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, 4 * NIC_TAGS - 1);
    return d->lite_refused == refused + 3 && actor_put(a, 0, ACTOR_THERE, 0) == GN_OK;
}

/* ---- host memory ----------------------------------------------------------------------------------------- */

static bool bus_error_of_put(struct actor *a)
{
    uint64_t before = actor_counter(a, 1, NR_NPT_BUS);
    bool good;

    actor_fault(a, 1, actor_place(ACTOR_FAULTY), 16, false);
    good = actor_put(a, 1, ACTOR_FAULTY, 0) == GN_BUS && actor_counted(a, 1, NR_NPT_BUS, before, 1);
    actor_heal(a, 1);
    return good && actor_put(a, 1, ACTOR_FAULTY, 0) == GN_OK;
}

static bool error_of_get(struct actor *a, bool poison)
{
    unsigned counter = poison ? NR_NPT_DATA : NR_NPT_BUS;
    uint64_t before = actor_counter(a, 1, counter);
    bool good;

    actor_fault(a, 1, actor_place(ACTOR_FAULTY), 16, poison);
    good = actor_get(a, 1, ACTOR_FAULTY, 0, 0) == (poison ? GN_DATA : GN_BUS) &&
           actor_counted(a, 1, counter, before, 1);
    actor_heal(a, 1);
    return good && actor_get(a, 1, ACTOR_FAULTY, 0, 0) == GN_OK;
}

static bool bus_error_of_get(struct actor *a)
{
    return error_of_get(a, false);
}

static bool poison_of_get(struct actor *a)
{
    return error_of_get(a, true);
}

static bool bus_error_of_data(struct actor *a)
{
    bool good;

    actor_fault(a, 0, actor_place(ACTOR_HERE), 16, false);
    good = actor_get(a, 1, ACTOR_THERE, 0, 0) == GN_BUS;
    actor_heal(a, 0);
    return good && actor_get(a, 1, ACTOR_THERE, 0, 0) == GN_OK;
}

/* The data of a flagged get are written, its flag behind them is not. */
static bool bus_error_of_flag(struct actor *a)
{
    bool good;

    actor_fault(a, 0, actor_place(ACTOR_HERE) + 16, 16, false);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_store(a, store_get(ACTOR_FMA, 0, 8, 8, true));
    actor_end(a, WANTS_GLOBAL);
    good = actor_ending(a) == GN_BUS;
    actor_heal(a, 0);
    return good && actor_get(a, 1, ACTOR_THERE, 0, 0) == GN_OK;
}

static bool bus_error_of_event(struct actor *a)
{
    uint64_t before = actor_counter(a, 0, NR_CQ_LOST);

    actor_fault(a, 0, ACTOR_RING_AT, 8 << ACTOR_RING_LOG2, false);
    actor_begin(a, 1, ACTOR_THERE, 0);
    actor_end(a, WANTS_GLOBAL);
    actor_run(a, 500);
    actor_heal(a, 0);
    a->ring_read++;
    return actor_store(a, store_queue(ACTOR_QUEUE, a->ring_read)) &&
           (actor_status(a) & 0x3FF) == 0 && actor_counted(a, 0, NR_CQ_LOST, before, 1);
}

/* ---- segments ---------------------------------------------------------------------------------------------- */

static bool no_segment(struct actor *a)
{
    return actor_put(a, 1, ACTOR_NONE, 0) == GN_MDD && actor_get(a, 1, ACTOR_NONE, 0, 0) == GN_MDD;
}

static bool other_domain(struct actor *a)
{
    return actor_cqwrite(a, 1, ACTOR_ALIEN) == GN_PROTECTION &&
           actor_put(a, 1, ACTOR_ALIEN, 0) == GN_PROTECTION;
}

static bool no_right(struct actor *a)
{
    return actor_put(a, 1, ACTOR_READ_ONLY, 0) == GN_PROTECTION &&
           actor_get(a, 1, ACTOR_WRITE_ONLY, 0, 0) == GN_PROTECTION;
}

static bool out_of_bounds(struct actor *a)
{
    return actor_put(a, 1, ACTOR_THERE, ACTOR_BYTES - 3) == GN_BOUNDS &&
           actor_get(a, 1, ACTOR_THERE, ACTOR_BYTES, 0) == GN_BOUNDS;
}

static bool no_translation(struct actor *a)
{
    return actor_put(a, 1, ACTOR_TRANSLATED, 0) == GN_TRANSLATION &&
           actor_put(a, 1, ACTOR_OUTSIDE, 60) == GN_TRANSLATION;
}

static bool virtual_handles(struct actor *a)
{
    bool good;

    nic_bench_domain(a->bench, 1, ACTOR_DOMAIN,
                     &(struct gn_domain){.valid = true, .base = ACTOR_THERE, .size = 1});
    good = actor_put(a, 1, 0, 0) == GN_OK && actor_put(a, 1, 1, 0) == GN_VMDH;
    nic_bench_domain(a->bench, 1, ACTOR_DOMAIN, &(struct gn_domain){0});
    return good;
}

static bool wrong_local(struct actor *a)
{
    return actor_get(a, 1, ACTOR_THERE, 0, ACTOR_BYTES) == GN_BOUNDS &&
           actor_put(a, 1, ACTOR_THERE, 0) == GN_OK;
}

const struct error_row errors_host[] = {
    {"AXI burst over a line, FIXED, WRAP: SLVERR", bad_burst, NR_PIO_BAD_BURST, 0},
    {"window of a disabled descriptor: SLVERR, STATUS", disabled_window, NR_FMA_DISABLED, 0},
    {"stores that wait when their descriptor is disabled: SLVERR", disabled_behind_stores,
     NR_FMA_ABORTED, 0},
    {"request without OPEN: dropped, STATUS", not_open, NR_FMA_NOT_OPEN, 0},
    {"opened twice: dropped, STATUS", opened_twice, NR_FMA_NOT_OPEN, 0},
    {"no id left: dropped, STATUS", no_id, NR_FMA_NO_ID, 0},
    {"no such word: dropped, STATUS", bad_command, NR_FMA_BAD_COMMAND, 0},
    {"flag without the right to it: dropped, STATUS", flag_without_right, NR_FMA_BAD_COMMAND, 0},
    {"mode 7, SOURCE: dropped, STATUS", source_mode, NR_FMA_BAD_COMMAND, 0},
    {"message of 57 bytes: dropped, STATUS", long_message, NR_FMA_BAD_COMMAND, 0},
    {"get to or from an odd place: dropped, STATUS", bad_alignment, NR_FMA_BAD_ALIGNMENT, 0},
    {"PE without entry, PE outside of the job: UNREACHABLE", no_such_pe, NR_SSID_UNREACHABLE, 0},
    {"requests over the descriptor's limit: OVERFLOW", over_limit, NR_SSID_FAILED, 0},
    {"queue of another domain: event dropped", queue_of_others, NR_CQ_DOMAIN, 0},
    {"disabled queue: event dropped", queue_disabled, NR_CQ_DISABLED, 0},
    {"read index that is none: ignored", no_read_index, NR_CQ_NO_INDEX, 0},
    {"queue full: events dropped, the next one says overrun", full_queue, NR_CQ_FULL, 0},
    {"a transaction that is never closed: counted in its seventh epoch", never_closes, NR_SSID_OLD,
     0},
    {"counted, and nothing wanted at the target: OK", counted, 0, 0},
    {"event wanted at the target: SEQUENCE", wants_at_target, NR_SSID_FAILED, 0},
    {"descriptor disabled while open: SEQUENCE", disabled_while_open, NR_FMA_ABORTED, 0},
    {"registers against the rules: nothing of it is done", registers, NR_REGISTER_REFUSED, 0},
    {"bus error of a put: BUS", bus_error_of_put, NR_WRITE_ERROR, 1},
    {"bus error of a get's read: BUS", bus_error_of_get, NR_READ_ERROR, 1},
    {"poison in a get's read: DATA", poison_of_get, NR_READ_POISON, 1},
    {"bus error of a get's data: BUS", bus_error_of_data, NR_WRITE_ERROR, 0},
    {"bus error of a get's flag: BUS", bus_error_of_flag, NR_WRITE_ERROR, 0},
    {"bus error of an event: lost", bus_error_of_event, NR_WRITE_ERROR, 0},
    {"no segment: MDD", no_segment, NR_RAT_MDD, 1},
    {"segment of another domain: PROTECTION", other_domain, NR_RAT_PROTECTION, 1},
    {"right that there is not: PROTECTION", no_right, NR_RAT_PROTECTION, 1},
    {"out of bounds: BOUNDS", out_of_bounds, NR_RAT_BOUNDS, 1},
    {"translated, outside of the window: TRANSLATION", no_translation, NR_RAT_TRANSLATION, 1},
    {"handle beyond the domain's block: VMDH", virtual_handles, NR_RAT_VMDH, 1},
    {"data of a get beyond its local segment: BOUNDS", wrong_local, NR_LOCAL_REFUSED, 0},
    {0},
};
