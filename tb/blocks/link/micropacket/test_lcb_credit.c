// SPDX-License-Identifier: Apache-2.0
/*
 * test_lcb_credit.c - lcb_credit alone, under random traffic of many kinds, epoch after epoch, against accounts in plain
 * sums.
 *
 * Room is never promised that the peer's input queue does not have, if all that is handed over and announced
 * comes and each announced packet is the longest; it is promised at the latest BOOKED clocks after a packet fits into what is the VC's own, or after
 * the shared space has room for a packet more than are announced; room to spare for two, when it has room for two more. A router
 * may be a clock late, and then announces in two clocks running where there was room to spare. Of what our queue frees each VC is offered whose count
 * changed since it was offered last, in turn, else all in turn. What an old epoch or the time before a reset left does not show.
 * What a dead link takes needs no room; what is announced to it may come in the next epoch and needs room there.
 *
 * Built for aries: san. Recorded for lcb_credit.
 */
#include "tb/golden/link/link.h"
#include "tb/base/harness.h"
#include "hls/link/micropacket/lcb_credit.h"

#include <string.h>

enum {
    VCS = 8,
    OWN = 20,     /* flits of the peer's queue that belong to a VC */
    LONGEST = 16, /* flits of a packet */
    EIGHTS = 8,
    STEP = 4, /* flits: freed ones are returned in such steps */
    MODULO = 1024,
    ANNOUNCED = 20, /* packets at a time; there is no room for the 15th */
    AHEAD = 12,     /* so many are always taken */
    BOOKED = 5,     /* clocks from what happens to the promise that knows all of it */
    HEADS = 4,      /* clocks in which a packet is charged as the longest, or as borrowed */
    WIPE = 8,       /* clocks without flits at the beginning of an epoch */
    LIVES = 60,
    NOBODY = VCS,
    ALL = (1 << VCS) - 1
};

/* Of the peer's input queue, since the epoch began. */
struct accounts {
    unsigned handed[VCS];    /* flits, of a packet all from its head on */
    unsigned freed[VCS];     /* those which the peer says it passed on */
    unsigned announced[VCS]; /* packets whose head has not come */
    unsigned
        came; /* a bit for each of the last clocks, the lowest for this one: a head, which counts as announced still */
    unsigned crowd; /* VCs of packets announced since none was */
    bool dead;      /* what was handed over will be reported */
    bool says; /* what the peer said is still to be booked: a head of the clock before goes first */
    unsigned said_vc, said;
};

/* Of ours. */
struct queue {
    unsigned freed[VCS];
    unsigned offered[VCS]; /* whole steps when it was offered last */
    unsigned vc, next;     /* being offered, now and in the next clock */
    unsigned held;
};

/* How things go in an epoch; rates of 16. */
struct manners {
    unsigned vcs; /* those in use */
    unsigned shortest, longest;
    unsigned offers, takes, peer_frees, tells, forges, hands, frees, sends;
    bool announces;
};

static struct lcb_credit credit;
static struct rng r;
static uint64_t now;

static struct accounts is, was[BOOKED]; /* after this clock and after those before */
static struct queue queue;
static struct manners how;
static unsigned shared, quiet; /* clocks until flits may flow */

static unsigned passed_on[VCS], arrived[VCS]; /* flits by and at the peer, whatever it says */
static unsigned line[ANNOUNCED + 1], in_line; /* VCs of packets announced, or of the one offered */
static unsigned vc, left;                     /* of the packet being taken */

static unsigned room_before, spare_before; /* what a router sees that is a clock late */
static bool announced_before;

static struct {
    struct misses early, late, offer, count, drained, start, filled, wants;
    unsigned promised, refused, lent, packets, spare, twice;
} seen;

static bool often(unsigned rate)
{
    return rng_below(&r, 16) < rate;
}

/* ---- what must be ------------------------------------------------------------------------------- */

static unsigned filled(const struct accounts *a, unsigned v)
{
    return a->dead ? 0 : a->handed[v] - a->freed[v];
}

/* Flits of shared space that the peer needs, for `packets` times what is announced and one more packet of each of two VCs. */
static unsigned needs(const struct accounts *a, unsigned packets, unsigned more, unsigned also)
{
    unsigned sum = 0;
    for (unsigned v = 0; v < VCS; v++) {
        const unsigned flits =
            filled(a, v) + LONGEST * (packets * a->announced[v] + (v == more) + (v == also));
        sum += flits > OWN ? flits - OWN : 0;
    }
    return sum;
}

static unsigned total_announced(const struct accounts *a)
{
    unsigned sum = (unsigned)__builtin_popcount(a->came);
    for (unsigned v = 0; v < VCS; v++)
        sum += a->announced[v];
    return sum;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static bool responds(unsigned v)
{
    return LCB_RESPONSES >> v & 1;
}

/* Flits of all VCs of a class. */
static unsigned total(const struct accounts *a, bool response)
{
    unsigned sum = 0;
    for (unsigned v = 0; v < VCS; v++)
        sum += responds(v) == response ? filled(a, v) : 0;
    return sum;
}

/*
 * What is out of a class is what the peer's queue was charged with, now or a few clocks ago; it may lack a packet whose head
 * came together with a count.
 */
static void check_filled(bool response)
{
    const unsigned tells =
        response ? (unsigned)credit.out.responses : (unsigned)credit.out.requests;
    unsigned least = total(&is, response), most = least;
    for (unsigned i = 0; i < BOOKED; i++) {
        const unsigned then = total(&was[i], response);
        least = then < least ? then : least;
        most = larger(most, then);
    }
    must_at_least(&seen.filled, tells + (is.came != 0 ? LONGEST : 0), least, "%s",
                  response ? "responses" : "requests");
    must_at_most(&seen.filled, tells, most, "%s", response ? "responses" : "requests");
}

/* In this clock and in those before the shared space had room for so many packets more than are announced. */
static bool lends(unsigned packets)
{
    unsigned lent = needs(&is, 0, NOBODY, NOBODY), announced = total_announced(&is);
    for (unsigned i = 0; i < BOOKED; i++) {
        lent = larger(lent, needs(&was[i], 0, NOBODY, NOBODY));
        announced = larger(announced, total_announced(&was[i]));
    }
    return announced < AHEAD && lent + LONGEST * (announced + packets) <= shared * EIGHTS;
}

/* In this clock and in those before what is the VC's own had room for a packet, and nothing of it was announced. */
static bool unused(unsigned v)
{
    unsigned crowd = is.crowd, flits = filled(&is, v), announced = total_announced(&is);
    for (unsigned i = 0; i < BOOKED; i++) {
        crowd |= was[i].crowd;
        flits = larger(flits, filled(&was[i], v));
        announced = larger(announced, total_announced(&was[i]));
    }
    return announced < AHEAD && flits <= OWN - LONGEST && !(crowd >> v & 1);
}

/* VC v has to have room. */
static bool ample(unsigned v)
{
    return lends(1) || unused(v);
}

/* Room to spare: two packets fit, of whatever VCs. */
static void check_spare(void)
{
    const bool late = quiet != WIPE && lends(2);
    for (unsigned v = 0; v < VCS; v++) {
        const bool has = (unsigned)credit.out.spare >> v & 1;
        seen.spare += has;
        must(&seen.late, !late || has, "no room to spare on VC %u, and two packets fit", v);
        for (unsigned w = 0; w < VCS && has; w++)
            must_at_most(&seen.early, needs(&is, 1, v, w), shared * EIGHTS,
                         "shared flits needed, room to spare on VC %u and one of VC %u", v, w);
    }
}

static void check_room(void)
{
    const unsigned room = (unsigned)credit.out.room;
    for (unsigned v = 0; v < VCS; v++) {
        const bool has = room >> v & 1;
        seen.promised += has;
        seen.refused += !has;
        seen.lent += has && filled(&is, v) > 0;
        if (has)
            must_at_most(&seen.early, needs(&is, 1, v, NOBODY), shared * EIGHTS,
                         "shared flits needed, room on VC %u", v);
        else /* an epoch ends with the room it had */
            must(&seen.late, quiet == WIPE || !ample(v), "no room on VC %u, and a packet fits", v);
    }
}

/* When nothing is announced or half sent, a VC without room is what the link is short of. */
static void check_short(unsigned left_before)
{
    unsigned announced = total_announced(&is);
    for (unsigned i = 0; i < BOOKED; i++)
        announced = larger(announced, total_announced(&was[i]));
    if (announced == 0 && quiet == 0)
        must_be(&seen.wants, credit.out.short_of, left_before == 0 && credit.out.room != ALL);
}

/* The account of what lcb_tx takes, what is given back and what is announced in a clock. */
static void keep(const struct lcb_credit_in *in, bool head)
{
    memmove(was + 1, was, (BOOKED - 1) * sizeof *was);
    was[0] = is;
    if (is.says && !(is.came & 1)) {
        const unsigned more = (is.said * STEP - is.freed[is.said_vc]) % MODULO;
        is.freed[is.said_vc] +=
            more <= filled(&is, is.said_vc) ? more : 0; /* else it is not true */
        is.says = false;
    }
    is.came = (is.came << 1 | head) % (1 << HEADS);
    if (head) {
        const unsigned v = (unsigned)golden_get((uint64_t)in->flit, FIELD_HEAD_VC);
        is.crowd |= 1u << v;
        is.announced[v] -= is.announced[v] != 0;
        is.handed[v] += golden_length((uint64_t)in->flit);
    }
    if (in->start_valid)
        is.announced[in->start_vc]++;
    is.crowd |= in->start_valid ? 1u << in->start_vc : 0;
    if (total_announced(&is) == 0)
        is.crowd = 0;
    if (in->credit_valid) {
        is.says = true;
        is.said_vc = (unsigned)in->credit_vc;
        is.said = (unsigned)in->credit_steps;
    }
}

/* The next VC to be offered: the first behind this one with news, else the next. */
static unsigned in_turn(void)
{
    for (unsigned i = 1; i <= VCS; i++) {
        const unsigned v = (queue.next + i) % VCS;
        if (queue.freed[v] / STEP != queue.offered[v])
            return v;
    }
    return (queue.next + 1) % VCS;
}

static void check_queue(const struct lcb_credit_in *in)
{
    queue.vc = queue.next;
    if (in->sent) {
        queue.next = in_turn();
        queue.offered[queue.next] = queue.freed[queue.next] / STEP;
    }
    const unsigned before = queue.freed[queue.vc];
    if (in->freed_valid)
        queue.freed[in->freed_vc]++;
    const unsigned after = queue.freed[queue.vc], steps = (unsigned)credit.out.steps;
    queue.held += (unsigned)in->handed - (unsigned)in->freed_valid;
    must_be(&seen.offer, credit.out.vc, queue.vc);
    if (quiet == 0 && steps != before % MODULO / STEP)
        must_equal(&seen.count, steps, after % MODULO / STEP, "steps of VC %u", queue.vc);
    must_be(&seen.drained, credit.out.drained, queue.held == 0);
}

/* ---- what happens ------------------------------------------------------------------------------- */

static unsigned some_vc(void)
{
    return rng_bit(&r, how.vcs);
}

static lcb_flit some_flit(unsigned v, unsigned length)
{
    uint64_t flit = golden_set(rng_next(&r) >> 16, FIELD_HEAD_VC, v);
    return (lcb_flit)golden_set(flit, FIELD_HEAD_LENGTH, length % LONGEST);
}

/*
 * A packet is announced, or offered, on a VC with room; a late router announces by the room of a clock before. The room of
 * the clock in which an epoch begins is still that of the old one.
 */
static void choose(struct lcb_credit_in *in)
{
    const unsigned v = some_vc();
    const bool full = in_line == (how.announces ? ANNOUNCED : 1), late = rng_below(&r, 2);
    const unsigned old = announced_before ? spare_before : room_before;
    const unsigned room = how.announces && late ? old : (unsigned)credit.out.room;
    const bool wiped = quiet == WIPE || (late && quiet == WIPE - 1);
    const bool starts = !full && !wiped && often(how.offers) && (room >> v & 1);
    in->start_vc = (lcb_vc)v;
    in->start_valid = starts && how.announces;
    if (starts)
        line[in_line++] = v;
    seen.twice += in->start_valid && announced_before && late;
    announced_before = in->start_valid;
    room_before = (unsigned)credit.out.room;
    spare_before = (unsigned)credit.out.spare;
}

/* A flit of the packet that is under way, or the head of the next one; not in the slot of the tail. */
static bool take(struct lcb_credit_in *in, unsigned waiting)
{
    in->flit = some_flit(rng_below(&r, VCS), rng_below(&r, LONGEST));
    if (now % GOLDEN_SLOTS == 9 || quiet > 0 || in->clear || !often(how.takes) ||
        (left == 0 && waiting == 0))
        return false;
    const bool head = left == 0;
    if (head) {
        vc = line[0];
        memmove(line, line + 1, --in_line * sizeof *line);
        left = how.shortest + rng_below(&r, how.longest - how.shortest + 1);
        in->flit = some_flit(vc, left);
        seen.packets++;
    }
    in->taken = 1;
    arrived[vc]++;
    left--;
    return head;
}

/* The peer passes a flit on; it tells the truth, repeats itself, or says that it freed more than it got. */
static void hear(struct lcb_credit_in *in)
{
    unsigned v = some_vc();
    if (often(how.peer_frees) && passed_on[v] < arrived[v])
        passed_on[v]++;
    v = some_vc();
    in->credit_vc = (lcb_vc)v;
    in->credit_steps = (lcb_steps)(passed_on[v] / STEP);
    if (often(how.forges))
        in->credit_steps = (lcb_steps)(rng_below(&r, 2) ? is.handed[v] / STEP + 1 + rng_below(&r, 2)
                                                        : rng_next(&r));
    in->credit_valid =
        quiet == 0 && (in->clear || !is.dead) && now % GOLDEN_SLOTS == 2 && often(how.tells);
}

static void new_epoch(void)
{
    struct accounts fresh = {.crowd = is.crowd};
    memcpy(fresh.announced, is.announced, sizeof is.announced);
    is = fresh;
    memset(queue.freed, 0, sizeof queue.freed);
    memset(queue.offered, 0, sizeof queue.offered);
    memset(passed_on, 0, sizeof passed_on);
    memset(arrived, 0, sizeof arrived);
    left = 0;
    quiet = WIPE;
}

static void step(bool clear)
{
    struct lcb_credit_in in = {
        .clear = clear, .dead = is.dead && !clear, .shared_space = (u9)shared};
    const unsigned waiting = how.announces ? in_line : 1, left_before = left;
    choose(&in);
    const bool head = take(&in, waiting < in_line ? waiting : in_line);
    hear(&in);
    in.handed = often(how.hands);
    in.freed_vc = (lcb_vc)some_vc();
    in.freed_valid = quiet == 0 && often(how.frees) && (in.handed || queue.held > 0);
    in.sent = often(how.sends);
    lcb_credit(&credit, &in);
    now++;
    check_queue(&in);
    quiet -= quiet != 0;
    keep(&in, head);
    if (clear)
        new_epoch();
    check_room();
    check_spare();
    check_short(left_before);
    check_filled(false);
    check_filled(true);
}

static void run(unsigned clocks)
{
    while (clocks-- > 0)
        step(false);
}

/* ---- what is tried ------------------------------------------------------------------------------ */

static unsigned some_rate(void)
{
    static const unsigned rates[] = {0, 1, 4, 12, 16, 16};
    return rates[rng_below(&r, sizeof rates / sizeof *rates)];
}

/* Other manners; the space changes between epochs only, and holds what is announced. */
static void change_manners(bool epoch)
{
    static const unsigned spaces[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 63, 124};
    const unsigned all[] = {ALL, 1u << rng_below(&r, VCS), 1 + rng_below(&r, ALL)};
    const unsigned length[] = {1, 8, LONGEST, 1 + rng_below(&r, LONGEST)};
    const bool announces = how.announces;
    how = (struct manners){.vcs = all[rng_below(&r, 3)],
                           .shortest = length[rng_below(&r, 4)],
                           .offers = some_rate(),
                           .takes = some_rate(),
                           .peer_frees = some_rate(),
                           .tells = some_rate(),
                           .forges = rng_below(&r, 4) ? 0 : some_rate(),
                           .hands = some_rate(),
                           .frees = some_rate(),
                           .sends = some_rate() / 2,
                           .announces = in_line != 0 ? announces : rng_below(&r, 2)};
    how.longest = rng_below(&r, 2) ? how.shortest : LONGEST;
    if (epoch)
        shared = spaces[rng_below(&r, sizeof spaces / sizeof *spaces)];
    if (epoch && needs(&is, 1, NOBODY, NOBODY) > shared * EIGHTS)
        shared = 63;
}

/* The registers begin anew, the memories keep what they hold. */
static void reset(void)
{
    lcb_credit_reset(&credit);
    is = (struct accounts){};
    memset(was, 0, sizeof was);
    queue = (struct queue){};
    in_line = 0;
    new_epoch();
    change_manners(true);
    must_be(&seen.start, credit.out.drained, 1);
    must_be(&seen.start, credit.out.vc, 0);
    must_be(&seen.start, credit.out.room, 0);
    must_be(&seen.start, credit.out.spare, 0);
}

/* A life: epochs that end by death or at once, also in the middle of a packet, and then a reset. */
static void live(void)
{
    reset();
    for (unsigned epochs = 1 + rng_below(&r, 12); epochs > 0; epochs--) {
        for (unsigned i = 1 + rng_below(&r, 5); i > 0; i--) {
            run(rng_below(&r, rng_below(&r, 3) ? 40 : 400));
            change_manners(false);
        }
        is.dead = rng_below(&r, 2);
        run(rng_below(&r, 200));
        step(true);
        change_manners(true);
    }
}

/* One VC alone, until its count has passed the modulus and what the peer freed has not; a reset, then all of them. */
static void overflow(unsigned v)
{
    reset();
    shared = 63;
    how = (struct manners){1u << v, LONGEST, LONGEST, 16, 16, 16, 16, 0, 16, 16, 1, false};
    while (is.handed[v] < MODULO - 60)
        step(false);
    how.peer_frees = 0;
    run(200);
    reset();
    shared = 63;
    how = (struct manners){ALL, 1, LONGEST, 16, 16, 1, 16, 0, 16, 16, 1, false};
    run(200);
}

int main(int argc, char **argv)
{
    rng_seed(&r, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned i = 0; i < LIVES; i++)
        live();
    for (unsigned v = 0; v < VCS; v++)
        overflow(v);
    /* holds lcb_credit.announced */
    tap_misses(&seen.early, "no room where the peer may have none");
    /* holds lcb_credit.soon */
    tap_misses(&seen.late, "room where there is, soon");
    tap_misses(
        &seen.filled,
        "what requests and responses hold at the peer, of this epoch, never less than nothing");
    tap_misses(&seen.wants, "a VC without room, and no packet half sent: said");
    tap_misses(&seen.offer, "the VC to tell of next is the one whose turn it is");
    tap_misses(&seen.count, "its count is that of this epoch");
    tap_misses(&seen.drained, "drained says that all was passed on");
    tap_misses(&seen.start, "after a reset nothing is held, nothing promised");
    tap_ok(seen.packets > 5000 && seen.promised > 100000 && seen.refused > 100000 &&
               seen.lent > 100000 && seen.spare > 100000 && seen.twice > 300,
           "%llu clocks: %u packets, %u at once behind another; room %u times, none %u, lent %u, "
           "to spare %u",
           (unsigned long long)now, seen.packets, seen.twice, seen.promised, seen.refused,
           seen.lent, seen.spare);
    return tap_done();
}
