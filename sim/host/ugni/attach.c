// SPDX-License-Identifier: Apache-2.0
/*
 * attach.c - the way to the machine: a socket for requests, a ring for stores.
 */
#include "sim/host/ugni/inside.h"
#include "sim/host/ugni/heddle.h"

#include <errno.h>
#include <pthread.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
    bool attached, forked;
    struct way way[WAYS_MOST];
    unsigned ways, next;
    uint32_t address;
    unsigned transactions, requests;
} machine;

bool machine_forked(void)
{
    return machine.forked;
}
unsigned machine_ways(void)
{
    return machine.ways;
}
struct way *machine_way(unsigned number)
{
    return &machine.way[number];
}
struct way *machine_next_way(void)
{
    return &machine.way[machine.next++ % machine.ways];
}
uint32_t machine_address(void)
{
    return machine.address;
}
unsigned machine_transactions(void)
{
    return machine.transactions;
}
unsigned machine_requests(void)
{
    return machine.requests;
}

uint64_t heddle_clocks(void)
{
    const struct wire_shared *shared = machine.way[0].shared;
    return shared == NULL ? 0 : atomic_load_explicit(&shared->clock, memory_order_relaxed);
}

static void in_child(void)
{
    machine.forked = machine.attached;
}

/* The machine is gone: nothing that this process waits for will come. */
static void gone(void)
{
    fprintf(stderr, "libugni: the machine at %s has ended\n", getenv("HEDDLE_MACHINE"));
    _exit(1);
}

void machine_check(void)
{
    struct pollfd file = {.fd = machine.way[0].socket, .events = 0};
    if (machine.attached && !machine.forked && poll(&file, 1, 0) > 0 && (file.revents & POLLHUP))
        gone();
}

/* ---- requests --------------------------------------------------------------------------------------------- */

static void send_request(const struct way *w, const struct wire_request *r, int file)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {wire_pointer((uintptr_t)r), sizeof *r};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t sent;
    if (file >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    }
    while ((sent = sendmsg(w->socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    if (sent != (ssize_t)sizeof *r)
        gone();
}

/* Up to two files that come with an answer. */
static ssize_t receive(const struct way *w, struct wire_answer *a, int file[2])
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {a, sizeof *a};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.space,
                             .msg_controllen = sizeof control.space};
    ssize_t got;
    while ((got = recvmsg(w->socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    for (struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL; c != NULL;
         c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_type == SCM_RIGHTS && file != NULL)
            memcpy(file, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    return got;
}

enum wire_result machine_ask_data(const struct way *w, struct wire_request *r,
                                  struct wire_answer *a)
{
    send_request(w, r, -1);
    if (receive(w, a, NULL) != (ssize_t)sizeof *a)
        gone();
    return a->result;
}

enum wire_result machine_ask(const struct way *w, enum wire_op op, const uint64_t *words,
                             unsigned count, int file, struct wire_answer *a)
{
    struct wire_request r = {.op = op};
    for (unsigned i = 0; i < count; i++)
        r.word[i] = words[i];
    send_request(w, &r, file);
    if (receive(w, a, NULL) != (ssize_t)sizeof *a)
        gone();
    return a->result;
}

gni_return_t code_of(enum wire_result result)
{
    switch (result) {
    case WIRE_OK:
        return GNI_RC_SUCCESS;
    case WIRE_FULL:
        return GNI_RC_ERROR_RESOURCE;
    case WIRE_NONE:
        return GNI_RC_NO_MATCH;
    case WIRE_BUSY:
    case WIRE_WRONG:
        return GNI_RC_INVALID_PARAM;
    default:
        return GNI_RC_INVALID_STATE;
    }
}

/* ---- attach ---------------------------------------------------------------------------------------------------- */

static const char *first_of(const char *const *names)
{
    const char *value = NULL;
    for (; *names != NULL && value == NULL; names++)
        value = getenv(*names);
    return value;
}

/* HEDDLE_NODE, nodes with commas between them, or the launcher's rank over the ranks of a node; how many, 0: it says none. */
static unsigned wanted_nodes(uint64_t node[WAYS_MOST])
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "PMI_RANK", NULL};
    const char *list = getenv("HEDDLE_NODE"), *rank = first_of(ranks),
               *each = getenv("HEDDLE_RANKS_PER_NODE");
    if (list == NULL) {
        const uint64_t per = each == NULL ? 1 : strtoull(each, NULL, 10);
        node[0] = rank == NULL ? WIRE_ANY : strtoull(rank, NULL, 10) / (per == 0 ? 1 : per);
        return 1;
    }
    unsigned count = 0;
    for (char *end = NULL; count < WAYS_MOST; list = end + 1) {
        node[count] = strtoull(list, &end, 10);
        for (unsigned i = 0; i < count; i++)
            if (node[i] == node[count])
                return 0;
        count++;
        if (end == list || *end != ',')
            return end == list || *end != '\0' ? 0 : count;
    }
    return 0;
}

static bool connect_to(struct way *w, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    w->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return w->socket >= 0 && connect(w->socket, (struct sockaddr *)&address, sizeof address) == 0;
}

/* By the first way the address that all have. */
static const char *hello(struct way *w, uint64_t node)
{
    const bool first = w == machine.way;
    struct wire_request r = {.op = WIRE_HELLO,
                             .word = {WIRE_VERSION, node, first ? WIRE_ANY : machine.address}};
    struct wire_answer a = {0};
    int file[2] = {-1, -1};
    if (send(w->socket, &r, sizeof r, MSG_NOSIGNAL) != (ssize_t)sizeof r ||
        receive(w, &a, file) != (ssize_t)sizeof a)
        return "it has another version";
    if (a.result != WIRE_OK)
        return a.result == WIRE_VERSIONS ? "it has another version"
               : a.result == WIRE_WRONG  ? "it has no such node; HEDDLE_NODE says which"
               : a.result == WIRE_FULL   ? "it is full"
                                         : "it has no memory";
    void *at =
        mmap(NULL, sizeof(struct wire_shared), PROT_READ | PROT_WRITE, MAP_SHARED, file[0], 0);
    close(file[0]);
    if (at == MAP_FAILED)
        return "no memory";
    w->shared = at;
    w->bell = file[1];
    machine.address = (uint32_t)a.word[0];
    machine.transactions = (unsigned)a.word[3];
    machine.requests = (unsigned)a.word[4];
    prctl(PR_SET_PTRACER, a.word[5], 0, 0, 0);
    return NULL;
}

static const char *attach(const char *path)
{
    uint64_t node[WAYS_MOST];
    const unsigned count = wanted_nodes(node);
    const char *wrong = NULL;
    if (path == NULL)
        return "HEDDLE_MACHINE does not say where a machine is";
    if (count == 0)
        return "HEDDLE_NODE is no list of up to 8 different nodes";
    for (unsigned i = 0; i < count && wrong == NULL; i++)
        wrong = connect_to(&machine.way[i], path) ? hello(&machine.way[i], node[i])
                                                  : "no machine runs there";
    machine.ways = count;
    return wrong;
}

gni_return_t machine_attach(void)
{
    const char *path = getenv("HEDDLE_MACHINE");
    if (machine.attached)
        return machine.forked ? GNI_RC_INVALID_STATE : GNI_RC_SUCCESS;
    const char *wrong = attach(path);
    if (wrong != NULL) {
        fprintf(stderr, "libugni: %s%s%s\n", path == NULL ? "" : path, path == NULL ? "" : ": ",
                wrong);
        for (unsigned i = 0; i < WAYS_MOST; i++)
            if (machine.way[i].socket > 0)
                close(machine.way[i].socket);
        memset(machine.way, 0, sizeof machine.way);
        machine.ways = 0;
        return GNI_RC_INVALID_STATE;
    }
    pthread_atfork(NULL, NULL, in_child);
    machine.attached = true;
    return GNI_RC_SUCCESS;
}

/* ---- stores ----------------------------------------------------------------------------------------------------- */

static void wake(const struct way *w)
{
    const uint64_t one = 1;
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&w->shared->asleep))
        (void)!write(w->bell, &one, sizeof one);
}

void machine_store(void *way, uint64_t address, const void *bytes, unsigned count)
{
    const struct way *w = way;
    struct wire_shared *s = w->shared;
    const uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    for (unsigned n = 1; head - atomic_load_explicit(&s->tail, memory_order_acquire) == WIRE_STORES;
         n++) {
        wake(w);
        sched_yield();
        if (n % 4096 == 0)
            machine_check();
    }
    struct wire_store *to = &s->ring[head % WIRE_STORES];
    to->address = address;
    to->count = count;
    memcpy(to->data, bytes, count);
    atomic_store_explicit(&s->head, head + 1, memory_order_release);
    wake(w);
}
