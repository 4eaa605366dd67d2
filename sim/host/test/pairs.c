// SPDX-License-Identifier: Apache-2.0
/*
 * pairs.c - a machine for tests, and the two processes of one.
 */
#include "sim/host/test/pairs.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PATIENCE = 30,
    TEST_SECONDS = 120,
    LOOK_US = 50 /* the processor belongs to the machine meanwhile */
};

#define SPOILED "400" /* of a million clocks: one of a hundred packets of 24 clocks */

static char path[100], log_path[110];
static pid_t machine;
static uint64_t spoiled;

bool side_check(struct side *s, bool holds, const char *text, const char *file, int line)
{
    if (!holds && s->why[0] == '\0')
        snprintf(s->why, SIDE_TEXT, "side %u, %s:%d: %s", s->rank, file, line, text);
    return holds;
}

bool side_result(struct side *s, gni_return_t code, gni_return_t wanted, const char *text,
                 const char *file, int line)
{
    if (code != wanted && s->why[0] == '\0')
        snprintf(s->why, SIDE_TEXT, "side %u, %s:%d: %.120s: %s, expected %s", s->rank, file, line,
                 text, gni_err_str[code], gni_err_str[wanted]);
    return code == wanted;
}

/* ---- the machine ---------------------------------------------------------------------------------------- */

const char *machine_path(void)
{
    return path;
}

int machine_pid(void)
{
    return machine;
}

static void pause_us(unsigned us)
{
    const struct timespec t = {.tv_nsec = us * 1000L};
    nanosleep(&t, NULL);
}

/* Options of all machines are those of `with`, too: pairs of a name and a value. */
static void start(const char *program, unsigned nodes, const char *const with[4])
{
    char number[12];
    snprintf(path, sizeof path, "/tmp/heddle-test-%d", (int)getpid());
    snprintf(log_path, sizeof log_path, "%s.log", path);
    snprintf(number, sizeof number, "%u", nodes);
    setenv("HEDDLE_MACHINE", path, 1);
    machine = fork();
    if (machine == 0) {
        execl(program, program, "--socket", path, "--nodes", number, "--epoch", "8192", "--quiet",
              "--log", log_path, with[0], with[1], with[2], with[3], (char *)NULL);
        perror(program);
        _exit(1);
    }
    for (unsigned n = 0; n < 2000 && access(path, F_OK) != 0; n++)
        pause_us(5000);
}

void machine_begin(const char *program, unsigned nodes)
{
    start(program, nodes, (const char *const[]){"--latency", "40", "--cable", "10"});
}

void machine_begin_slow(const char *program, unsigned nodes)
{
    start(program, nodes, (const char *const[]){"--latency", "1000", "--cable", "63"});
}

void machine_begin_spoiled(const char *program, unsigned nodes, uint64_t seed)
{
    char number[24];
    snprintf(number, sizeof number, "%" PRIu64, seed);
    start(program, nodes, (const char *const[]){"--errors", SPOILED, "--seed", number});
}

/* The NIC has refused a store of a program: the library does not keep to the rules of a descriptor. */
static bool is_refused(void)
{
    char line[300];
    bool any = false;
    FILE *log = fopen(log_path, "r");
    while (log != NULL && fgets(line, sizeof line, log) != NULL)
        if (strstr(line, "the NIC refused") != NULL) {
            fprintf(stderr, "machine: %s", line);
            any = true;
        } else if (strstr(line, "bits spoiled") != NULL && strrchr(line, ';') != NULL)
            spoiled = strtoull(strrchr(line, ';') + 1, NULL, 10);
    if (log == NULL)
        return true;
    fclose(log);
    remove(log_path);
    return any;
}

uint64_t machine_spoiled(void)
{
    return spoiled;
}

bool machine_end(void)
{
    int status = 1;
    kill(machine, SIGTERM);
    waitpid(machine, &status, 0);
    return !is_refused() && status == 0;
}

/* ---- two processes ----------------------------------------------------------------------------------------- */

const char *places_say(enum places where)
{
    return where == NODE_EACH   ? "on two nodes"
           : where == NODE_BOTH ? "both on one node"
                                : "both on all nodes";
}

/* Ends a side; what failed first is the report. */
_Noreturn static void end_side(struct side *s, bool good, const char *otherwise)
{
    if (!good && s->why[0] == '\0')
        snprintf(s->why, SIDE_TEXT, "side %u%s", s->rank, otherwise);
    (void)!write(s->report, s->why, SIDE_TEXT);
    exit(good ? 0 : 1);
}

static void run_side(struct side *s, bool (*test)(struct side *s))
{
    alarm(TEST_SECONDS);
    setenv("HEDDLE_NODE",
           s->where == NODES_ALL                   ? "0,1"
           : s->where == NODE_EACH && s->rank != 0 ? "1"
                                                   : "0",
           1);
    const bool good = test(s) && s->why[0] == '\0';
    end_side(s, good, "");
}

bool pair_run(bool (*test)(struct side *s), uint64_t seed, enum places where, char why[SIDE_TEXT])
{
    int ends[2], report[SIDES][2];
    pid_t side[SIDES];
    bool good = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
    fflush(NULL);
    for (unsigned i = 0; i < SIDES; i++) {
        good &= pipe(report[i]) == 0;
        struct side s = {
            .rank = i, .pipe = ends[i], .report = report[i][1], .seed = seed + i, .where = where};
        side[i] = fork();
        if (side[i] == 0) {
            close(ends[1 - i]);
            run_side(&s, test);
        }
        close(report[i][1]);
    }
    close(ends[0]);
    close(ends[1]);
    why[0] = '\0';
    for (unsigned i = 0; i < SIDES; i++) {
        char text[SIDE_TEXT] = "";
        int status = 1;
        waitpid(side[i], &status, 0);
        if (status != 0 && read(report[i][0], text, SIDE_TEXT) <= 0)
            snprintf(text, sizeof text, "side %u ended with status %#x", i, (unsigned)status);
        if (status != 0 && (why[0] == '\0' || strstr(why, "partner") != NULL))
            memcpy(why, text, SIDE_TEXT);
        good &= status == 0;
        close(report[i][0]);
    }
    return good;
}

void side_exchange(struct side *s, const void *out, void *in, size_t bytes)
{
    const bool done = send(s->pipe, out, bytes, MSG_NOSIGNAL) == (ssize_t)bytes &&
                      recv(s->pipe, in, bytes, MSG_WAITALL) == (ssize_t)bytes;
    if (!done)
        end_side(s, false, ": its partner has ended");
}

void side_meet(struct side *s)
{
    char one = 1, other;
    side_exchange(s, &one, &other, 1);
}

/* ---- what a side has ------------------------------------------------------------------------------------------ */

/* A domain that has node 0, so that the next one has node 1. */
static bool first_domain(struct side *s)
{
    gni_cdm_handle_t cdm;
    gni_nic_handle_t nic;
    gni_ep_handle_t ep;
    uint32_t address;
    return side_code(s, GNI_CdmCreate(900, SIDE_PTAG, SIDE_COOKIE, 0, &cdm), GNI_RC_SUCCESS) &&
           side_code(s, GNI_CdmAttach(cdm, 0, &address, &nic), GNI_RC_SUCCESS) &&
           side_code(s, GNI_EpCreate(nic, NULL, &ep), GNI_RC_SUCCESS);
}

bool side_begin(struct side *s)
{
    struct {
        gni_mem_handle_t handle;
        uint64_t memory;
        uint32_t address, inst;
    } us, them;
    s->inst = 100 + s->rank;
    if (s->where == NODES_ALL && s->rank != 0 && !first_domain(s))
        return false;
    s->memory = aligned_alloc(4096, SIDE_BYTES);
    memset(s->memory, 0x11 * (int)(s->rank + 1), SIDE_BYTES);
    const bool good =
        side_code(
            s, GNI_CdmCreate(s->inst, SIDE_PTAG, SIDE_COOKIE, GNI_CDM_MODE_FORK_FULLCOPY, &s->cdm),
            GNI_RC_SUCCESS) &&
        side_code(s, GNI_CdmAttach(s->cdm, 0, &s->address, &s->nic), GNI_RC_SUCCESS) &&
        side_code(s, GNI_CqCreate(s->nic, 1024, 0, GNI_CQ_NOBLOCK, NULL, NULL, &s->local),
                  GNI_RC_SUCCESS) &&
        side_code(s, GNI_CqCreate(s->nic, 1024, 0, GNI_CQ_NOBLOCK, NULL, NULL, &s->remote),
                  GNI_RC_SUCCESS) &&
        side_code(s,
                  GNI_MemRegister(s->nic, (uintptr_t)s->memory, SIDE_BYTES, s->remote,
                                  GNI_MEM_READWRITE, UINT32_MAX, &s->handle),
                  GNI_RC_SUCCESS) &&
        side_code(s, GNI_EpCreate(s->nic, s->local, &s->ep), GNI_RC_SUCCESS);
    if (!good)
        return false;
    us.handle = s->handle;
    us.memory = (uintptr_t)s->memory;
    us.address = s->address;
    us.inst = s->inst;
    side_exchange(s, &us, &them, sizeof us);
    s->peer_handle = them.handle;
    s->peer_memory = them.memory;
    s->peer_address = them.address;
    s->peer_inst = them.inst;
    return side_code(s, GNI_EpBind(s->ep, s->peer_address, s->peer_inst), GNI_RC_SUCCESS);
}

bool side_end(struct side *s)
{
    side_meet(s);
    const bool good = side_code(s, GNI_EpDestroy(s->ep), GNI_RC_SUCCESS) &&
                      side_code(s, GNI_MemDeregister(s->nic, &s->handle), GNI_RC_SUCCESS) &&
                      side_code(s, GNI_CqDestroy(s->local), GNI_RC_SUCCESS) &&
                      side_code(s, GNI_CqDestroy(s->remote), GNI_RC_SUCCESS) &&
                      side_code(s, GNI_CdmDestroy(s->cdm), GNI_RC_SUCCESS);
    free(s->memory);
    return good;
}

gni_cq_entry_t side_event(gni_cq_handle_t cq, gni_return_t *code)
{
    gni_cq_entry_t entry = 0;
    const time_t begin = time(NULL);
    while ((*code = GNI_CqGetEvent(cq, &entry)) == GNI_RC_NOT_DONE && time(NULL) - begin < PATIENCE)
        pause_us(LOOK_US);
    if (*code == GNI_RC_TRANSACTION_ERROR) {
        char text[120] = "";
        GNI_CqErrorStr(entry, text, sizeof text);
        fprintf(stderr, "# an event with an error: %s\n", text);
    }
    return entry;
}

bool side_arrives(const struct side *s, uint64_t at, uint8_t value)
{
    const volatile uint8_t *there = s->memory + at;
    const time_t begin = time(NULL);
    while (*there != value && time(NULL) - begin < PATIENCE)
        pause_us(LOOK_US);
    return *there == value;
}

gni_post_descriptor_t side_post(const struct side *s, gni_post_type_t type, uint64_t local,
                                uint64_t remote, uint64_t bytes)
{
    return (gni_post_descriptor_t){.type = type,
                                   .cq_mode = GNI_CQMODE_GLOBAL_EVENT,
                                   .local_addr = (uintptr_t)s->memory + local,
                                   .local_mem_hndl = s->handle,
                                   .remote_addr = s->peer_memory + remote,
                                   .remote_mem_hndl = s->peer_handle,
                                   .length = bytes};
}

gni_return_t side_do(struct side *s, gni_post_descriptor_t *d)
{
    gni_post_descriptor_t *done = NULL;
    gni_return_t code = d->type == GNI_POST_RDMA_PUT || d->type == GNI_POST_RDMA_GET
                            ? GNI_PostRdma(s->ep, d)
                        : d->type == GNI_POST_CQWRITE ? GNI_PostCqWrite(s->ep, d)
                                                      : GNI_PostFma(s->ep, d);
    if (code != GNI_RC_SUCCESS)
        return code;
    const gni_cq_entry_t entry = side_event(s->local, &code);
    if (entry == 0)
        return GNI_RC_TIMEOUT;
    code = GNI_GetCompleted(s->local, entry, &done);
    return done == d ? code : GNI_RC_DESCRIPTOR_ERROR;
}
