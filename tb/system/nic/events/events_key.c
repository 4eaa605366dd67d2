// SPDX-License-Identifier: Apache-2.0
/*
 * events_key.c - what tells two states of a world apart: neither clocks that have passed nor where in its list or memory a thing stands.
 */
#include "tb/system/nic/events/events_inside.h"

#include <string.h>

/* Fields of a few bits each, one behind the other. */
struct writer {
    uint8_t *key;
    unsigned bits;
};

static void put(struct writer *k, unsigned bits, unsigned value)
{
    for (unsigned i = 0; i < bits; i++, k->bits++) {
        k->key[k->bits / 8] |= (uint8_t)((value >> i & 1) << k->bits % 8);
    }
}

static void put_lists(struct writer *k, const struct ssid *s)
{
    const struct ssid_closed *report = &s->report;

    put(k, 1, s->current[CHANNEL].valid);
    put(k, 1, s->free.out.valid);
    put(k, 1, s->over.out.valid);
    put(k, 1, s->closed.out.valid);
    put(k, 1, s->stale.out.valid);
    put(k, 1, s->birth[ID].turn != s->gone[ID]);
    put(k, 1, s->reports);
    put(k, 1, s->out.note.valid);
    put(k, 1, s->note_sent);
    put(k, 1, s->local_posted);
    put(k, 1, s->end_posted);
    put(k, 1, s->reports && report->local);
    put(k, 1, s->reports && report->over);
    put(k, 1, s->reports && report->note);
    put(k, 4, s->reports ? (unsigned)report->status : 0);
}

static void put_id(struct writer *k, const struct ssid *s)
{
    const struct ssid_sent *sent = &s->sent[ID];
    const struct ssid_answered *answered = &s->answered[ID];
    const struct ssid_seq *seq = &s->seqs[ID];

    put(k, 2, seq->use);
    put(k, 1, seq->counted);
    put(k, 1, seq->failed);
    put(k, 1, seq->any);
    put(k, 4, (unsigned)seq->packets);
    put(k, 4, (unsigned)(ssid_requests)(sent->count - answered->count));
    put(k, 1, sent->closed);
    put(k, 1, sent->counted);
    put(k, 1, sent->wants);
    put(k, 1, sent->ends);
    put(k, 1, sent->noting);
    put(k, 1, sent->noted);
    put(k, 4, sent->status);
    put(k, 4, answered->status);
    put(k, 1, answered->note);
    put(k, 1, answered->end);
    put(k, 1, answered->noting);
}

static void put_rmt(struct writer *k, const struct rmt *r)
{
    for (unsigned use = 0; use < 4; use++) {
        const struct rmt_end *end = NULL;
        const struct rmt_entry *e = world_entry(r, use, &end);

        put(k, 1, e != NULL);
        if (e == NULL) {
            continue;
        }
        put(k, 1, e->parked);
        put(k, 2, (u2)(r->epoch - e->epoch));
        put(k, 4, (unsigned)e->count);
        if (e->parked) {
            put(k, 4, (unsigned)e->total);
            put(k, 1, end->wants);
            put(k, 1, r->flags[end - r->ends].wanted);
            put(k, 4, (unsigned)end->event);
            put(k, 4, (unsigned)end->whom);
        }
    }
}

static void put_transaction(struct writer *k, const struct world *w, unsigned t)
{
    for (unsigned at = 0; at < MESSAGES; at++) {
        const struct message *m = &w->message[t][at];

        put(k, 3, m->flight);
        put(k, 1, m->outstanding);
        put(k, 1, m->wants);
        put(k, 1, m->flag);
        put(k, 2, m->use);
        put(k, 4, m->total);
    }
    put(k, 4, w->posted[t]);
    put(k, 4, w->memory[t]);
    put(k, 2, w->events[t]);
    put(k, 2, w->flags[t]);
    put(k, 5, w->status[t]);
}

unsigned world_key(const struct world *w, uint8_t key[KEY_BYTES])
{
    struct writer k = {.key = key};

    memset(key, 0, KEY_BYTES);
    put_lists(&k, &w->ssid);
    put_id(&k, &w->ssid);
    put_rmt(&k, &w->rmt);
    for (unsigned t = 0; t <= w->now; t++) {
        put_transaction(&k, w, t);
    }
    put(&k, 2, w->now);
    put(&k, 1, w->opened);
    put(&k, 1, w->closed);
    put(&k, 2, w->losses);
    put(&k, 2, w->errors);
    put(&k, 2, w->full);
    put(&k, 2, w->early);
    put(&k, 2, w->refused);
    put(&k, 7, w->faults);
    return (k.bits + 7) / 8;
}
