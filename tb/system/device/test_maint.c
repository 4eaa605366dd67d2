// SPDX-License-Identifier: Apache-2.0
/*
 * test_maint.c - registers of chips by packets: a processor reads and writes units of the chip that it is at and of one behind it;
 * requests that are not as they must be; replies in the middle of traffic; bit errors on every cable.
 *
 *     end 0 ═ 5 chip 0 60 ═ 3 chip 1
 *             chip 0 61 ═ end 1
 *
 * Built for yarc: fast. Recorded for maint_tap, maint_bus, supervisor.
 */
#include "tb/system/device/maint_bench.h"

#include <inttypes.h>

enum { UP = 30000, PATIENCE = 4000, ROUTER = 0, SUPERVISOR = 1, LINKS = 64 };
enum { CHIP = 0, BEAT = 8, TAPPED = 10 };                   /* registers of the supervisor, */
enum { TIMEOUT = LCB_REG_TIMEOUT, FIRST = RTR_REG_OUTPUT }; /* of an LCB and of a tile */

static struct maint_bench b;

static const struct maint_access near = {
    .hops = 1, .port = {5}, .back_hops = 1, .back = {5}, .unit = SUPERVISOR};
static const struct maint_access far = {
    .hops = 2, .port = {60, 3}, .back_hops = 1, .back = {5}, .unit = SUPERVISOR};

static bool begin(double ber, uint64_t seed)
{
    maint_start(&b, 2, 2, seed);
    maint_join(&b, (struct maint_place){-1, 0}, (struct maint_place){0, 5}, ber, seed + 10);
    maint_join(&b, (struct maint_place){0, 60}, (struct maint_place){1, 3}, ber, seed + 20);
    maint_join(&b, (struct maint_place){0, 61}, (struct maint_place){-1, 1}, ber, seed + 30);
    return tap_ok(maint_await(&b, UP), "links up, bit error rate %g", ber);
}

static uint64_t get(const struct maint_access *chip, unsigned unit, unsigned address)
{
    struct maint_access a = *chip;
    uint64_t value = 0xDEAD;

    a.unit = unit;
    a.address = address;
    return maint_ask(&b, 0, &a, &value, PATIENCE) ? value : 0xBAD0BAD0BAD0;
}

static bool put(const struct maint_access *chip, unsigned unit, unsigned address, uint64_t data)
{
    struct maint_access a = *chip;
    uint64_t value;

    a.unit = unit;
    a.address = address;
    a.write = true;
    a.data = data;
    return maint_ask(&b, 0, &a, &value, PATIENCE) && value == data;
}

/* A register of each unit is written, and read as it was written. */
static void test_units(const struct maint_access *chip, const char *name, uint64_t number)
{
    const uint64_t timeout = UINT64_C(0x1D0700);
    const unsigned tile = 3 << 13 | 5 << 10 | FIRST;

    tap_ok(put(chip, SUPERVISOR, CHIP, number), "%s: a write of its number is answered", name);
    tap_equal(get(chip, SUPERVISOR, CHIP), number, "%s: its number", name);
    tap_ok(get(chip, SUPERVISOR, BEAT) < get(chip, SUPERVISOR, BEAT), "%s: BEAT counts", name);
    tap_ok(put(chip, LINKS + 17, TIMEOUT, timeout) && put(chip, ROUTER, tile, 0x81),
           "%s: writes of a link and of a tile are answered", name);
    tap_equal(get(chip, LINKS + 17, TIMEOUT), timeout, "%s: register of the link of port 17", name);
    tap_ok(get(chip, LINKS + 18, TIMEOUT) != timeout, "%s: not of port 18", name);
    tap_equal(get(chip, ROUTER, tile), 0x81, "%s: register of tile 3, 5", name);
    /* holds maint_bus.nobody */
    tap_equal(get(chip, 7, 3), 0, "%s: a unit that is not there reads 0", name);
    tap_equal(get(chip, SUPERVISOR, 99), 0, "%s: a register that is not there reads 0", name);
    tap_equal(get(chip, SUPERVISOR, 1), name[5] == '0' ? UINT64_C(0x3000000000000020) : 8,
              "%s: the links that are up", name);
}

/* ---- requests that are not as they must be ------------------------------------------------------------ */

/* What breaks a request; the end's CRC is made right again unless the packet is poisoned. */
enum breach {
    TOO_SHORT,
    TOO_LONG,
    NO_HEADS,
    FIVE_HEADS,
    OTHER_HEADS, /* heads say three, two are there */
    HIGH_BITS,
    LOW_BIT,
    LOW_BITS,
    NO_SOURCE, /* a head of the reply is of another mode */
    NO_HOPS,
    TWO_HOPS, /* the request's own head has one more */
    POISONED,
    BREACHES
};

static const char *const breach_name[BREACHES] = {
    "a phit less",
    "a phit more",
    "no heads",
    "five heads",
    "a head less than said",
    "bits above WRITE",
    "a bit below the unit",
    "bits below the heads",
    "a reply by tables",
    "a reply's head without hops",
    "another hop behind the tap",
    "a soft error",
};

static struct maint_packet broken(enum breach breach, unsigned tag)
{
    struct maint_access a = near;
    a.write = true;
    a.address = CHIP;
    a.data = 0xFFFF;
    struct maint_packet p = maint_request_of(&a, tag);
    const unsigned command = 1, address = 2, head = 3;

    switch (breach) {
    case TOO_SHORT:
        p.count--;
        break;
    case TOO_LONG:
        p.count++;
        break;
    case NO_HEADS:
        p.phit[address] &= ~0x38u;
        break;
    case FIVE_HEADS:
        p.phit[address] |= 5 << 3;
        break;
    case OTHER_HEADS:
        p.phit[address] ^= (1 ^ 2) << 3;
        break;
    case HIGH_BITS:
        p.phit[command] |= 1 << 18;
        break;
    case LOW_BIT:
        p.phit[command] |= 1;
        break;
    case LOW_BITS:
        p.phit[address] |= 4;
        break;
    case NO_SOURCE:
        p.phit[head] &= ~(1u << 19);
        break;
    case NO_HOPS:
        p.phit[head] &= ~(3u << 16);
        break;
    case TWO_HOPS:
        p.phit[0] = (p.phit[0] & ~(3u << 16)) | 2u << 16 | 60 << 6;
        break;
    default:
        p.bad = true;
        break;
    }
    maint_seal(&p);
    return p;
}

/* None of them acts, each is counted, and the next request is served; a request behind another one at once is dropped. */
static void test_bad(uint64_t seed)
{
    if (begin(0, seed)) {
        uint64_t dropped = 0;
        put(&near, SUPERVISOR, CHIP, 0x77);
        for (enum breach breach = 0; breach < BREACHES; breach++) {
            const struct maint_packet p = broken(breach, 200);
            maint_send(&b.end[0], &p);
            maint_run(&b, 200);
            /* holds maint_tap.dropped */
            tap_ok(get(&near, SUPERVISOR, CHIP) == 0x77 &&
                       get(&near, SUPERVISOR, TAPPED) >> 32 == ++dropped,
                   "%s: dropped, counted", breach_name[breach]);
        }
        struct maint_access a = near;
        a.address = BEAT;
        const struct maint_packet twice = maint_request_of(&a, 201);
        uint64_t value;
        for (unsigned i = 0; i < 3; i++)
            maint_send(&b.end[0], &twice);
        tap_ok(maint_answer(&b, 0, &a, 201, &value, PATIENCE) &&
                   get(&near, SUPERVISOR, TAPPED) >> 32 > dropped,
               "of three at once one is served");
        tap_equal(b.end[0].came_count, 0, "nothing else comes back");
        /* holds maint_tap.credits */
        tap_equal(b.end[0].link.lcb.credit.out.requests / 8, 0, "all credits are back");
    }
}

/* ---- traffic, errors ------------------------------------------------------------------------------------ */

/* Packets from end 1 through chip 0 to end 0, as fast as the link takes them; numbered. */
static void feed(unsigned *sent)
{
    struct maint_packet p = {.count = 0};
    const unsigned port = 5, length = 4 + rng_below(&b.end[1].rng, 14);

    p.count = maint_heads(p.phit, rng_below(&b.end[1].rng, 2), &port, 1);
    p.phit[p.count++] = 0x3000; /* some destination: mode in order */
    p.phit[p.count++] = (*sent)++;
    while (p.count < length)
        p.phit[p.count++] = (uint32_t)rng_next(&b.end[1].rng) & 0x3FFFFF;
    p.count++;
    maint_seal(&p);
    maint_send(&b.end[1], &p);
}

/*
 * Writes to chip 1 and reads of chip 0 while end 0 gets packets at full rate: each acts once, whatever is sent again; each packet of
 * the traffic comes once.
 */
static void test_traffic(double ber, unsigned requests, uint64_t seed)
{
    unsigned sent = 0, right = 0, asked = 0;
    uint64_t came = 0;
    struct misses wrong = {0};
    static uint8_t seen[1 << 16];

    if (!begin(ber, seed))
        return;
    for (unsigned i = 0; i < sizeof seen; i++)
        seen[i] = 0;
    const uint64_t from = b.clock;
    while (right < requests && asked < 2 * requests) {
        const struct maint_access *to = asked % 2 ? &near : &far;
        struct maint_access a = *to;
        a.write = !(asked % 2);
        a.address = CHIP;
        a.data = asked;
        const unsigned tag = asked++ % 256;
        const struct maint_packet p = maint_request_of(&a, tag);
        uint64_t value = 0;
        bool answered = false;
        maint_send(&b.end[0], &p);
        for (unsigned i = 0; i < PATIENCE && !answered; i++) {
            struct maint_packet in;
            while (b.end[1].waiting < 4)
                feed(&sent);
            maint_run(&b, 1);
            while (maint_take(&b.end[0], &in)) {
                if (in.phit[0] % (1u << 21) == 0x3000) {
                    came++;
                    must(&wrong, in.phit[1] < sizeof seen && !seen[in.phit[1]]++, "packet %u again",
                         in.phit[1]);
                } else {
                    answered = maint_is_reply(&in, &a, tag, &value);
                    must(&wrong, answered, "%u phits, %#x %#x", in.count, in.phit[0], in.phit[1]);
                }
            }
        }
        right += answered;
    }
    const double clocks = (double)(b.clock - from);
    tap_equal(right, asked, "bit errors %g: %u requests under traffic, each is answered", ber,
              asked);
    tap_misses(&wrong, "%" PRIu64 " packets beside them, each once", came);
    tap_ok((double)b.end[0].good > 0.02 * clocks, "%.3f packets per clock come",
           (double)b.end[0].good / clocks);
    maint_run(&b, PATIENCE);
    const uint64_t acted = b.chip[1].supervisor.served, other = b.chip[0].supervisor.served;
    /* holds maint_tap.once */
    tap_ok(acted + other == asked, "each acted once: %" PRIu64 " and %" PRIu64, acted, other);
    tap_ok((ber > 0) == (b.end[0].cut > 0), "%" PRIu64 " copies were cut", b.end[0].cut);
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    if (begin(0, seed)) {
        test_units(&near, "chip 0", 0x1234);
        test_units(&far, "chip 1", 0x4321);
        tap_equal(b.end[0].came_count, 0, "no other packet comes");
    }
    test_bad(seed + 100);
    test_traffic(0, 300, seed + 200);
    test_traffic(2e-4, 300, seed + 300);
    return tap_done();
}
