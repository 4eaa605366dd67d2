// SPDX-License-Identifier: Apache-2.0
/*
 * rdma.c - block transfers of a program, cut into pieces and sent through a descriptor of the driver's with the program's ptag.
 *
 * Pieces go as transactions whose events come to a queue of the driver's. Behind the last one an empty transaction brings the program its
 * event; behind one that failed three times a transaction that must fail, so that the event says so.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/host/fma.h"
#include "sim/host/machined/machine.h"

enum {
    PIECE_LINES = 7, /* requests of a piece: of odd begin one more */
    PIECES = 3,      /* under way */
    TRIES = 3,
    RING_LOG2 = 6,
    BOUNCE = 512 /* bytes of a piece that comes to an odd address */
};

struct transfer {
    struct wire_request post;
    uint64_t done; /* bytes that pieces were made of */
    bool failed;
    struct transfer *next;
};

struct piece {
    bool busy;
    uint64_t at, bytes; /* of the transfer */
    unsigned tries;
};

struct rdma {
    struct fma fma;
    struct ring_memory *ring, *bounce;
    unsigned bounce_mdh;
    uint32_t read;
    struct piece piece[PIECES];
    struct transfer *first, **last;
};

/* Words of a WIRE_RDMA request. */
static uint64_t wants(const struct transfer *t)
{
    return t->post.word[1] & 0xFF;
}
static unsigned fence_mode(const struct transfer *t)
{
    return (unsigned)(t->post.word[1] >> 8 & 7);
}
static unsigned queue(const struct transfer *t)
{
    return (unsigned)(t->post.word[1] >> 16 & 0xFFFF);
}
static uint32_t node(const struct transfer *t)
{
    return (uint32_t)(t->post.word[1] >> 32);
}
static unsigned local_mdh(const struct transfer *t)
{
    return (unsigned)(t->post.word[2] >> 12 & 0xFFF);
}
static unsigned mdh(const struct transfer *t)
{
    return (unsigned)(t->post.word[2] & 0xFFF);
}
static uint64_t local_at(const struct transfer *t)
{
    return t->post.word[3];
}
static uint64_t remote_at(const struct transfer *t)
{
    return t->post.word[4];
}
static uint64_t all(const struct transfer *t)
{
    return t->post.word[5];
}
static bool is_put(const struct transfer *t)
{
    return (wants(t) & WIRE_RDMA_PUT) != 0;
}

static struct rdma *rdma_new(struct job *j)
{
    struct program *p = j->program;
    struct machine *m = p->machine;
    struct drv *d = m->node[p->node].driver;
    const struct nic_host host = chips_host(m->chips, p->node);
    const struct drv_descriptor want = {.transactions = MACHINE_RDMA_TRANSACTIONS,
                                        .requests = MACHINE_RDMA_REQUESTS,
                                        .flags = true};
    enum wire_result result;
    unsigned name = 0;
    struct rdma *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->last = &r->first;
    r->ring = ring_new(j, RING_LOG2, -1, &result);
    if (r->ring != NULL)
        m->node[p->node].cq[r->ring->queue] = NULL; /* not the program's to touch */
    r->bounce = bounce_new(j, (uint64_t)BOUNCE * PIECES, &r->bounce_mdh);
    if (r->ring == NULL || r->bounce == NULL ||
        drv_descriptor(j->process, &want, &name) != DRV_OK) {
        free(r);
        return NULL;
    }
    r->fma = (struct fma){drv_page(d, name), drv_put_window(d, name), drv_get_window(d, name),
                          host.context, host.store};
    return r;
}

/* The process's memory that a local handle and offset name. */
static bool local_access(struct job *j, const struct transfer *t, uint64_t at, void *data,
                         unsigned bytes, bool write)
{
    uint64_t place = 0, length = 0;
    return drv_segment_place(j->process, local_mdh(t), &place, &length) == DRV_OK &&
           memory_access(j->program->machine, j->program->node, place + local_at(t) + at, data,
                         bytes, write);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

static bool is_odd(const struct transfer *t)
{
    return !is_put(t) && local_at(t) % 4 != 0;
}

static struct fma_target target(const struct rdma *r, const struct transfer *t)
{
    return (struct fma_target){.node = node(t),
                               .mdh = mdh(t),
                               .local_mdh = is_odd(t) ? r->bounce_mdh : local_mdh(t),
                               .queue = r->ring->queue,
                               .mode = fence_mode(t)};
}

static void send_piece(struct job *j, struct transfer *t, unsigned i)
{
    struct rdma *r = j->rdma;
    struct piece *p = &r->piece[i];
    const struct fma_target to = target(r, t);
    const uint64_t remote = remote_at(t) + p->at, base = remote / FMA_LINE * FMA_LINE;
    uint8_t data[(PIECE_LINES + 1) * FMA_LINE];
    p->tries++;
    if (is_put(t) && !local_access(j, t, p->at, data, (unsigned)p->bytes, false)) {
        t->failed = true;
        p->busy = false;
        return;
    }
    fma_open(&r->fma, &to, base);
    if (is_put(t))
        fma_write(&r->fma, remote - base, data, p->bytes);
    else
        fma_read(&r->fma, remote - base, is_odd(t) ? (uint64_t)BOUNCE * i : local_at(t) + p->at,
                 p->bytes);
    fma_close(&r->fma, FMA_GLOBAL_EVENT, i);
}

static bool pieces_busy(const struct rdma *r)
{
    bool busy = false;
    for (unsigned i = 0; i < PIECES; i++)
        busy |= r->piece[i].busy;
    return busy;
}

/* The next piece: up to the end of a line. */
static void next_piece(struct job *j, struct transfer *t, unsigned i)
{
    const uint64_t left = all(t) - t->done, odd = (remote_at(t) + t->done) % FMA_LINE;
    const uint64_t most = (uint64_t)PIECE_LINES * FMA_LINE - odd;
    j->rdma->piece[i] =
        (struct piece){.busy = true, .at = t->done, .bytes = left < most ? left : most};
    t->done += j->rdma->piece[i].bytes;
    send_piece(j, t, i);
}

/* The event of a piece. */
static void piece_over(struct job *j, struct transfer *t, uint64_t event)
{
    struct rdma *r = j->rdma;
    struct piece *p = &r->piece[event & 0xFF];
    const bool good = (event >> 59 & 15) == 0;
    if (!good && p->tries < TRIES && !t->failed) {
        send_piece(j, t, (unsigned)(event & 0xFF));
        return;
    }
    t->failed |= !good;
    p->busy = false;
    if (good && is_odd(t))
        t->failed |= !local_access(j, t, p->at, r->bounce->at + BOUNCE * (event & 0xFF),
                                   (unsigned)p->bytes, true);
}

static void read_events(struct job *j, struct transfer *t)
{
    struct rdma *r = j->rdma;
    const struct nic_host host = chips_host(j->program->machine->chips, j->program->node);
    uint64_t *entries = (uint64_t *)(void *)r->ring->at;
    for (;;) {
        uint64_t *entry = &entries[r->read % (1u << RING_LOG2)];
        const uint64_t event = *entry;
        if (event == 0)
            return;
        *entry = 0;
        const uint64_t read = ++r->read;
        host.store(
            host.context,
            drv_queue_page(j->program->machine->node[j->program->node].driver, r->ring->queue),
            &read, 8);
        piece_over(j, t, event);
    }
}

/* ---- the end of a transfer ------------------------------------------------------------------------------ */

/* Behind all pieces. What failed ends as an access to what no segment has. */
static void finish(struct job *j, struct transfer *t)
{
    struct rdma *r = j->rdma;
    struct fma_target to = target(r, t);
    const uint64_t doomed = (UINT64_C(1) << 39), zero = 0;
    to.queue = queue(t);
    fma_open(&r->fma, &to, t->failed ? doomed : 0);
    if (t->failed)
        fma_write(&r->fma, 0, &zero, 8);
    else if (wants(t) & WIRE_RDMA_REMOTE)
        fma_event(&r->fma, t->post.word[7]);
    fma_close(&r->fma,
              (wants(t) & WIRE_RDMA_LOCAL ? FMA_LOCAL_EVENT : 0) |
                  (wants(t) & WIRE_RDMA_GLOBAL ? FMA_GLOBAL_EVENT : 0),
              t->post.word[6]);
}

bool rdma_step(struct job *j)
{
    struct rdma *r = j->rdma;
    struct transfer *t = r == NULL ? NULL : r->first;
    if (t == NULL)
        return false;
    read_events(j, t);
    for (unsigned i = 0; i < PIECES && !t->failed && t->done != all(t); i++)
        if (!r->piece[i].busy)
            next_piece(j, t, i);
    if ((t->failed || t->done == all(t)) && !pieces_busy(r)) {
        finish(j, t);
        r->first = t->next;
        r->last = r->first == NULL ? &r->first : r->last;
        free(t);
    }
    return true;
}

void rdma_post(struct job *j, const struct wire_request *post, struct wire_answer *a)
{
    uint64_t place = 0, bytes = 0;
    struct transfer *t = calloc(1, sizeof *t);
    if (t == NULL || (j->rdma == NULL && (j->rdma = rdma_new(j)) == NULL)) {
        free(t);
        a->result = WIRE_FULL;
        return;
    }
    t->post = *post;
    if (drv_segment_place(j->process, local_mdh(t), &place, &bytes) != DRV_OK ||
        local_at(t) > bytes || bytes - local_at(t) < all(t) || queue(t) >= MACHINE_CQS ||
        j->program->machine->node[j->program->node].cq[queue(t)] != j->program) {
        free(t);
        a->result = WIRE_WRONG;
        return;
    }
    *j->rdma->last = t;
    j->rdma->last = &t->next;
}

void rdma_end(struct job *j)
{
    struct rdma *r = j->rdma;
    while (r != NULL && r->first != NULL) {
        struct transfer *t = r->first;
        r->first = t->next;
        free(t);
    }
    free(r);
    j->rdma = NULL;
}
