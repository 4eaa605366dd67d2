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
    int socket, bell;
    struct wire_shared *shared;
    uint32_t address;
    unsigned node, transactions, requests;
} machine;

bool machine_forked(void)
{
    return machine.forked;
}
bool machine_attached(void)
{
    return machine.attached;
}
struct wire_shared *machine_shared(void)
{
    return machine.shared;
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
    return machine.shared == NULL
               ? 0
               : atomic_load_explicit(&machine.shared->clock, memory_order_relaxed);
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
    struct pollfd file = {.fd = machine.socket, .events = 0};
    if (machine.attached && !machine.forked && poll(&file, 1, 0) > 0 && (file.revents & POLLHUP))
        gone();
}

/* ---- requests --------------------------------------------------------------------------------------------- */

static void send_request(const struct wire_request *r, int file)
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
    while ((sent = sendmsg(machine.socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    if (sent != (ssize_t)sizeof *r)
        gone();
}

/* Up to two files that come with an answer. */
static ssize_t receive(struct wire_answer *a, int file[2])
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
    while ((got = recvmsg(machine.socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    for (struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL; c != NULL;
         c = CMSG_NXTHDR(&message, c))
        if (c->cmsg_type == SCM_RIGHTS && file != NULL)
            memcpy(file, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
    return got;
}

enum wire_result machine_ask_data(struct wire_request *r, struct wire_answer *a)
{
    send_request(r, -1);
    if (receive(a, NULL) != (ssize_t)sizeof *a)
        gone();
    return a->result;
}

enum wire_result machine_ask(enum wire_op op, const uint64_t *words, unsigned count, int file,
                             struct wire_answer *a)
{
    struct wire_request r = {.op = op};
    for (unsigned i = 0; i < count; i++)
        r.word[i] = words[i];
    send_request(&r, file);
    if (receive(a, NULL) != (ssize_t)sizeof *a)
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

/* HEDDLE_NODE, or the launcher's rank over the ranks of a node. */
static uint64_t wanted_node(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "PMI_RANK", NULL};
    const char *node = getenv("HEDDLE_NODE"), *rank = first_of(ranks),
               *each = getenv("HEDDLE_RANKS_PER_NODE");
    if (node != NULL)
        return strtoull(node, NULL, 10);
    if (rank == NULL)
        return WIRE_ANY;
    const uint64_t per = each == NULL ? 1 : strtoull(each, NULL, 10);
    return strtoull(rank, NULL, 10) / (per == 0 ? 1 : per);
}

static bool connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    machine.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return machine.socket >= 0 &&
           connect(machine.socket, (struct sockaddr *)&address, sizeof address) == 0;
}

static const char *hello(void)
{
    struct wire_request r = {.op = WIRE_HELLO, .word = {WIRE_VERSION, wanted_node()}};
    struct wire_answer a = {0};
    int file[2] = {-1, -1};
    if (send(machine.socket, &r, sizeof r, MSG_NOSIGNAL) != (ssize_t)sizeof r ||
        receive(&a, file) != (ssize_t)sizeof a)
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
    machine.shared = at;
    machine.bell = file[1];
    machine.address = (uint32_t)a.word[0];
    machine.node = (unsigned)a.word[1];
    machine.transactions = (unsigned)a.word[3];
    machine.requests = (unsigned)a.word[4];
    prctl(PR_SET_PTRACER, a.word[5], 0, 0, 0);
    return NULL;
}

gni_return_t machine_attach(void)
{
    const char *path = getenv("HEDDLE_MACHINE"), *wrong = NULL;
    if (machine.attached)
        return machine.forked ? GNI_RC_INVALID_STATE : GNI_RC_SUCCESS;
    if (path == NULL)
        wrong = "HEDDLE_MACHINE does not say where a machine is";
    else if (!connect_to(path))
        wrong = "no machine runs there";
    else
        wrong = hello();
    if (wrong != NULL) {
        fprintf(stderr, "libugni: %s%s%s\n", path == NULL ? "" : path, path == NULL ? "" : ": ",
                wrong);
        return GNI_RC_INVALID_STATE;
    }
    pthread_atfork(NULL, NULL, in_child);
    machine.attached = true;
    return GNI_RC_SUCCESS;
}

/* ---- stores ----------------------------------------------------------------------------------------------------- */

static void wake(void)
{
    const uint64_t one = 1;
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&machine.shared->asleep))
        (void)!write(machine.bell, &one, sizeof one);
}

void machine_store(void *context, uint64_t address, const void *bytes, unsigned count)
{
    struct wire_shared *s = machine.shared;
    const uint64_t head = atomic_load_explicit(&s->head, memory_order_relaxed);
    (void)context;
    for (unsigned n = 1; head - atomic_load_explicit(&s->tail, memory_order_acquire) == WIRE_STORES;
         n++) {
        wake();
        sched_yield();
        if (n % 4096 == 0)
            machine_check();
    }
    struct wire_store *to = &s->ring[head % WIRE_STORES];
    to->address = address;
    to->count = count;
    memcpy(to->data, bytes, count);
    atomic_store_explicit(&s->head, head + 1, memory_order_release);
    wake();
}
