// SPDX-License-Identifier: Apache-2.0
/*
 * programs.c - programs attach, store, ask, and die.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/host/machined/machine.h"

enum { STATUS = 0x80, STATUS_ERRORS = 10, STATUS_DROPPED = 16 }; /* of a descriptor's page */

struct program *program_of(struct machine *m, const void *process)
{
    for (unsigned i = 0; i < m->programs; i++)
        for (unsigned k = 0; k < m->program[i]->jobs; k++)
            if (m->program[i]->job[k].process == process)
                return m->program[i];
    return NULL;
}

/* ---- messages ----------------------------------------------------------------------------------------- */

/* An answer, and up to two descriptors of files. */
static void send_answer(int socket, const struct wire_answer *a, const int *file, unsigned files)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {wire_pointer((uintptr_t)a), sizeof *a};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (files != 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(files * sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(files * sizeof(int));
        memcpy(CMSG_DATA(&control.header), file, files * sizeof(int));
    }
    (void)!sendmsg(socket, &message, MSG_NOSIGNAL);
}

/* A whole request; 0 at the end of the socket. *file: what came with it, or -1. */
static ssize_t receive(int socket, struct wire_request *r, int *file)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {r, sizeof *r};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    *file = -1;
    for (struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL; c != NULL;
         c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            memcpy(file, CMSG_DATA(c), sizeof *file);
    return got;
}

/* ---- begin ---------------------------------------------------------------------------------------------- */

static struct program *new_program(struct machine *m, int socket, pid_t pid, unsigned node)
{
    struct program *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (struct program){.machine = m, .socket = socket, .pid = pid, .node = node};
    p->process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (p->process < 0) {
        free(p);
        return NULL;
    }
    m->program[m->programs++] = p;
    return p;
}

/* The memory that both share, and its file. */
static int share(struct program *p)
{
    const int file = memfd_create("heddle-stores", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, sizeof *p->shared) != 0)
        return file;
    void *at = mmap(NULL, sizeof *p->shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    p->shared = at == MAP_FAILED ? NULL : at;
    return file;
}

/* Programs with several nodes are few; all others need not ask where a domain is. */
static void tell_spread(const struct machine *m)
{
    uint32_t spread = 0;
    for (unsigned i = 0; i < m->programs; i++)
        spread += m->program[i]->address != chips_address(m->chips, m->program[i]->node);
    for (unsigned i = 0; i < m->programs; i++)
        if (m->program[i]->shared != NULL)
            atomic_store(&m->program[i]->shared->spread, spread);
}

/* The process is known by this address, from its first node. */
static bool has_address(const struct machine *m, pid_t pid, uint64_t address)
{
    bool any = false;
    for (unsigned i = 0; i < m->programs; i++)
        any |= m->program[i]->pid == pid && m->program[i]->address == address;
    return any;
}

static enum wire_result hello(struct machine *m, int socket, const struct wire_request *r,
                              struct wire_answer *a)
{
    struct ucred who;
    socklen_t size = sizeof who;
    const uint64_t node = r->word[1] == WIRE_ANY ? 0 : r->word[1];
    if (r->op != WIRE_HELLO || r->word[0] != WIRE_VERSION)
        return WIRE_VERSIONS;
    if (node >= m->nodes || getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0)
        return WIRE_WRONG;
    if (r->word[2] != WIRE_ANY && !has_address(m, who.pid, r->word[2]))
        return WIRE_WRONG;
    if (m->programs == MACHINE_PROGRAMS)
        return WIRE_FULL;
    struct program *p = new_program(m, socket, who.pid, (unsigned)node);
    if (p == NULL)
        return WIRE_BROKEN;
    p->address = chips_address(m->chips, p->node);
    if (r->word[2] != WIRE_ANY)
        p->address = (uint32_t)r->word[2];
    const int file[2] = {share(p), m->bell};
    if (p->shared == NULL) {
        program_end(p);
        return WIRE_BROKEN;
    }
    a->word[0] = p->address;
    a->word[1] = p->node;
    a->word[2] = chips_sizes.window_log2;
    a->word[3] = chips_sizes.transactions;
    a->word[4] = chips_sizes.requests;
    a->word[5] = (uint64_t)getpid();
    tell_spread(m);
    send_answer(socket, a, file, 2);
    close(file[0]);
    machine_says(m, "process %d attaches to node %u", (int)p->pid, p->node);
    return WIRE_OK;
}

void program_attach(struct machine *m)
{
    const int socket = accept4(m->listener, NULL, NULL, SOCK_CLOEXEC);
    struct wire_request r = {0};
    struct wire_answer a = {0};
    const struct timeval second = {.tv_sec = 1};
    if (socket < 0)
        return;
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
    const ssize_t got = recv(socket, &r, sizeof r, 0);
    a.result = got == (ssize_t)sizeof r ? hello(m, socket, &r, &a) : WIRE_VERSIONS;
    if (a.result != WIRE_OK) {
        send_answer(socket, &a, NULL, 0);
        close(socket);
        machine_says(m, "a program was not attached: %s",
                     a.result == WIRE_VERSIONS ? "it is of another version"
                     : a.result == WIRE_WRONG  ? "its node does not exist"
                     : a.result == WIRE_FULL   ? "the machine is full"
                                               : "no memory");
    }
}

/* ---- requests and stores ------------------------------------------------------------------------------------ */

void program_request(struct program *p)
{
    struct wire_request r;
    struct wire_answer a = {0};
    int file = -1;
    const ssize_t got = receive(p->socket, &r, &file);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got != (ssize_t)sizeof r || r.op == WIRE_HELLO || r.op >= WIRE_OPS) {
        if (got > 0)
            machine_says(p->machine, "process %d: a request that is none", (int)p->pid);
        program_end(p);
        return;
    }
    while (program_stores(p))
        chips_clock(p->machine->chips);
    p->machine->operations[r.op]++;
    request_answer(p, &r, file, &a);
    if (file >= 0)
        close(file);
    send_answer(p->socket, &a, NULL, 0);
}

/* A program stores to pages and windows of its own alone. */
static bool may_store(const struct program *p, const struct wire_store *s)
{
    const struct node *n = &p->machine->node[p->node];
    const uint64_t in = s->address % n->region, which = s->address / n->region;
    if (s->count == 0 || s->address % 64 + s->count > 64 || which > 3)
        return false;
    if (which == 1)
        return in / SPANS_PAGE < MACHINE_CQS && n->cq[in / SPANS_PAGE] == p;
    if (which == 0)
        return in / SPANS_PAGE < MACHINE_FMAS && n->fma[in / SPANS_PAGE] == p;
    return n->fma[in >> chips_sizes.window_log2] == p;
}

bool program_stores(struct program *p)
{
    struct machine *m = p->machine;
    const struct nic_host host = chips_host(m->chips, p->node);
    uint64_t tail = atomic_load_explicit(&p->shared->tail, memory_order_relaxed);
    const uint64_t head = atomic_load_explicit(&p->shared->head, memory_order_acquire);
    const bool any = tail != head;
    while (tail != head && chips_room(m->chips, p->node)) {
        const struct wire_store s = p->shared->ring[tail % WIRE_STORES];
        if (may_store(p, &s))
            host.store(host.context, s.address, s.data, s.count);
        else
            machine_says(m, "process %d: a store to %#" PRIx64 ", which is not its own",
                         (int)p->pid, s.address);
        tail++;
    }
    atomic_store_explicit(&p->shared->tail, tail, memory_order_release);
    return any;
}

/* ---- end ---------------------------------------------------------------------------------------------------- */

static void forget(struct program *p)
{
    struct machine *m = p->machine;
    for (unsigned i = 0; i < m->nodes; i++) {
        for (unsigned k = 0; k < MACHINE_FMAS; k++)
            m->node[i].fma[k] = m->node[i].fma[k] == p ? NULL : m->node[i].fma[k];
        for (unsigned k = 0; k < MACHINE_CQS; k++)
            m->node[i].cq[k] = m->node[i].cq[k] == p ? NULL : m->node[i].cq[k];
    }
    for (unsigned i = 0; i < m->programs; i++)
        if (m->program[i] == p)
            m->program[i] = m->program[--m->programs];
    tell_spread(m);
}

static void free_program(struct program *p)
{
    while (p->rings != NULL) {
        struct ring_memory *r = p->rings;
        p->rings = r->next;
        munmap(r->at, r->bytes);
        free(r);
    }
    while (p->domains != NULL) {
        struct domain *d = p->domains;
        p->domains = d->next;
        free(d);
    }
    if (p->shared != NULL)
        munmap(p->shared, sizeof *p->shared);
    close(p->socket);
    close(p->process);
    free(p);
}

/* What the NIC refused of its stores: a program that keeps to the rules sees none. */
static void say_refused(const struct program *p)
{
    const struct node *n = &p->machine->node[p->node];
    const struct nic_host host = chips_host(p->machine->chips, p->node);
    for (unsigned i = 0; i < MACHINE_FMAS; i++) {
        const uint64_t status =
            n->fma[i] == p ? host.load(host.context, drv_page(n->driver, i) + STATUS) : 0;
        if (status >> STATUS_DROPPED != 0)
            machine_says(p->machine,
                         "process %d: the NIC refused %u of its stores (errors %#x; %u in flight)",
                         (int)p->pid, (unsigned)(status >> STATUS_DROPPED),
                         (unsigned)(status >> STATUS_ERRORS & 63), (unsigned)(status & 0x1FF));
    }
}

void program_end(struct program *p)
{
    p->dead = true;
    say_refused(p);
    for (struct domain *d = p->domains; d != NULL; d = d->next)
        datagrams_end(d);
    for (unsigned i = 0; i < p->jobs; i++) {
        const enum drv_result result = drv_process_end(p->job[i].process);
        if (result != DRV_OK)
            machine_says(p->machine, "process %d: its end: %s", (int)p->pid, drv_says(result));
    }
    machine_says(p->machine, "process %d has ended", (int)p->pid);
    forget(p);
    free_program(p);
}
