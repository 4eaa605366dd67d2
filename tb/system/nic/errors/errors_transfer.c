// SPDX-License-Identifier: Apache-2.0
/*
 * errors_transfer.c - rows of the table of errors: descriptors and launches of block transfers, messages and their buffers.
 * Transfers go from node 0 to node 1, in a channel that nobody else has.
 */
#include "tb/system/nic/errors/errors.h"
#include "tb/system/nic/transfer/nic_transfers.h"

#include <string.h>

/* Where rings, buffers and tables lie, behind the actor's segments. */
enum {
    CHANNEL = 1,
    SENDS_AT = ACTOR_AT + 0xA0000,
    POSTS_AT = ACTOR_AT + 0xA4000,
    BUFFER_AT = ACTOR_AT + 0xB0000,
    LOG2 = 4,
    NO_CONTEXT = 10,
    BTE_STEP = NR_BTE + NR_BTE_STEP * CHANNEL,
    RING_BASE = BTE_STEP,
    RING_CONFIG = BTE_STEP + 1,
    RX_CONFIG = BTE_STEP + 5,
    RING_STATUS = BTE_STEP + 8,
    RX_STATUS = BTE_STEP + 9,
    WORD_BYTES = 3,
    WORD_TRANSFER = 10,
    NO_ID = 0,
    BAD_COMMAND = 2, /* bits of STATUS */
    LATE = 1 << 14,  /* clocks */
};

static struct nic_ring ring;
static struct nic_posts posts;

/* ---- what a transfer becomes --------------------------------------------------------------------- */

static void stop_channel(struct actor *a, unsigned node, unsigned config, unsigned status)
{
    nic_bench_write(a->bench, node, (uint16_t)config, 0);
    for (unsigned i = 0; i < 1000 && (nic_bench_read(a->bench, node, (uint16_t)status) >> 1 & 1);
         i++) {
        actor_run(a, 100);
    }
}

/* So many transactions in flight. */
static void open_limited(struct actor *a, bool launches, unsigned limit)
{
    stop_channel(a, 0, RING_CONFIG, RING_STATUS);
    ring = (struct nic_ring){
        .b = a->bench, .channel = CHANNEL, .log2 = LOG2, .launches = launches, .at = SENDS_AT};
    nic_ring_open(&ring, limit);
}

static void open_ring(struct actor *a, bool launches)
{
    open_limited(a, launches, 4);
}

/* A put of 100 bytes. */
static struct nic_transfer sound(void)
{
    return (struct nic_transfer){.pe = 1,
                                 .mdh = ACTOR_THERE,
                                 .local_mdh = ACTOR_HERE,
                                 .op = NIC_BTE_PUT,
                                 .ptag = ACTOR_DOMAIN,
                                 .bytes = 100,
                                 .wants = NIC_BTE_GLOBAL,
                                 .queue = ACTOR_QUEUE,
                                 .write_back = true};
}

static void post(struct actor *a, struct nic_transfer t)
{
    t.event = ++a->tag;
    nic_ring_put(&ring, &t);
    nic_ring_doorbell(&ring);
}

/* How the last one that was posted ends: its event, and behind it its completion. */
static int ending(struct actor *a)
{
    const int status = actor_ending(a);
    const uint64_t n = ring.written - 1;

    for (unsigned i = 0; i < 100 && nic_ring_word(&ring, n) == 0; i++) {
        actor_run(a, status == GN_TIMEOUT ? ACTOR_EPOCH / 10 : 10); /* its id rests */
    }
    if (nic_ring_word(&ring, n) != ((uint64_t)1 << 63 | (unsigned)status)) {
        tap_note("completion %#llx, expected status %d",
                 (unsigned long long)nic_ring_word(&ring, n), status);
        return NO_EVENT;
    }
    return status;
}

static int transfer(struct actor *a, struct nic_transfer t)
{
    post(a, t);
    return ending(a);
}

/* All is well afterwards: one that is right ends so. */
static bool ends(struct actor *a, bool good)
{
    open_ring(a, false);
    memset(actor_bytes(a, 1, ACTOR_THERE), 0, 100);
    good = transfer(a, sound()) == GN_OK && good;
    good = memcmp(actor_bytes(a, 0, ACTOR_HERE), actor_bytes(a, 1, ACTOR_THERE), 100) == 0 && good;
    stop_channel(a, 0, RING_CONFIG, RING_STATUS);
    return good;
}

/* ---- descriptors ---------------------------------------------------------------------------------- */

/* What is no transfer: nothing is sent. */
static bool no_transfer(struct actor *a)
{
    struct nic_transfer wrong[6];
    const uint64_t sent = actor_counter(a, 0, NR_ORB_REQUESTS);
    bool good = true;

    for (unsigned i = 0; i < 6; i++) {
        wrong[i] = sound();
    }
    wrong[0].bytes = 0;
    wrong[1].bytes = ((uint64_t)1 << 32) + 1;
    wrong[2].op = 3;
    wrong[3].mode = 7; /* SOURCE */
    wrong[4].op = wrong[5].op = NIC_BTE_GET;
    wrong[4].bytes = 6;
    wrong[5].offset = 2;
    open_ring(a, false);
    for (unsigned i = 0; i < 6; i++) {
        good = transfer(a, wrong[i]) == GN_BAD_COMMAND && good;
    }
    good = good && (a->traffic || actor_counter(a, 0, NR_ORB_REQUESTS) == sent);
    return ends(a, good);
}

/* The channel stands still, and READ_INDEX names the descriptor. */
static bool has_stopped(struct actor *a)
{
    uint64_t status = 0;

    for (unsigned i = 0; i < 100 && (status >> NR_BTE8_FAILED_AT & 1) == 0; i++) {
        actor_run(a, 20);
        status = nic_bench_read(a->bench, 0, RING_STATUS);
    }
    return (status >> NR_BTE8_FAILED_AT & 1) != 0 && nic_ring_read(&ring) == 0;
}

static bool ring_unreadable(struct actor *a)
{
    const uint64_t before = actor_counter(a, 0, NR_BTE_FAILED);
    bool good;

    open_ring(a, false);
    actor_fault(a, 0, SENDS_AT, 64, false);
    post(a, sound());
    good = has_stopped(a) && actor_counted(a, 0, NR_BTE_FAILED, before, 1);
    actor_heal(a, 0);
    return ends(a, good && actor_event(a, 500) == 0);
}

static bool ring_untranslated(struct actor *a)
{
    bool good;

    open_ring(a, false);
    nic_bench_write(a->bench, 0, RING_BASE,
                    SENDS_AT | (uint64_t)1 << NR_BTE_MMU_AT | (uint64_t)NO_CONTEXT << NR_BTE_TC_AT);
    post(a, sound());
    good = has_stopped(a);
    return ends(a, good && actor_event(a, 500) == 0);
}

/* Of three packets the second one's data cannot be had. */
static bool local_fails(struct actor *a, bool poison, int status)
{
    const uint8_t *there = actor_bytes(a, 1, ACTOR_THERE);
    struct nic_transfer t = sound();
    bool good;

    t.local_mdh = ACTOR_FAULTY;
    t.bytes = 192;
    memset(actor_bytes(a, 1, ACTOR_THERE), 0, 192);
    memset(actor_bytes(a, 0, ACTOR_FAULTY), 0x77, 192);
    actor_fault(a, 0, actor_place(ACTOR_FAULTY) + 64, 16, poison);
    open_ring(a, false);
    good = transfer(a, t) == status && there[64] == 0 && there[127] == 0;
    actor_heal(a, 0);
    return ends(a, good);
}

static bool local_bus(struct actor *a)
{
    return local_fails(a, false, GN_BUS);
}

static bool local_poison(struct actor *a)
{
    return local_fails(a, true, GN_DATA);
}

static bool local_refused(struct actor *a)
{
    static const struct {
        unsigned mdh, status;
    } segments[] = {{ACTOR_NONE, GN_MDD},
                    {ACTOR_ALIEN, GN_PROTECTION},
                    {ACTOR_WRITE_ONLY, GN_PROTECTION},
                    {ACTOR_OUTSIDE, GN_TRANSLATION}};
    struct nic_transfer t = sound();
    bool good = true;

    open_ring(a, false);
    for (unsigned i = 0; i < sizeof(segments) / sizeof(segments[0]); i++) {
        t.local_mdh = segments[i].mdh;
        t.local = 60; /* the window's end is in its first packet */
        good = transfer(a, t) == (int)segments[i].status && good;
    }
    t = sound();
    t.local = ACTOR_BYTES - 10;
    return ends(a, transfer(a, t) == GN_BOUNDS && good);
}

/* The descriptor was read; when its transfer is over it cannot be written. */
static bool completion_lost(struct actor *a)
{
    const uint64_t before = actor_counter(a, 0, NR_BTE_LOST);
    bool good;

    open_ring(a, false);
    actor_memory(a, 1, 400);
    post(a, sound());
    actor_run(a, 200);
    actor_fault(a, 0, SENDS_AT + 56, 8, false);
    good = actor_ending(a) == GN_OK;
    actor_run(a, 200);
    good = actor_counted(a, 0, NR_BTE_LOST, before, 1) && good;
    actor_heal(a, 0);
    actor_memory(a, 1, ACTOR_LATENCY);
    return ends(a, good);
}

/* ---- launches -------------------------------------------------------------------------------------- */

static void give_rights(struct actor *a, unsigned limit, unsigned channels)
{
    nic_bench_write(a->bench, 0, NR_FMA + NR_FMA_STEP * ACTOR_FMA,
                    (uint64_t)ACTOR_DOMAIN << NR_FMA_PTAG_AT | (uint64_t)limit << NR_FMA_LIMIT_AT |
                        (uint64_t)channels << NR_FMA_CHANNELS_AT | (uint64_t)1 << NR_FMA_ENABLE_AT);
}

/* A put of 8 bytes by the channel; the next transaction's tag, if it is taken. */
static void launch(struct actor *a, uint64_t mode)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_BASE, (uint64_t)1 << 40));
    actor_store(
        a, store_word(ACTOR_FMA, WORD_MODES,
                      ACTOR_THERE | ACTOR_HERE << 12 | mode << 27 | (uint64_t)ACTOR_QUEUE << 30));
    actor_store(a, store_word(ACTOR_FMA, WORD_BYTES, 8));
    actor_store(a, store_word(ACTOR_FMA, WORD_FLAG + 1, 0));
    actor_store(a, store_word(ACTOR_FMA, WORD_TRANSFER,
                              (a->tag + 1) | (uint64_t)CHANNEL << 56 | (uint64_t)NIC_BTE_PUT << 58 |
                                  (uint64_t)WANTS_GLOBAL << 61));
}

static void clear_status(struct actor *a)
{
    actor_store(a, store_word(ACTOR_FMA, WORD_STATUS, 0));
}

static bool is_dropped(struct actor *a, uint64_t mode)
{
    clear_status(a);
    launch(a, mode);
    return actor_dropped(a, BAD_COMMAND) && actor_event(a, 300) == 0;
}

/* No right to the channel; one that takes no launches, or is disabled; mode SOURCE. */
static bool launch_refused(struct actor *a)
{
    bool good;

    open_ring(a, true);
    good = is_dropped(a, 0);
    give_rights(a, ACTOR_LIMIT, 1 << CHANNEL);
    good = is_dropped(a, 7) && good;
    open_ring(a, false);
    good = is_dropped(a, 0) && good;
    stop_channel(a, 0, RING_CONFIG, RING_STATUS);
    good = is_dropped(a, 0) && good;
    actor_descriptor(a, true, false);
    return ends(a, good);
}

static unsigned delayed; /* puts of the actor that are still to be late */

static bool delays(void *whose, int class, struct channel_packet *p)
{
    (void)whose;
    if (class == 0 && delayed != 0 && req_ptag(p->beat[0].word) == ACTOR_DOMAIN) {
        delayed--;
        p->due += LATE;
    }
    return true;
}

/* So many launches end OK, in any order. */
static bool all_end(struct actor *a, uint64_t first, unsigned count)
{
    uint64_t seen = 0;

    for (unsigned i = 0; i < count; i++) {
        const uint64_t event = actor_event(a, 2 * LATE);
        const uint64_t number = (event & 0xFFFFFFFFFFFFFF) - first;

        if (number >= count || event >> 59 != GN_OK || (seen >> number & 1) != 0) {
            tap_note("event %#llx, launch %u of %u", (unsigned long long)event, i, count);
            return false;
        }
        seen |= (uint64_t)1 << number;
    }
    return true;
}

/* Launches whose first ones take long, until one finds no place: so many at least, and at most, were taken, and end. */
static bool overflows(struct actor *a, unsigned limit, unsigned in_flight, unsigned least)
{
    const uint64_t first = a->tag + 1;
    unsigned taken = 0;
    bool dropped = false;

    give_rights(a, limit, 1 << CHANNEL);
    open_limited(a, true, in_flight);
    channel_of(a->bench)->tamper = delays;
    delayed = in_flight;
    clear_status(a);
    while (taken <= limit && !dropped) {
        launch(a, 0);
        dropped = actor_dropped(a, NO_ID);
        taken += !dropped;
        a->tag += !dropped;
    }
    tap_note("%u launches are taken, then none", taken);
    const bool good = all_end(a, first, taken) && dropped && taken >= least && taken <= limit;

    channel_of(a->bench)->tamper = NULL;
    actor_descriptor(a, true, false);
    return good;
}

/* Its own limit; slots of the channel, half of which are the ring's. */
static bool launch_full(struct actor *a)
{
    const unsigned slots = 1 << NIC_BTE_SLOTS_LOG2;
    bool good;

    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, 2 * LATE);
    good = overflows(a, 2, 2, 2);
    good = overflows(a, slots + 2, 1, slots / 2) && good;
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    return ends(a, good);
}

/* ---- messages -------------------------------------------------------------------------------------- */

static struct nic_transfer message(uint64_t bytes)
{
    struct nic_transfer t = sound();

    t.op = NIC_BTE_SEND;
    t.mdh = CHANNEL;
    t.bytes = bytes;
    return t;
}

static void open_both(struct actor *a)
{
    open_ring(a, false);
    stop_channel(a, 1, RX_CONFIG, RX_STATUS);
    posts = (struct nic_posts){
        .b = a->bench, .node = 1, .channel = CHANNEL, .log2 = LOG2, .at = POSTS_AT};
    nic_posts_open(&posts);
}

static void post_buffer(struct actor *a, uint64_t bytes, unsigned ptag)
{
    nic_posts_put(&posts, &(struct nic_buffer){.address = BUFFER_AT, .bytes = bytes, .ptag = ptag});
    nic_posts_doorbell(&posts);
    actor_run(a, 200);
}

/* Buffer n comes back, with this status. */
static bool is_back(struct actor *a, uint64_t n, unsigned status, uint64_t bytes)
{
    const uint64_t last = nic_buffer_over(false, a->bench->node[0].address, status, bytes);

    for (unsigned i = 0; i < 100 && nic_posts_word(&posts, n, 3) == 0; i++) {
        actor_run(a, ACTOR_EPOCH / 10);
    }
    if (nic_posts_word(&posts, n, 3) != last) {
        tap_note("last word %#llx of a buffer, expected %#llx",
                 (unsigned long long)nic_posts_word(&posts, n, 3), (unsigned long long)last);
    }
    return nic_posts_word(&posts, n, 3) == last;
}

/* A message afterwards is whole; then there are no buffers any more. */
static bool received(struct actor *a, bool good)
{
    open_both(a);
    post_buffer(a, 100, ACTOR_DOMAIN);
    good = transfer(a, message(100)) == GN_OK && is_back(a, 0, GN_OK, 100) && good;
    stop_channel(a, 1, RX_CONFIG, RX_STATUS);
    return ends(a, good);
}

static bool no_buffer(struct actor *a)
{
    bool good;

    open_both(a);
    good = transfer(a, message(100)) == GN_NO_BUFFER;
    stop_channel(a, 1, RX_CONFIG, RX_STATUS);
    return received(a, transfer(a, message(0)) == GN_NO_BUFFER && good);
}

static bool message_too_long(struct actor *a)
{
    uint8_t *behind = host_memory(a->bench->node[1].host) + BUFFER_AT + 99;
    bool good;

    memset(behind, 0x55, 64);
    open_both(a);
    post_buffer(a, 99, ACTOR_DOMAIN);
    good = transfer(a, message(100)) == GN_BOUNDS && is_back(a, 0, GN_SEQUENCE, 0);
    return received(a, behind[0] == 0x55 && behind[63] == 0x55 && good);
}

static bool foreign_buffer(struct actor *a)
{
    bool good;

    open_both(a);
    post_buffer(a, 100, ACTOR_DOMAIN + 1);
    good = transfer(a, message(100)) == GN_PROTECTION && nic_posts_taken(&posts) == 0;
    return received(a, good);
}

static bool is_off(struct actor *a)
{
    return (nic_bench_read(a->bench, 1, RX_STATUS) >> NR_BTE9_FAILED_AT & 1) != 0 &&
           transfer(a, message(100)) == GN_NO_BUFFER;
}

static bool buffer_unreadable(struct actor *a)
{
    const uint64_t before = actor_counter(a, 1, NR_BTE_FAILED);
    bool good;

    open_both(a);
    actor_fault(a, 1, POSTS_AT, 32, false);
    post_buffer(a, 100, ACTOR_DOMAIN);
    good = is_off(a) && actor_counted(a, 1, NR_BTE_FAILED, before, 1);
    actor_heal(a, 1);
    return received(a, good);
}

static bool buffer_too_large(struct actor *a)
{
    open_both(a);
    post_buffer(a, ((uint64_t)1 << 32) + 1, ACTOR_DOMAIN);
    return received(a, is_off(a));
}

/* Its sender's memory fails in the middle. */
static bool given_up(struct actor *a)
{
    struct nic_transfer t = message(192);
    bool good;

    t.local_mdh = ACTOR_FAULTY;
    open_both(a);
    post_buffer(a, 200, ACTOR_DOMAIN);
    actor_fault(a, 0, actor_place(ACTOR_FAULTY) + 128, 16, false);
    good = transfer(a, t) == GN_BUS && is_back(a, 0, GN_SEQUENCE, 0);
    actor_heal(a, 0);
    return received(a, good);
}

static bool loses_end(void *whose, int class, struct channel_packet *p)
{
    const beat_word head = p->beat[0].word;

    (void)whose;
    return class != 0 || req_ptag(head) != ACTOR_DOMAIN || req_cmd(head) != CMD_SEND_END;
}

static bool cut_off(struct actor *a)
{
    bool good;

    open_both(a);
    post_buffer(a, 200, ACTOR_DOMAIN);
    nic_bench_write(a->bench, 0, NR_ORB_EPOCH, ACTOR_EPOCH);
    channel_of(a->bench)->tamper = loses_end;
    good = transfer(a, message(192)) == GN_TIMEOUT && is_back(a, 0, GN_TIMEOUT, 0);
    channel_of(a->bench)->tamper = NULL;
    for (unsigned i = 0; i < 10 && (actor_counter(a, 0, RING_STATUS) >> 1 & 1) != 0; i++) {
        actor_run(a, ACTOR_EPOCH);
    }
    return received(a, good);
}

static bool last_word_lost(struct actor *a)
{
    const uint64_t before = actor_counter(a, 1, NR_BTE_LOST);
    bool good;

    open_both(a);
    post_buffer(a, 200, ACTOR_DOMAIN);
    actor_fault(a, 1, POSTS_AT + 24, 8, false);
    good = transfer(a, message(192)) == GN_OK && actor_counted(a, 1, NR_BTE_LOST, before, 1);
    actor_heal(a, 1);
    return received(a, good);
}

const struct error_row errors_transfer[] = {
    {"block transfer that is none, or mode 7: BAD_COMMAND", no_transfer, NR_SSID_FAILED, 0},
    {"descriptor that cannot be read: its channel stops", ring_unreadable, NR_READ_ERROR, 0},
    {"ring without translation: its channel stops", ring_untranslated, NR_BTE_FAILED, 0},
    {"bus error of a local read: BUS, the transfer stops", local_bus, NR_READ_ERROR, 0},
    {"poison in a local read: DATA, the transfer stops", local_poison, NR_READ_POISON, 0},
    {"local segment that refuses: its status", local_refused, NR_LOCAL_REFUSED, 0},
    {"bus error of a completion: lost", completion_lost, NR_WRITE_ERROR, 0},
    {"launch without right, with mode 7, into a channel without launches, disabled: STATUS",
     launch_refused, NR_FMA_BAD_COMMAND, 0},
    {"launch over the descriptor's limit, or the channel's slots: STATUS", launch_full,
     NR_FMA_NO_ID, 0},
    {"message without buffer: NO_BUFFER", no_buffer, NR_SSID_FAILED, 0},
    {"message longer than its buffer: BOUNDS, the buffer comes back", message_too_long,
     NR_RAT_BOUNDS, 1},
    {"message to another domain's buffer: PROTECTION", foreign_buffer, NR_RAT_PROTECTION, 1},
    {"buffer whose descriptor cannot be read: its channel stops", buffer_unreadable, NR_READ_ERROR,
     1},
    {"buffer of more than 2^32 bytes: its channel stops", buffer_too_large, NR_BTE_FAILED, 1},
    {"message that its sender gives up: the buffer comes back", given_up, NR_READ_ERROR, 0},
    {"message whose end is lost: TIMEOUT at both ends", cut_off, NR_ORB_TIMEOUT, 0},
    {"bus error of a buffer's last word: lost", last_word_lost, NR_WRITE_ERROR, 1},
    {0},
};
