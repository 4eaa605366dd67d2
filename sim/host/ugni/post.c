// SPDX-License-Identifier: Apache-2.0
/*
 * post.c - posts: puts, gets and atomic operations through the windows of a descriptor, block transfers, events.
 */
#include "sim/host/ugni/inside.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_LOCAL = 1 /* of a transaction's local event */ };
enum { FLAG_BYTES = 4 /* of a flag that the NIC writes behind what comes back */ };
enum { POSTS_FIRST = 1024, POSTS_MOST = 1 << 20, AMO_NO_FETCH = 0x100, AMO_SHORT = 0x200 };

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static struct post *posts;
static uint32_t posts_room, next_post;

static bool grow(void)
{
    const uint32_t more = posts_room == 0 ? POSTS_FIRST : 2 * posts_room;
    struct post *larger = more > POSTS_MOST ? NULL : realloc(posts, more * sizeof *posts);
    if (larger == NULL)
        return false;
    memset(larger + posts_room, 0, (more - posts_room) * sizeof *posts);
    next_post = posts_room;
    posts = larger;
    posts_room = more;
    return true;
}

/* In turn, so that a number is not used again soon. */
static uint32_t free_number(void)
{
    for (uint32_t n = 0; n < posts_room; n++) {
        const uint32_t at = (next_post + n) % posts_room;
        if (posts[at].kind == POST_FREE) {
            next_post = at + 1;
            return at;
        }
    }
    return grow() ? next_post++ : UINT32_MAX;
}

struct post *post_of(uint32_t number)
{
    return number < posts_room && posts[number].kind != POST_FREE ? &posts[number] : NULL;
}

void post_free(uint32_t number)
{
    posts[number] = (struct post){0};
}

void posts_of_endpoint_end(const struct ep *e)
{
    for (uint32_t i = 0; i < posts_room; i++)
        if (posts[i].ep == e) {
            posts[i].ep = NULL;
            posts[i].events = 0;
        }
}

static void add_silent(struct descriptor *d, unsigned requests)
{
    d->silent++;
    d->silent_requests += requests;
    if (requests > d->silent_most)
        d->silent_most = requests;
}

static void over(struct post *p)
{
    p->seen = 1;
    p->descriptor->flight--;
    p->descriptor->requests -= p->requests;
}

/* Nothing will tell its end. */
static void leave(struct post *p)
{
    add_silent(p->descriptor, p->requests);
    over(p);
}

void post_seen(struct post *p, uint64_t event)
{
    if (p->seen)
        return;
    if (GNI_CQ_GET_SOURCE(event) != SOURCE_LOCAL)
        over(p);
    else if (p->local_only)
        leave(p);
}

void posts_of_queue_end(const struct cq *q)
{
    for (uint32_t i = 0; i < posts_room; i++)
        if (posts[i].cq == q && posts[i].kind != POST_FREE) {
            if (!posts[i].seen)
                leave(&posts[i]);
            post_free(i);
        }
}

/* ---- what a descriptor may have in flight ------------------------------------------------------------------------ */

/*
 * Of transactions whose end nothing tells it is only known that no more of them are in flight than the NIC has of all: which of those
 * it has are others, whose events come, nobody knows.
 */
static void look_at_status(struct descriptor *d)
{
    const uint64_t word = fma_status(&d->fma);
    struct wire_answer a;
    if (machine_ask(d->fma.context, WIRE_LOAD, &word, 1, -1, &a) != WIRE_OK)
        return;
    const unsigned flight = a.word[0] & 0x1FF;
    if (d->silent > flight)
        d->silent = flight;
    if (d->silent_requests > d->silent * d->silent_most)
        d->silent_requests = d->silent * d->silent_most;
}

static bool is_over(unsigned transactions, unsigned requests)
{
    return transactions >= machine_transactions() || requests > machine_requests();
}

static bool is_full(const struct descriptor *d, unsigned requests)
{
    return is_over(d->flight + d->silent, d->requests + d->silent_requests + requests);
}

static bool make_room(struct descriptor *d, unsigned requests)
{
    if (is_full(d, requests))
        cq_see_all();
    /* the NIC is asked only where silent ones are in the way: clients try again and again */
    if (is_full(d, requests) && !is_over(d->flight, d->requests + requests))
        look_at_status(d);
    return !is_full(d, requests);
}

bool post_silent(struct descriptor *d, unsigned requests)
{
    if (!make_room(d, requests))
        return false;
    add_silent(d, requests);
    return true;
}

bool post_new(struct descriptor *d, unsigned requests, uint32_t *number, struct post **post)
{
    if (!make_room(d, requests))
        return false;
    *number = free_number();
    if (*number == UINT32_MAX)
        return false;
    *post = &posts[*number];
    **post = (struct post){.kind = POST_CLIENT, .descriptor = d, .requests = requests};
    d->flight++;
    d->requests += requests;
    return true;
}

/* What is in flight ends, well or by a timeout. */
void post_again(struct post *p)
{
    while (!make_room(p->descriptor, p->requests)) {
        sched_yield();
        machine_check();
    }
    p->seen = 0;
    p->descriptor->flight++;
    p->descriptor->requests += p->requests;
}

/* ---- a post -------------------------------------------------------------------------------------------------------- */

/* An event at the target: {type 2, inst id 24, message 30}. */
static uint64_t remote_event(const struct ep *e, unsigned type)
{
    const uint32_t inst = e->has_data ? e->remote_data : e->nic->cdm->inst;
    return (uint64_t)type << 54 | (uint64_t)(inst & 0xFFFFFF) << 30;
}

static unsigned events_wanted(const gni_post_descriptor_t *d)
{
    return (unsigned)((d->cq_mode & GNI_CQMODE_LOCAL_EVENT) != 0) +
           (unsigned)((d->cq_mode & GNI_CQMODE_GLOBAL_EVENT) != 0);
}

struct request {
    struct ep *ep;
    gni_post_descriptor_t *d;
    struct cq *cq;
    uint64_t offset, local_offset;
    unsigned requests;
};

static gni_return_t check_modes(struct request *r, bool rdma)
{
    const gni_post_descriptor_t *d = r->d;
    const unsigned all = GNI_CQMODE_LOCAL_EVENT | GNI_CQMODE_GLOBAL_EVENT | GNI_CQMODE_REMOTE_EVENT;
    r->cq = r->ep->cq;
    if (rdma && d->src_cq_hndl != NULL)
        r->cq = handle_get(KIND_CQ, d->src_cq_hndl);
    if (!r->ep->bound || (d->cq_mode & ~all) != 0 || d->dlvr_mode > GNI_DLVMODE_IN_ORDER)
        return GNI_RC_INVALID_PARAM;
    if (r->cq == NULL && (events_wanted(d) != 0 || (rdma && d->src_cq_hndl != NULL)))
        return GNI_RC_INVALID_PARAM;
    return GNI_RC_SUCCESS;
}

static gni_return_t check_remote(struct request *r, uint64_t bytes)
{
    return mem_offset(&r->d->remote_mem_hndl, r->d->remote_addr, bytes, &r->offset)
               ? GNI_RC_SUCCESS
               : GNI_RC_INVALID_PARAM;
}

static gni_return_t check_local(struct request *r, uint64_t bytes, bool write)
{
    const gni_return_t code = mem_local(&r->d->local_mem_hndl, r->d->local_addr, bytes, write);
    if (code == GNI_RC_SUCCESS)
        mem_offset(&r->d->local_mem_hndl, r->d->local_addr, 0, &r->local_offset);
    return code;
}

/* The transaction's number, or none if it brings no event; NOT: nothing is left. */
static gni_return_t number_of(const struct request *r, uint32_t *number)
{
    struct descriptor *d = r->ep->nic->descriptor;
    struct post *p;
    const unsigned events = events_wanted(r->d);
    *number = 0;
    if (events == 0)
        return post_silent(d, r->requests) ? GNI_RC_SUCCESS : GNI_RC_ERROR_RESOURCE;
    if (!cq_has_room(r->cq) || !post_new(d, r->requests, number, &p))
        return GNI_RC_ERROR_RESOURCE;
    p->events = events;
    p->local_only = (r->d->cq_mode & GNI_CQMODE_GLOBAL_EVENT) == 0;
    p->ep = r->ep;
    p->cq = r->cq;
    p->client = r->d;
    r->cq->due += events;
    r->ep->posts++;
    return GNI_RC_SUCCESS;
}

static struct fma_target target_of(const struct request *r, unsigned command)
{
    const gni_post_descriptor_t *d = r->d;
    return (struct fma_target){.node = ep_node(r->ep),
                               .mdh = mem_mdh(&d->remote_mem_hndl),
                               .local_mdh = mem_mdh(&d->local_mem_hndl),
                               .queue = r->cq == NULL ? 0 : r->cq->queue,
                               .mode = d->dlvr_mode,
                               .command = command,
                               .counted = (d->cq_mode & GNI_CQMODE_REMOTE_EVENT) != 0 ||
                                          d->type == GNI_POST_FMA_PUT_W_SYNCFLAG};
}

/* wants: besides the events of its mode. */
static void close_post(const struct request *r, unsigned wants, uint32_t number)
{
    const struct fma *f = &r->ep->nic->descriptor->fma;
    if (r->d->cq_mode & GNI_CQMODE_REMOTE_EVENT)
        fma_target_event(f, remote_event(r->ep, GNI_CQ_EVENT_TYPE_POST));
    fma_close(f, r->d->cq_mode | wants, number);
}

_Static_assert((int)GNI_CQMODE_LOCAL_EVENT == (int)FMA_LOCAL_EVENT &&
                   (int)GNI_CQMODE_GLOBAL_EVENT == (int)FMA_GLOBAL_EVENT &&
                   (int)GNI_CQMODE_REMOTE_EVENT == (int)FMA_TARGET_EVENT,
               "modes are the bits of CLOSE");

/* ---- puts and gets -------------------------------------------------------------------------------------------------- */

static uint64_t line_of(uint64_t offset)
{
    return offset / FMA_LINE * FMA_LINE;
}

static gni_return_t put(struct request *r)
{
    gni_post_descriptor_t *d = r->d;
    const struct fma *f = &r->ep->nic->descriptor->fma;
    const bool flag = d->type == GNI_POST_FMA_PUT_W_SYNCFLAG;
    const uint64_t base = line_of(r->offset);
    uint64_t flag_at = 0;
    uint32_t number;
    if (d->local_addr == 0 || d->length == 0 || d->length > FMA_MOST)
        return GNI_RC_INVALID_PARAM;
    if (flag && !mem_offset(&d->remote_mem_hndl, d->sync_flag_addr, 8, &flag_at))
        return GNI_RC_INVALID_PARAM;
    if (flag && flag_at % 8 != 0)
        return GNI_RC_ALIGNMENT_ERROR;
    r->requests = fma_requests(r->offset, d->length);
    const gni_return_t code = number_of(r, &number);
    if (code != GNI_RC_SUCCESS)
        return code;
    const struct fma_target to = target_of(r, FMA_PUT);
    fma_open(f, &to, base);
    fma_write(f, r->offset - base, wire_pointer(d->local_addr), d->length);
    if (flag)
        fma_target_flag(f, flag_at, d->sync_flag_value);
    close_post(r, flag ? FMA_TARGET_FLAG : 0, number);
    r->ep->nic->stat[GNI_STAT_FMA_PUTS]++;
    return GNI_RC_SUCCESS;
}

/* With a flag: one request, behind whose data the NIC writes four bytes. */
static gni_return_t get(struct request *r)
{
    gni_post_descriptor_t *d = r->d;
    const bool flag = d->type == GNI_POST_FMA_GET_W_FLAG;
    const struct fma *f = &r->ep->nic->descriptor->fma;
    const uint64_t base = line_of(r->offset);
    uint32_t number;
    if (d->length == 0 || d->length > FMA_MOST)
        return GNI_RC_INVALID_PARAM;
    if (d->length % 4 != 0 || d->remote_addr % 4 != 0 || d->local_addr % 4 != 0)
        return GNI_RC_ALIGNMENT_ERROR;
    gni_return_t code = check_local(r, d->length + (flag ? FLAG_BYTES : 0), true);
    r->requests = fma_requests(r->offset, d->length);
    if (flag && (r->requests != 1 || d->length == FMA_LINE))
        return GNI_RC_SIZE_ERROR;
    code = code == GNI_RC_SUCCESS ? number_of(r, &number) : code;
    if (code != GNI_RC_SUCCESS)
        return code;
    const struct fma_target to = target_of(r, FMA_PUT);
    fma_open(f, &to, base);
    if (flag)
        fma_read_flagged(f, r->offset - base, r->local_offset, d->length);
    else
        fma_read(f, r->offset - base, r->local_offset, d->length);
    close_post(r, 0, number);
    r->ep->nic->stat[GNI_STAT_FMA_GETS]++;
    return GNI_RC_SUCCESS;
}

/* ---- atomic operations -------------------------------------------------------------------------------------------------- */

static bool is_double(unsigned opcode)
{
    return (opcode & 0x6E) == 0x0C || (opcode & 0x5C) == 0x48;
}

static bool is_opcode(unsigned command)
{
    const unsigned opcode = command & 0x7F, low = opcode >> 1 & 15;
    const bool second = (opcode & 0x40) != 0, fetch = (command & AMO_NO_FETCH) == 0;
    const bool first_known = (opcode & 0x68) == 8 && (opcode & 7) <= (fetch ? 5u : 4u);
    const bool second_known = (low & 8) != 0 ? (low & 3) != 3 : (low & 7) <= 5;
    const bool wide = !second || (opcode & 1) != 0;
    return (command & ~0x37Fu) == 0 && wide == ((command & AMO_SHORT) == 0) &&
           (second ? second_known : first_known);
}

static gni_return_t amo(struct request *r)
{
    gni_post_descriptor_t *d = r->d;
    const struct fma *f = &r->ep->nic->descriptor->fma;
    const unsigned command = (unsigned)d->amo_cmd, opcode = command & 0x7F;
    const bool fetch = (command & AMO_NO_FETCH) == 0, flag = d->type == GNI_POST_AMO_W_FLAG;
    const uint64_t size = (command & AMO_SHORT) != 0 ? 4 : 8,
                   operands[2] = {d->first_operand, d->second_operand};
    uint32_t number;
    if (!is_opcode(command) || (flag && !fetch)) /* a flag stands behind what comes back */
        return GNI_RC_ILLEGAL_OP;
    if (d->length != size)
        return GNI_RC_INVALID_PARAM;
    if (d->remote_addr % size != 0 || (fetch && d->local_addr % size != 0))
        return GNI_RC_ALIGNMENT_ERROR;
    gni_return_t code =
        fetch ? check_local(r, size + (flag ? FLAG_BYTES : 0), true) : GNI_RC_SUCCESS;
    r->requests = 1;
    code = code == GNI_RC_SUCCESS ? number_of(r, &number) : code;
    if (code != GNI_RC_SUCCESS)
        return code;
    const struct fma_target to = target_of(r, fetch ? FMA_PUT : opcode);
    fma_open(f, &to, r->offset);
    if (fetch) {
        fma_operands(f, operands[0], operands[1]);
        fma_fetch(f, 0, r->local_offset, opcode, flag);
    } else
        fma_write(f, 0, operands, is_double(opcode) ? 16 : 8);
    close_post(r, 0, number);
    r->ep->nic->stat[GNI_STAT_FMA_AMOS]++;
    return GNI_RC_SUCCESS;
}

/* ---- calls -------------------------------------------------------------------------------------------------------------- */

static gni_return_t post_fma(struct request *r)
{
    const bool atomic = r->d->type == GNI_POST_AMO || r->d->type == GNI_POST_AMO_W_FLAG;
    const uint64_t bytes = atomic ? 4 : r->d->length;
    gni_return_t code = check_modes(r, false);
    code = code == GNI_RC_SUCCESS ? check_remote(r, bytes) : code;
    if (code != GNI_RC_SUCCESS)
        return code;
    switch (r->d->type) {
    case GNI_POST_FMA_PUT:
    case GNI_POST_FMA_PUT_W_SYNCFLAG:
        return put(r);
    case GNI_POST_FMA_GET:
    case GNI_POST_FMA_GET_W_FLAG:
        return get(r);
    case GNI_POST_AMO:
    case GNI_POST_AMO_W_FLAG:
        return amo(r);
    default:
        return GNI_RC_ILLEGAL_OP;
    }
}

static gni_return_t post_rdma(struct request *r)
{
    gni_post_descriptor_t *d = r->d;
    const bool is_put = d->type == GNI_POST_RDMA_PUT;
    uint32_t number = 0;
    gni_return_t code = check_modes(r, true);
    if (code == GNI_RC_SUCCESS && !is_put && d->type != GNI_POST_RDMA_GET)
        code = GNI_RC_ILLEGAL_OP;
    if (code == GNI_RC_SUCCESS && (d->length == 0 || d->length >> RDMA_MOST_LOG2 != 0))
        code = d->length == 0 ? GNI_RC_INVALID_PARAM : GNI_RC_SIZE_ERROR;
    if (code == GNI_RC_SUCCESS && !is_put && (d->remote_addr % 4 != 0 || d->length % 4 != 0))
        code = GNI_RC_ALIGNMENT_ERROR;
    code = code == GNI_RC_SUCCESS ? check_remote(r, d->length) : code;
    code = code == GNI_RC_SUCCESS ? check_local(r, d->length, !is_put) : code;
    if (code == GNI_RC_SUCCESS && events_wanted(d) != 0) {
        struct post *p;
        struct descriptor none = {0}; /* the transfer is the driver's, not this descriptor's */
        if (!cq_has_room(r->cq) || !post_new(&none, 0, &number, &p))
            return GNI_RC_ERROR_RESOURCE;
        *p = (struct post){.kind = POST_CLIENT,
                           .seen = 1,
                           .events = events_wanted(d),
                           .ep = r->ep,
                           .cq = r->cq,
                           .client = d};
        r->cq->due += p->events;
        r->ep->posts++;
    }
    if (code != GNI_RC_SUCCESS)
        return code;
    const uint64_t flags = (is_put ? WIRE_RDMA_PUT : 0) |
                           (d->cq_mode & GNI_CQMODE_LOCAL_EVENT ? WIRE_RDMA_LOCAL : 0) |
                           (d->cq_mode & GNI_CQMODE_GLOBAL_EVENT ? WIRE_RDMA_GLOBAL : 0) |
                           (d->cq_mode & GNI_CQMODE_REMOTE_EVENT ? WIRE_RDMA_REMOTE : 0) |
                           (d->rdma_mode & GNI_RDMAMODE_FENCE ? WIRE_RDMA_FENCE : 0);
    const uint64_t words[] = {
        r->ep->nic->job,
        flags | (uint64_t)d->dlvr_mode << 8 | (uint64_t)(r->cq == NULL ? 0 : r->cq->queue) << 16 |
            (uint64_t)ep_node(r->ep) << 32,
        (uint64_t)mem_mdh(&d->local_mem_hndl) << 12 | mem_mdh(&d->remote_mem_hndl),
        r->local_offset,
        r->offset,
        d->length,
        number,
        remote_event(r->ep, GNI_CQ_EVENT_TYPE_POST)};
    struct wire_answer a;
    code = code_of(machine_ask(r->ep->nic->way, WIRE_RDMA, words, WIRE_WORDS, -1, &a));
    if (code == GNI_RC_SUCCESS)
        r->ep->nic->stat[is_put ? GNI_STAT_RDMA_PUTS : GNI_STAT_RDMA_GETS]++;
    else if (events_wanted(d) != 0) {
        r->cq->due -= events_wanted(d);
        r->ep->posts--;
        post_free(number);
    }
    return code;
}

static gni_return_t post_cqwrite(struct request *r)
{
    const struct fma *f = &r->ep->nic->descriptor->fma;
    uint32_t number;
    gni_return_t code = check_modes(r, true);
    if (code == GNI_RC_SUCCESS && r->d->type != GNI_POST_CQWRITE)
        code = GNI_RC_ILLEGAL_OP;
    if (code == GNI_RC_SUCCESS && !mem_is_handle(&r->d->remote_mem_hndl))
        code = GNI_RC_INVALID_PARAM;
    r->requests = 1;
    code = code == GNI_RC_SUCCESS ? number_of(r, &number) : code;
    if (code != GNI_RC_SUCCESS)
        return code;
    const struct fma_target to = target_of(r, FMA_PUT);
    fma_open(f, &to, 0);
    fma_event(f, r->d->cqwrite_value & ((UINT64_C(1) << 48) - 1));
    fma_close(f, r->d->cq_mode & (GNI_CQMODE_LOCAL_EVENT | GNI_CQMODE_GLOBAL_EVENT), number);
    return GNI_RC_SUCCESS;
}

static gni_return_t post_with(gni_ep_handle_t ep, gni_post_descriptor_t *d,
                              gni_return_t (*post)(struct request *r))
{
    sigset_t signals;
    if (d == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct request r = {.ep = handle_get(KIND_EP, ep), .d = d};
    const gni_return_t code = r.ep == NULL       ? GNI_RC_INVALID_PARAM
                              : machine_forked() ? GNI_RC_INVALID_STATE
                                                 : post(&r);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_PostFma(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor)
{
    return post_with(ep, descriptor, post_fma);
}

gni_return_t GNI_PostRdma(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor)
{
    return post_with(ep, descriptor, post_rdma);
}

gni_return_t GNI_PostCqWrite(gni_ep_handle_t ep, gni_post_descriptor_t *descriptor)
{
    return post_with(ep, descriptor, post_cqwrite);
}
