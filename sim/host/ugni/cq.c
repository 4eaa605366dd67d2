// SPDX-License-Identifier: Apache-2.0
/*
 * cq.c - completion queues: rings that the NIC writes and this process reads.
 *
 * Two indices go over a ring. `seen` frees what the transactions of its events had, as soon as anything needs that; `read` hands events
 * to the client.
 */
#include "sim/host/ugni/inside.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FORGOTTEN = 1 /* an event without source: it is told to nobody */, TAG_BITS = 30 };
enum { SOURCE_LOCAL_LAST = 4, LOOK_NS = 50000, CHECK_LOOKS = 1 << 14 };

static struct cq *queues;

/* ---- begin and end ----------------------------------------------------------------------------------------- */

static unsigned log2_of(uint32_t entries)
{
    unsigned log2 = QUEUE_LEAST_LOG2;
    while ((1u << log2) - 1 < entries && log2 < QUEUE_MOST_LOG2)
        log2++;
    return log2;
}

/* A ring of shared memory, and the queue over it. */
static gni_return_t open_queue(struct cq *q)
{
    const size_t bytes = sizeof(uint64_t) << q->log2;
    const uint64_t words[] = {q->job, q->log2};
    struct wire_answer a;
    const int file = memfd_create("heddle-queue", MFD_CLOEXEC);
    void *at = file >= 0 && ftruncate(file, (off_t)bytes) == 0
                   ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
    gni_return_t code = GNI_RC_ERROR_NOMEM;
    if (at != MAP_FAILED) {
        code = code_of(machine_ask(q->nic->way, WIRE_QUEUE, words, 2, file, &a));
        if (code == GNI_RC_SUCCESS) {
            q->ring = at;
            q->queue = (unsigned)a.word[0];
            q->page = a.word[1];
        } else
            munmap(at, bytes);
    }
    if (file >= 0)
        close(file);
    return code;
}

gni_return_t GNI_CqCreate(gni_nic_handle_t nic, uint32_t entries, uint32_t delay, uint32_t mode,
                          gni_cq_handler_t *handler, void *context, gni_cq_handle_t *cq)
{
    sigset_t signals;
    const uint32_t both = GNI_CQ_NOBLOCK | GNI_CQ_BLOCKING;
    if (cq == NULL || entries == 0 || entries >= 1u << QUEUE_MOST_LOG2 || (mode & both) == both ||
        delay > entries)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct nic *n = handle_get(KIND_NIC, nic);
    struct cq *q = calloc(1, sizeof *q);
    const uint64_t handle = q == NULL ? 0 : handle_new(KIND_CQ, q);
    gni_return_t code = n == NULL || n->cdm == NULL ? GNI_RC_INVALID_PARAM
                        : machine_forked()          ? GNI_RC_INVALID_STATE
                        : handle == 0               ? GNI_RC_ERROR_NOMEM
                                                    : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS) {
        *q = (struct cq){.nic = n,
                         .job = n->job,
                         .log2 = log2_of(entries),
                         .handler = handler,
                         .context = context};
        code = nic_settle(n);
        code = code == GNI_RC_SUCCESS ? open_queue(q) : code;
    }
    if (code == GNI_RC_SUCCESS) {
        n->queues++;
        q->next = queues;
        queues = q;
        *cq = HANDLE(gni_cq_handle_t, handle);
    } else {
        if (handle != 0)
            handle_drop(HANDLE(void *, handle));
        free(q);
    }
    ugni_unlock(&signals);
    return code;
}

static void unlink_queue(struct cq *q)
{
    struct cq **at = &queues;
    while (*at != q)
        at = &(*at)->next;
    *at = q->next;
}

gni_return_t GNI_CqDestroy(gni_cq_handle_t cq)
{
    sigset_t signals;
    struct wire_answer a;
    ugni_lock(&signals);
    struct cq *q = handle_get(KIND_CQ, cq);
    gni_return_t code = q == NULL          ? GNI_RC_INVALID_PARAM
                        : machine_forked() ? GNI_RC_INVALID_STATE
                        : q->users != 0    ? GNI_RC_ERROR_RESOURCE
                                           : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS) {
        const uint64_t words[] = {q->job, q->queue};
        cq_see_all();
        posts_of_queue_end(q);
        code = code_of(machine_ask(q->nic->way, WIRE_QUEUE_END, words, 2, -1, &a));
        unlink_queue(q);
        q->nic->queues--;
        munmap(wire_pointer((uintptr_t)q->ring), sizeof(uint64_t) << q->log2);
        handle_drop(cq);
        free(q);
    }
    ugni_unlock(&signals);
    return code;
}

/* ---- what is in the ring ------------------------------------------------------------------------------------- */

static uint64_t entry_at(const struct cq *q, uint32_t index)
{
    return atomic_load_explicit(&q->ring[index & ((1u << q->log2) - 1)], memory_order_acquire);
}

static bool is_local(uint64_t event)
{
    return event != FORGOTTEN && GNI_CQ_GET_SOURCE(event) <= SOURCE_LOCAL_LAST;
}

static bool is_of(uint64_t event, uint32_t tag)
{
    return !is_local(event) && !GNI_CQ_OVERRUN(event) &&
           GNI_CQ_GET_TYPE(event) == GNI_CQ_EVENT_TYPE_SMSG &&
           (event & ((1u << TAG_BITS) - 1)) == tag;
}

/* Of memory that the NIC has let go: all of its events are in the ring. */
void cq_forget(struct cq *q, uint32_t tag)
{
    for (uint32_t at = 0; q != NULL && at < 1u << q->log2; at++) {
        const uint64_t event = entry_at(q, q->read + at);
        if (event == 0)
            return;
        if (is_of(event, tag))
            atomic_store_explicit(&q->ring[(q->read + at) & ((1u << q->log2) - 1)], FORGOTTEN,
                                  memory_order_relaxed);
    }
}

static void see(struct cq *q)
{
    for (; q->seen - q->read < 1u << q->log2; q->seen++) {
        const uint64_t event = entry_at(q, q->seen);
        struct post *p = event == 0 || !is_local(event) ? NULL : post_of(event & 0xFFFFFF);
        if (event == 0)
            return;
        if (p != NULL)
            post_seen(p, event);
    }
}

void cq_see_all(void)
{
    for (struct cq *q = queues; q != NULL; q = q->next)
        see(q);
}

bool cq_has_room(const struct cq *q)
{
    return q->due + (q->read - q->told) + 2 <
           1u << q->log2; /* the NIC counts from what it was told */
}

/* The read index goes to the NIC now and then: before a quarter of the ring, or 16 entries, are unknown to it. */
static void tell_read(struct cq *q)
{
    const uint32_t often = 1u << q->log2 >> 2 < 16 ? 1u << q->log2 >> 2 : 16;
    const uint64_t read = q->read;
    if (q->read - q->told >= often) {
        machine_store(q->nic->way, q->page, &read, 8);
        q->told = q->read;
    }
}

/* The next entry's place is the NIC's again. */
static void drop(struct cq *q)
{
    see(q);
    atomic_store_explicit(&q->ring[q->read & ((1u << q->log2) - 1)], 0, memory_order_relaxed);
    q->read++;
    tell_read(q);
}

/* The next event that is told, 0: none. */
static uint64_t front(struct cq *q)
{
    while (entry_at(q, q->read) == FORGOTTEN)
        drop(q);
    return entry_at(q, q->read);
}

/* It is taken out of the ring. */
static uint64_t take(struct cq *q)
{
    const uint64_t event = front(q);
    if (event != 0)
        drop(q);
    return event;
}

/* What a client is told of an event; 0: nothing. */
static uint64_t told_of(struct cq *q, uint64_t event)
{
    const uint32_t number = event & 0xFFFFFF;
    struct post *p = is_local(event) ? post_of(number) : NULL;
    const uint64_t top = event & UINT64_C(0xFF00000000000000);
    if (!is_local(event))
        return GNI_CQ_GET_TYPE(event) == GNI_CQ_EVENT_TYPE_SMSG ? event >> TAG_BITS << TAG_BITS
                                                                : event;
    q->due -= q->due != 0;
    if (p == NULL || p->events == 0) { /* of an endpoint that has ended */
        if (p != NULL)
            post_free(number);
        return 0;
    }
    if (p->kind == POST_SMSG && GNI_CQ_GET_STATUS(event) != 0 &&
        smsg_again(number, p, (unsigned)GNI_CQ_GET_STATUS(event)))
        return 0;
    p->events = GNI_CQ_GET_STATUS(event) != 0 ? 0 : p->events - 1;
    if (p->ep != NULL && p->events == 0)
        p->ep->posts--;
    if (p->kind == POST_SMSG) {
        const uint64_t entry = top | (uint64_t)GNI_CQ_EVENT_TYPE_SMSG << 54 | p->msg_id;
        post_free(number);
        return entry;
    }
    p->untaken++;
    return top | (uint64_t)GNI_CQ_EVENT_TYPE_POST << 54 | number;
}

static gni_return_t get_event(struct cq *q, gni_cq_entry_t *entry)
{
    uint64_t event;
    do {
        event = take(q);
        *entry = event == 0 ? 0 : told_of(q, event);
    } while (event != 0 && *entry == 0);
    if (event == 0)
        return GNI_RC_NOT_DONE;
    return GNI_CQ_OVERRUN(event)     ? GNI_RC_ERROR_RESOURCE
           : GNI_CQ_STATUS_OK(event) ? GNI_RC_SUCCESS
                                     : GNI_RC_TRANSACTION_ERROR;
}

/* A client that finds nothing for long lets others, the machine first, have the processor. */
static void rest(unsigned empty)
{
    if (empty % EMPTY_LOOKS == 0)
        sched_yield();
    if (empty % CHECK_LOOKS == 0)
        machine_check();
}

gni_return_t GNI_CqGetEvent(gni_cq_handle_t cq, gni_cq_entry_t *entry)
{
    sigset_t signals;
    gni_cq_handler_t *handler = NULL;
    void *context = NULL;
    unsigned empty = 1;
    if (entry == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct cq *q = handle_get(KIND_CQ, cq);
    gni_return_t code = q == NULL          ? GNI_RC_INVALID_PARAM
                        : machine_forked() ? GNI_RC_INVALID_STATE
                                           : get_event(q, entry);
    if (code == GNI_RC_NOT_DONE)
        smsg_tell_late();
    if (q != NULL) {
        empty = q->empty = code == GNI_RC_NOT_DONE ? q->empty + 1 : 0;
        handler = code == GNI_RC_SUCCESS ? q->handler : NULL;
        context = q->context;
    }
    ugni_unlock(&signals);
    if (code == GNI_RC_NOT_DONE)
        rest(empty);
    if (handler != NULL)
        handler(entry, context);
    return code;
}

gni_return_t GNI_CqTestEvent(gni_cq_handle_t cq)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct cq *q = handle_get(KIND_CQ, cq);
    const gni_return_t code = q == NULL          ? GNI_RC_INVALID_PARAM
                              : machine_forked() ? GNI_RC_INVALID_STATE
                              : front(q) == 0    ? GNI_RC_NOT_DONE
                                                 : GNI_RC_SUCCESS;
    if (code == GNI_RC_NOT_DONE)
        smsg_tell_late();
    ugni_unlock(&signals);
    return code;
}

/* ---- waiting -------------------------------------------------------------------------------------------------- */

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

gni_return_t GNI_CqVectorMonitor(gni_cq_handle_t *cqs, uint32_t count, uint64_t timeout,
                                 uint32_t *which)
{
    const uint64_t begin = milliseconds();
    const struct timespec look = {.tv_nsec = LOOK_NS};
    if (cqs == NULL || count == 0 || which == NULL)
        return GNI_RC_INVALID_PARAM;
    for (unsigned n = 1;; n++) {
        for (uint32_t i = 0; i < count; i++) {
            const gni_return_t code = GNI_CqTestEvent(cqs[i]);
            *which = i;
            if (code != GNI_RC_NOT_DONE)
                return code;
        }
        if (timeout != UINT64_MAX && milliseconds() - begin >= timeout)
            return GNI_RC_TIMEOUT;
        if (n % 1024 == 0)
            machine_check();
        nanosleep(&look, NULL);
    }
}

gni_return_t GNI_CqWaitEvent(gni_cq_handle_t cq, uint64_t timeout, gni_cq_entry_t *entry)
{
    uint32_t which = 0;
    if (entry == NULL)
        return GNI_RC_INVALID_PARAM;
    const gni_return_t code = GNI_CqVectorMonitor(&cq, 1, timeout, &which);
    return code == GNI_RC_SUCCESS ? GNI_CqGetEvent(cq, entry) : code;
}

/* ---- completions -------------------------------------------------------------------------------------------------- */

gni_return_t GNI_GetCompleted(gni_cq_handle_t cq, gni_cq_entry_t entry,
                              gni_post_descriptor_t **descriptor)
{
    sigset_t signals;
    gni_return_t code = GNI_RC_INVALID_PARAM;
    if (descriptor == NULL)
        return code;
    ugni_lock(&signals);
    const struct cq *q = handle_get(KIND_CQ, cq);
    struct post *p = post_of(GNI_CQ_GET_TID(entry));
    if (machine_forked())
        code = GNI_RC_INVALID_STATE;
    else if (q != NULL && (!is_local(entry) || GNI_CQ_GET_TYPE(entry) != GNI_CQ_EVENT_TYPE_POST))
        code = GNI_RC_DESCRIPTOR_ERROR;
    else if (q != NULL && p != NULL && p->kind == POST_CLIENT && p->untaken != 0 && p->cq == q) {
        code = GNI_CQ_STATUS_OK(entry) ? GNI_RC_SUCCESS : GNI_RC_TRANSACTION_ERROR;
        *descriptor = p->client;
        p->client->status = code;
        p->client->cq_mode_complete =
            GNI_CQ_GET_SOURCE(entry) == 1 ? GNI_CQMODE_LOCAL_EVENT : GNI_CQMODE_GLOBAL_EVENT;
        if (--p->untaken == 0 && p->events == 0)
            post_free(GNI_CQ_GET_TID(entry));
    }
    ugni_unlock(&signals);
    return code;
}
