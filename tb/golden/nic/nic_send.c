// SPDX-License-Identifier: Apache-2.0
/*
 * nic_send.c - the golden NIC: messages to posted buffers (design: bte.md).
 *
 * Which message has taken a buffer is not seen before its last word names the sender. So each buffer keeps the messages whose bytes are what was
 * written there so far; a write that leaves none is explained by nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "tb/golden/nic/nic_bte.h"
#include "tb/golden/nic/nic_inside.h"

enum {
    PAGE = 4096,
    DESCRIPTOR = 16, /* bytes of a buffer's that are read; two words behind them are written: */
    IMMEDIATE_AT = 16,
    LAST_AT = 24,
    SOURCE_MESSAGE = 6,
    BUFFERS_MOST = 3, /* of one message: those that did not get all of it came back */
};

static bool has(const uint64_t *bits, uint64_t at)
{
    return (bits[at / 64] >> at % 64 & 1) != 0;
}

static void set(uint64_t *bits, uint64_t at)
{
    bits[at / 64] |= (uint64_t)1 << at % 64;
}

/* ---- what is posted ------------------------------------------------------------------------------- */

void gn_buffer(struct golden_nic *g, unsigned node, unsigned channel, const struct gn_buffer *b)
{
    struct node *n = &g->node[node];
    struct wanted *w = gn_want(g, node);

    w->kind = WANT_READ;
    w->address = b->descriptor;
    w->bytes = DESCRIPTOR;
    w->channel = channel + 1;
    w->optional = true; /* it is read ahead, or not */
    if (n->buffers == n->buffer_room) {
        n->buffer_room = 2 * n->buffer_room + 16;
        n->buffer = gn_checked(realloc(n->buffer, n->buffer_room * sizeof(*n->buffer)));
    }
    n->buffer[n->buffers++] =
        (struct buffer){.is = *b, .channel = channel, .number = n->posted_buffers[channel]++};
}

unsigned gn_returned_buffers(const struct golden_nic *g, unsigned node, unsigned channel)
{
    return g->node[node].returned[channel];
}

unsigned gn_ready_buffers(const struct golden_nic *g, unsigned node, unsigned channel)
{
    return g->node[node].fetched[channel] - g->node[node].returned[channel];
}

static unsigned new_message(struct golden_nic *g, unsigned transaction, const struct gn_send *s)
{
    struct message *m = gn_checked(calloc(1, sizeof(*m)));

    m->transaction = transaction;
    m->to = s->to;
    m->channel = s->channel;
    m->source = s->source;
    if (g->messages == g->message_room) {
        g->message_room = 2 * g->message_room + 64;
        g->message = gn_checked(realloc(g->message, g->message_room * sizeof(*g->message)));
    }
    g->message[g->messages++] = m;
    if (g->alive_count == g->alive_room) {
        g->alive_room = 2 * g->alive_room + 64;
        g->alive = gn_checked(realloc(g->alive, g->alive_room * sizeof(*g->alive)));
    }
    g->alive[g->alive_count++] = g->messages;
    return g->messages;
}

/* The read of each packet's bytes; they end at lines of the remote offset. */
static void want_pieces(struct golden_nic *g, unsigned number, const struct gn_send *s)
{
    struct message *m = g->message[number - 1];
    const struct transaction *t = &g->transactions[m->transaction];
    const struct nic_transfer transfer = {.offset = s->offset, .bytes = s->bytes};
    unsigned bytes;

    for (uint64_t at = 0; at < s->bytes; at += bytes) {
        struct reached here;
        struct wanted *w;

        bytes = nic_transfer_piece(&transfer, at);
        here = gn_reach(&g->node[t->node], t->ptag, false, s->local_mdh, s->local_offset + at,
                        bytes, RIGHT_READ);
        w = gn_want(g, t->node);
        w->kind = WANT_READ;
        w->address = here.address;
        w->bytes = bytes;
        w->transaction = m->transaction;
        w->message = number;
        w->at = s->offset + at;
        set(m->begins, s->offset + at);
        set(m->ends, s->offset + at + bytes - 1);
        m->pieces++;
    }
    m->bytes += (unsigned)s->bytes;
    m->length =
        s->bytes != 0 && s->offset + s->bytes > m->length ? s->offset + s->bytes : m->length;
}

void gn_send(struct golden_nic *g, unsigned transaction, const struct gn_send *s)
{
    struct transaction *t = &g->transactions[transaction];
    struct message *m;

    if (t->message == 0) {
        t->message = new_message(g, transaction, s);
        t->left++;
        t->doubtful |= g->doubt[t->node][s->to] | s->crowded;
        t->failures = t->doubtful ? 1u << GN_NO_BUFFER | 1u << GN_SEQUENCE : 0;
    }
    m = g->message[t->message - 1];
    m->immediate = s->immediate;
    m->word = s->word;
    want_pieces(g, t->message, s);
}

/* ---- which message a buffer has ------------------------------------------------------------------- */

static struct message *candidate(const struct golden_nic *g, const struct buffer *b, unsigned i)
{
    return g->message[b->may[i] - 1];
}

static void exclude(struct buffer *b, unsigned message)
{
    for (unsigned i = 0; i < b->mays; i++) {
        if (b->may[i] == message) {
            b->may[i--] = b->may[--b->mays];
        }
    }
}

/* A buffer that can have but one message has it, and no other has. */
static void exclude_all(struct node *n)
{
    bool more;

    do {
        more = false;
        for (size_t i = 0; i < n->buffers; i++) {
            struct buffer *b = &n->buffer[i];

            if (b->begun && !b->sure && b->mays == 1) {
                more = b->sure = true;
                for (size_t k = 0; k < n->buffers; k++) {
                    if (k != i) {
                        exclude(&n->buffer[k], b->may[0]);
                    }
                }
            }
        }
    } while (more);
}

static bool is_taken(const struct node *n, unsigned message)
{
    for (size_t i = 0; i < n->buffers; i++) {
        const struct buffer *b = &n->buffer[i];

        if (b->sure && b->mays == 1 && b->may[0] == message) {
            return true;
        }
    }
    return false;
}

/* Something of a message is written: of any that is under way to this channel, as far as is known. */
static void begin(struct golden_nic *g, unsigned node, struct buffer *b)
{
    if (b->begun) {
        return;
    }
    b->begun = true;
    b->may = gn_checked(malloc((g->alive_count + 1) * sizeof(*b->may)));
    for (size_t i = 0; i < g->alive_count; i++) {
        const struct message *m = g->message[g->alive[i] - 1];

        if (m->to == node && m->channel == b->channel && !is_taken(&g->node[node], g->alive[i])) {
            b->may[b->mays++] = g->alive[i];
        }
    }
}

/* These bytes are a packet of the message, or its part at a page's end. */
static bool is_piece(const struct message *m, uint64_t first, uint64_t address, const uint8_t *data,
                     unsigned bytes)
{
    const uint64_t end = first + bytes;

    for (uint64_t at = first; at < end; at++) {
        if (!has(m->read, at) || m->data[at] != data[at - first] ||
            (at + 1 < end && has(m->ends, at))) {
            return false;
        }
    }
    return (has(m->begins, first) || address % PAGE == 0) &&
           (has(m->ends, end - 1) || (address + bytes) % PAGE == 0);
}

static bool take_bytes(struct golden_nic *g, unsigned node, struct buffer *b, uint64_t address,
                       const uint8_t *data, unsigned bytes)
{
    const uint64_t first = address - b->is.address;

    begin(g, node, b);
    for (uint64_t at = first; at < first + bytes; at++) {
        if (has(b->written, at)) {
            gn_wrong(g, "node %u: byte %u of buffer %u is written again", node, (unsigned)at,
                     b->number);
            return false;
        }
        set(b->written, at);
    }
    b->bytes += bytes;
    for (unsigned i = 0; i < b->mays; i++) {
        if (!is_piece(candidate(g, b, i), first, address, data, bytes)) {
            b->may[i--] = b->may[--b->mays];
        }
    }
    exclude_all(&g->node[node]);
    if (b->mays == 0) {
        gn_wrong(g, "node %u: %u bytes at %u of buffer %u of channel %u are of no message", node,
                 bytes, (unsigned)first, b->number, b->channel);
    }
    return b->mays != 0;
}

/* ---- its last words ------------------------------------------------------------------------------- */

static uint64_t word_of(const uint8_t *data)
{
    uint64_t word = 0;

    for (unsigned i = 8; i-- > 0;) {
        word = word << 8 | data[i];
    }
    return word;
}

static void drop(struct golden_nic *g, unsigned message)
{
    const struct message *m = g->message[message - 1];

    for (size_t i = 0; i < g->node[m->to].buffers; i++) {
        exclude(&g->node[m->to].buffer[i], message);
    }
    for (size_t i = 0; i < g->alive_count; i++) {
        if (g->alive[i] == message) {
            g->alive[i--] = g->alive[--g->alive_count];
        }
    }
    free(g->message[message - 1]);
    g->message[message - 1] = NULL;
}

/* All of the message is in its buffer, and was said. */
static bool is_whole(const struct message *m, const struct buffer *b, uint64_t last)
{
    return m->bytes == b->bytes && m->pieces == 0 && m->immediate == b->said &&
           (!b->said || m->word == b->word) &&
           last == nic_buffer_over(m->immediate, m->source, GN_OK, m->length);
}

/* A buffer is back: the event that says so may come, and that of the sender, in any order. */
static void give_back(struct golden_nic *g, unsigned node, struct buffer *b, unsigned transaction,
                      unsigned status, uint64_t length)
{
    struct node *n = &g->node[node];
    const struct gn_ring *r = &n->ring[b->is.queue];
    const uint64_t event = nic_buffer_event(b->channel, b->number & 1023, length);

    if (b->is.event && r->enabled && r->ptag == b->is.ptag) {
        gn_want_event(g, node, b->is.queue, SOURCE_MESSAGE, event, 1u << status, transaction, -1);
    }
    if (status == GN_OK) {
        g->transactions[transaction].left--;
        gn_settle(g, transaction);
    }
    n->returned[b->channel]++;
    n->last_returned[b->channel] =
        b->number + 1 > n->last_returned[b->channel] ? b->number + 1 : n->last_returned[b->channel];
    free(b->may);
    *b = n->buffer[--n->buffers];
}

/* The message failed: one that may have, and that has had fewest buffers. */
static unsigned find_failed(const struct golden_nic *g, const struct buffer *b, unsigned status,
                            uint64_t last)
{
    unsigned found = 0;

    for (unsigned i = 0; i < b->mays; i++) {
        const struct message *m = candidate(g, b, i);

        if (g->transactions[m->transaction].doubtful &&
            last == nic_buffer_over(false, m->source, status, 0) &&
            (found == 0 || m->buffers < g->message[found - 1]->buffers)) {
            found = b->may[i];
        }
    }
    return found;
}

static unsigned find_whole(const struct golden_nic *g, const struct buffer *b, uint64_t last)
{
    for (unsigned i = 0; i < b->mays; i++) {
        if (is_whole(candidate(g, b, i), b, last)) {
            return b->may[i];
        }
    }
    return 0;
}

static bool take_last(struct golden_nic *g, unsigned node, struct buffer *b, uint64_t last)
{
    const unsigned status = (unsigned)(last >> 40) & 15;
    const bool failed = status == GN_SEQUENCE || status == GN_TIMEOUT;
    unsigned found, transaction;
    uint64_t length;

    begin(g, node, b);
    found = status == GN_OK ? find_whole(g, b, last) : failed ? find_failed(g, b, status, last) : 0;
    if (found == 0) {
        gn_wrong(g, "node %u: the last word of buffer %u of channel %u is %llx, of no message",
                 node, b->number, b->channel, (unsigned long long)last);
        return false;
    }
    transaction = g->message[found - 1]->transaction;
    length = failed ? 0 : g->message[found - 1]->length;
    if (!failed || ++g->message[found - 1]->buffers == BUFFERS_MOST) {
        drop(g, found);
    }
    give_back(g, node, b, transaction, status, length);
    return true;
}

bool gn_take_buffer(struct golden_nic *g, unsigned node, uint64_t address, const uint8_t *data,
                    unsigned bytes)
{
    struct node *n = &g->node[node];

    for (size_t i = 0; i < n->buffers; i++) {
        struct buffer *b = &n->buffer[i];

        if (address >= b->is.address && address + bytes <= b->is.address + b->is.bytes) {
            return take_bytes(g, node, b, address, data, bytes);
        }
        if (address == b->is.descriptor + LAST_AT && bytes == 8) {
            return take_last(g, node, b, word_of(data));
        }
        if (address == b->is.descriptor + IMMEDIATE_AT && bytes == 8 && !b->said) {
            b->said = true;
            b->word = word_of(data);
            return true;
        }
    }
    return false;
}

void gn_follow_send_read(struct golden_nic *g, unsigned node, const struct wanted *w)
{
    struct message *m;

    if (w->channel != 0) {
        g->node[node].fetched[w->channel - 1]++;
        return;
    }
    m = g->message[w->message - 1];
    for (unsigned i = 0; m != NULL && i < w->bytes; i++) {
        m->data[w->at + i] = w->data[i];
        set(m->read, w->at + i);
    }
    if (m != NULL) {
        m->pieces--;
    }
}

/* ---- the end -------------------------------------------------------------------------------------- */

/* A buffer that a message has, as far as is seen: something is in it, or a later one is back already. */
static bool is_owed(const struct node *n, const struct buffer *b)
{
    return b->begun || b->said || b->number < n->last_returned[b->channel];
}

uint64_t gn_owed_buffers(const struct golden_nic *g, unsigned node)
{
    const struct node *n = &g->node[node];
    uint64_t owed = 0;

    for (size_t i = 0; i < n->buffers; i++) {
        owed += is_owed(n, &n->buffer[i]);
    }
    return owed;
}

void gn_free_messages(struct golden_nic *g)
{
    for (unsigned i = 0; i < g->messages; i++) {
        free(g->message[i]);
    }
    free(g->message);
    free(g->alive);
    for (unsigned node = 0; node < g->nodes; node++) {
        for (size_t i = 0; i < g->node[node].buffers; i++) {
            free(g->node[node].buffer[i].may);
        }
        free(g->node[node].buffer);
    }
}
