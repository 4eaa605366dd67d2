// SPDX-License-Identifier: Apache-2.0
/*
 * test_beat_queue.c - beat_queue.inc: both instances against plain FIFOs, senders at the edge of the rule of `room`,
 * takers of every speed, and bits that fall over in the memory.
 *
 * Built for aries: fast; proto: san. Recorded for beat_queue, beat_queue2.
 */
#include "common/beat/beat_queue.h"
#include "common/beat/beat_queue2.h"
#include "tb/models/nic_beats.h"

#include <string.h>

enum { MOST = 64, LATE = BEAT_ROOM - BEATS };

static uint64_t now;

/* ---- both queues behind one face --------------------------------------------------------------- */

struct act {
    struct beat push;
    unsigned push_class, ahead;
    bool pop[2]; /* of the class */
};

struct seen {
    struct beat front[2];
    bool room[2], corrected, fatal;
    bool empty;        /* of one class */
    unsigned beats[2]; /* behind the fronts, of two classes */
};

struct kind {
    const char *name;
    unsigned classes;
    unsigned latency; /* clocks from an empty queue's input to its front */
    void (*reset)(void);
    struct seen (*step)(const struct act *act);
    unsigned (*stored)(unsigned c); /* beats in the memory */
    void (*corrupt)(struct rng *rng, unsigned c, unsigned back,
                    unsigned bits); /* the last but so many */
};

static struct beat_queue one;
static struct beat_queue2 two;

static void one_reset(void)
{
    beat_queue_reset(&one);
}

static struct seen one_step(const struct act *act)
{
    struct beat_queue_in in = {.push = act->push, .pop = act->pop[0]};

    beat_queue(&one, &in);
    return (struct seen){.front = {one.out.front},
                         .room = {one.out.room},
                         .empty = one.out.empty,
                         .corrected = one.out.corrected,
                         .fatal = one.out.fatal};
}

static void two_reset(void)
{
    beat_queue2_reset(&two);
}

static struct seen two_step(const struct act *act)
{
    struct beat_queue2_in in = {.push = act->push.valid,
                                .code = beat_encode(&act->push),
                                .push_class = (u1)act->push_class,
                                .pop = (u2)((unsigned)act->pop[1] << 1 | act->pop[0]),
                                .ahead = (u1)act->ahead};

    beat_queue2(&two, &in);
    return (struct seen){.front = {two.out.front[0], two.out.front[1]},
                         .room = {two.out.room[0], two.out.room[1]},
                         .beats = {two.out.beats[0], two.out.beats[1]},
                         .corrected = two.out.corrected,
                         .fatal = two.out.fatal};
}

/* One or two bits of one of the three words fall over. */
static void corrupt(struct rng *rng, beat_code *code, unsigned bits)
{
    const unsigned word = rng_below(rng, 3), first = rng_below(rng, RTR_CODE_BITS);
    const unsigned second = (first + 1 + rng_below(rng, RTR_CODE_BITS - 1)) % RTR_CODE_BITS;

    *code ^= (beat_code)1 << (word * RTR_CODE_BITS + first);
    if (bits == 2) {
        *code ^= (beat_code)1 << (word * RTR_CODE_BITS + second);
    }
}

static void one_corrupt(struct rng *rng, unsigned c, unsigned back, unsigned bits)
{
    (void)c;
    corrupt(rng, &one.codes[(beat_queue_place)(one.wr[0] - back)], bits);
}

static void two_corrupt(struct rng *rng, unsigned c, unsigned back, unsigned bits)
{
    corrupt(rng, &two.codes[c << 5 | (unsigned)(beat_queue2_place)(two.wr[c] - back)], bits);
}

static unsigned one_stored(unsigned c)
{
    (void)c;
    return (beat_queue_count)(one.wr[0] - one.rd[0]);
}

/* Its copy in the read register is out of reach. */
static unsigned two_stored(unsigned c)
{
    const unsigned stored = (beat_queue2_count)(two.wr[c] - two.rd[c]);

    return two.staged && two.staged_class == c ? stored - 1 : stored;
}

static const struct kind kinds[] = {
    {"beat_queue", 1, 1, one_reset, one_step, one_stored, one_corrupt},
    {"beat_queue2", 2, 3, two_reset, two_step, two_stored, two_corrupt},
};

/* ---- senders, takers, and what they know ------------------------------------------------------- */

struct fifo {
    struct beat beat[MOST];
    unsigned corrupted[MOST]; /* so many of its bits have fallen over */
    unsigned read, written;
    bool inside; /* the sender is in the middle of a packet */
    unsigned left;
    unsigned history; /* bit i: what room was i clocks ago */
    bool out_inside;
};

struct load {
    const char *name;
    double push, pop, begin, corrupt1,
        corrupt2;  /* how often; the last two: bits of a beat in the memory fall over */
    unsigned late; /* clocks until the sender sees room */
    bool both;     /* classes may be taken from in one clock */
};

struct count {
    struct misses wrong;
    uint64_t beats, corrected, fatal, single, twice;
};

static struct beat next_beat(struct rng *rng, struct fifo *f)
{
    struct beat beat = {.valid = 1, .head = !f->inside, .bad = rng_below(rng, 8) == 0};

    if (!f->inside) {
        f->left = 1 + rng_below(rng, BEATS);
    }
    f->left--;
    f->inside = f->left != 0;
    beat.tail = !f->inside;
    beat.word = (beat_word)rng_next(rng) | ((beat_word)rng_next(rng) << 64) |
                ((beat_word)rng_next(rng) << 80);
    return beat;
}

/* A beat of the fifo is in front: right, or marked as uncorrectable. */
static bool as_sent(struct fifo *f, const struct beat *front)
{
    const struct beat *want = &f->beat[f->read % MOST];
    bool frame = front->tail == want->tail && front->head == !f->out_inside;

    if (f->read == f->written) {
        return false;
    }
    if (f->corrupted[f->read % MOST] == 2) {
        return frame && front->bad;
    }
    return frame && front->bad == want->bad && front->word == want->word &&
           front->head == want->head;
}

/* Bits of one beat that waits in the memory fall over, once. */
static void damage(struct rng *rng, const struct kind *kind, const struct load *load,
                   struct fifo *fifo, struct count *n)
{
    const unsigned c = rng_below(rng, kind->classes), stored = kind->stored(c);
    const unsigned bits = rng_chance(rng, load->corrupt2) ? 2 : rng_chance(rng, load->corrupt1);

    if (bits != 0 && stored != 0) {
        const unsigned back = 1 + rng_below(rng, stored);
        unsigned *corrupted = &fifo[c].corrupted[(fifo[c].written - back) % MOST];

        if (*corrupted == 0) {
            *corrupted = bits;
            n->single += bits == 1;
            n->twice += bits == 2;
            kind->corrupt(rng, c, back, bits);
        }
    }
}

static void run(const struct kind *kind, const struct load *load, uint64_t clocks, struct rng *rng,
                struct count *n)
{
    struct fifo fifo[2] = {0};
    struct seen seen = {0};

    kind->reset();
    for (uint64_t t = 0; t < clocks; t++, now++) {
        struct act act = {.push_class = rng_below(rng, kind->classes), .ahead = rng_below(rng, 2)};
        struct fifo *in = &fifo[act.push_class];
        const unsigned turn =
            rng_below(rng, kind->classes); /* of whoever takes from one class a clock */
        bool may =
            in->inside || ((in->history >> load->late & 1) != 0 && rng_chance(rng, load->begin));

        damage(rng, kind, load, fifo, n);
        if (may && rng_chance(rng, load->push)) {
            act.push = next_beat(rng, in);
            in->beat[in->written % MOST] = act.push;
            in->corrupted[in->written % MOST] = 0;
            in->written++;
            n->beats++;
        }
        for (unsigned c = 0; c < kind->classes; c++) {
            act.pop[c] =
                seen.front[c].valid && (load->both || c == turn) && rng_chance(rng, load->pop);
            if (act.pop[c]) {
                must(&n->wrong, as_sent(&fifo[c], &seen.front[c]),
                     "class %u: beat %u at the front is not as it was sent: head %u tail %u bad %u "
                     "%s",
                     c, (unsigned)fifo[c].read, (unsigned)seen.front[c].head,
                     (unsigned)seen.front[c].tail, (unsigned)seen.front[c].bad,
                     nic_word_text(seen.front[c].word));
                fifo[c].out_inside = !seen.front[c].tail;
                fifo[c].read++;
            }
        }
        seen = kind->step(&act);
        for (unsigned c = 0; c < kind->classes; c++) {
            fifo[c].history = fifo[c].history << 1 | seen.room[c];
            const unsigned inside = (unsigned)(fifo[c].written - fifo[c].read);

            if (kind->classes == 1)
                must_equal(&n->wrong, seen.empty, inside == 0, "empty, %u beats inside", inside);
            else
                must_equal(&n->wrong, seen.beats[c], inside - seen.front[c].valid,
                           "class %u: beats behind the front", c);
        }
        n->corrected += seen.corrected;
        n->fatal += seen.fatal;
    }
}

/* Every error once, but those that are still in the memory. */
static bool notified(const struct count *n, const struct load *load)
{
    return n->corrected <= n->single && n->single <= n->corrected + MOST && n->fatal <= n->twice &&
           n->twice <= n->fatal + MOST && (load->corrupt2 == 0 || n->fatal > 100);
}

/* Clocks from an empty queue's input to its front. */
static unsigned latency(const struct kind *kind)
{
    struct act act = {.push = {.valid = 1, .head = 1, .tail = 1}};
    unsigned clocks = 1;

    kind->reset();
    for (struct seen seen = kind->step(&act); !seen.front[0].valid && clocks < 10;
         clocks++, now++) {
        act.push.valid = 0;
        seen = kind->step(&act);
    }
    return clocks;
}

/* Clocks in which 12 beats of a class leave a queue full of both, or of it alone, if it is the one that is ahead, or is not. */
static unsigned drain_clocks(const struct kind *kind, unsigned c, bool ahead, bool alone)
{
    struct act act = {.push = {.valid = 1, .head = 1, .tail = 1}, .ahead = ahead ? c : !c};
    struct seen seen = {0};
    unsigned beats = 12, clocks = 0;

    kind->reset();
    for (unsigned t = 0; t < 40; t++, now++) {
        act.push_class = t & 1;
        act.push.valid = !alone || act.push_class == c;
        seen = kind->step(&act);
    }
    act.push.valid = 0;
    for (; beats != 0 && clocks < 200; clocks++, now++) {
        act.pop[c] = seen.front[c].valid;
        beats -= act.pop[c];
        seen = kind->step(&act);
    }
    return clocks;
}

/* Beats of a class that a queue takes from when it is empty until it says that it has no room. */
static unsigned beats_that_fit(const struct kind *kind, unsigned c)
{
    struct act act = {.push = {.valid = 1, .head = 1, .tail = 1}, .push_class = c, .ahead = c};
    struct seen seen = {.room = {1, 1}};
    unsigned beats = 0;

    kind->reset();
    for (; seen.room[c] && beats < 40; beats++, now++) {
        seen = kind->step(&act);
    }
    return beats;
}

int main(int argc, char **argv)
{
    struct rng rng;
    static const struct load loads[] = {
        {"both at full rate", 1, 1, 1, 0, 0, 0, false},
        {"slow taker", 1, 0.2, 1, 0, 0, 0, false},
        {"slow sender", 0.2, 1, 0.3, 0, 0, 0, false},
        {"at random", 0.6, 0.6, 0.7, 0, 0, 4, false},
        {"room seen late", 1, 0.3, 1, 0, 0, 10, false},
        {"wrong bits", 0.8, 0.6, 1, 0.02, 0.01, 0, false},
        {"both classes in a clock", 0.9, 0.4, 1, 0, 0, 3, true},
        {"both classes, wrong bits", 1, 0.5, 1, 0.02, 0.01, 0, true},
    };

    rng_seed(&rng, test_seed(argc, argv));
    harness_clock = &now;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        /* holds beat_queue.one */
        tap_ok(latency(&kinds[k]) == kinds[k].latency, "%s: %u clocks", kinds[k].name,
               kinds[k].latency);
        for (unsigned c = 0; c < 2 && kinds[k].classes == 2; c++) {
            const unsigned first = drain_clocks(&kinds[k], c, true, false);
            const unsigned other = drain_clocks(&kinds[k], c, false, false);
            const unsigned alone = drain_clocks(&kinds[k], c, false, true);

            /* holds beat_queue.two, beat_queue.alone */
            tap_ok(first == 12 && other <= 24 && alone == 12,
                   "12 beats of class %u leave in %u clocks, in %u if the other one is ahead, in "
                   "%u if that has none",
                   c, first, other, alone);
        }
        for (unsigned c = 0; c < kinds[k].classes; c++) {
            /* the front, one class: the read register; and one more in the memory than leaves room */
            const unsigned most = 32 - BEAT_ROOM + 1 + 1 + (kinds[k].classes == 1);
            const unsigned beats = beats_that_fit(&kinds[k], c);

            /* holds beat_queue.room */
            tap_ok(beats == most, "%s, class %u: no room behind %u beats", kinds[k].name, c, beats);
        }
        for (unsigned l = 0; l < sizeof loads / sizeof *loads; l++) {
            struct count n = {0};

            run(&kinds[k], &loads[l], 50000, &rng, &n);
            /* holds beat_queue.bits */
            must_at_least(&n.wrong, n.beats, 5000 + 1, "n.beats");
            must(&n.wrong, notified(&n, &loads[l]), "expected notified(&n, &loads[l])");
            tap_misses(&n.wrong, "%s, %s: in order, whole", kinds[k].name, loads[l].name);
        }
    }
    tap_ok(harness_covers("hls/common/beat/beat_queue.inc") == 8, "all covers of both are hit");
    return tap_done();
}
