// SPDX-License-Identifier: Apache-2.0
/*
 * test_ugni_death.c - programs that are killed in the middle of what they do, beside others that go on; what comes to the next one in
 * their place; a machine that dies, is not there, is full, or is asked for a node that it does not have. --times N: so many deaths.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/host/test/pairs.h"
#include "sim/host/wire.h"
#include "tb/base/harness.h"

static unsigned times = 9; /* more than a node has descriptors for at once */

static void pause_us(unsigned us)
{
    const struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};
    nanosleep(&t, NULL);
}

/* ---- victims ------------------------------------------------------------------------------------------------ */

struct peer {
    gni_mem_handle_t handle;
    uint64_t memory;
    uint32_t address, inst;
};

/* On node 0 with a ptag and memory as the last one's: nothing may come to it; then it stores, gets and transfers until it is killed. */
static void victim(const struct peer *peer, unsigned number, bool with_child)
{
    struct side s = {.rank = 0, .inst = 500 + number};
    uint32_t address;
    gni_cq_entry_t e;
    s.memory = aligned_alloc(4096, SIDE_BYTES);
    memset(s.memory, (int)number, SIDE_BYTES);
    setenv("HEDDLE_NODE", "0", 1);
    if (GNI_CdmCreate(s.inst, SIDE_PTAG, SIDE_COOKIE, 0, &s.cdm) ||
        GNI_CdmAttach(s.cdm, 0, &address, &s.nic) ||
        GNI_CqCreate(s.nic, 500, 0, GNI_CQ_NOBLOCK, NULL, NULL, &s.local) ||
        GNI_MemRegister(s.nic, (uintptr_t)s.memory, SIDE_BYTES, s.local, GNI_MEM_READWRITE,
                        UINT32_MAX, &s.handle) ||
        GNI_EpCreate(s.nic, s.local, &s.ep) || GNI_EpBind(s.ep, peer->address, peer->inst))
        _exit(2);
    pause_us(20000);
    for (unsigned i = 0; i < SIDE_BYTES; i++)
        if (s.memory[i] != (uint8_t)number)
            _exit(3);
    if (GNI_CqGetEvent(s.local, &e) != GNI_RC_NOT_DONE)
        _exit(4);
    if (with_child && fork() == 0) {
        pause_us(300000);
        _exit(0);
    }
    s.peer_handle = peer->handle;
    s.peer_memory = peer->memory;
    kill(getppid(), SIGUSR2);
    for (unsigned i = 0;; i++) {
        gni_post_descriptor_t *done, *d = malloc(sizeof *d);
        *d = side_post(&s,
                       i % 5 == 0   ? GNI_POST_FMA_PUT
                       : i % 5 == 4 ? GNI_POST_RDMA_GET
                                    : GNI_POST_FMA_GET,
                       0, 0, i % 5 == 4 ? 30000 : 2048);
        if (d->type == GNI_POST_RDMA_GET ? GNI_PostRdma(s.ep, d) : GNI_PostFma(s.ep, d))
            free(d);
        while (GNI_CqGetEvent(s.local, &e) == GNI_RC_SUCCESS &&
               GNI_GetCompleted(s.local, e, &done) == GNI_RC_SUCCESS)
            free(done);
    }
}

/* Side 1 is what victims write and read; side 0 begins and kills them, and puts and gets itself all the time. */
static bool deaths(struct side *s)
{
    sigset_t begun, before;
    if (!side_begin(s))
        return false;
    memset(s->memory, 0x22, SIDE_BYTES);
    const struct peer us = {s->handle, (uintptr_t)s->memory, s->address, s->inst};
    struct peer them;
    side_exchange(s, &us, &them, sizeof us);
    if (s->rank == 1) {
        side_meet(s);
        return side_end(s);
    }
    sigemptyset(&begun);
    sigaddset(&begun, SIGUSR2);
    sigprocmask(SIG_BLOCK, &begun, &before);
    for (unsigned i = 0; i < times && s->why[0] == '\0'; i++) {
        /* a program of its own: a child of fork may not attach where its parent is */
        int status;
        char number[12], child[2] = {(char)('0' + (i % 3 == 2)), 0}, file[40];
        const pid_t pid = fork();
        if (pid == 0) {
            snprintf(number, sizeof number, "%u", i + 1);
            snprintf(file, sizeof file, "/tmp/heddle-peer-%d", (int)getppid());
            FILE *f = fopen(file, "w");
            fwrite(&them, sizeof them, 1, f);
            fclose(f);
            sigprocmask(SIG_SETMASK, &before, NULL);
            execl("/proc/self/exe", "victim", "--victim", file, number, child, (char *)NULL);
            _exit(5);
        }
        const struct timespec patience = {.tv_sec = 20};
        const bool stores = sigtimedwait(&begun, NULL, &patience) == SIGUSR2;
        if (stores)
            pause_us(1000 + (unsigned)(s->seed * (i + 1) * 7919 % 30000));
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        if (!side_ok(s, stores && WIFSIGNALED(status)))
            snprintf(s->why + strlen(s->why), SIDE_TEXT - strlen(s->why),
                     " (victim %u, status %#x)", i, (unsigned)status);
        gni_post_descriptor_t put = side_post(s, GNI_POST_FMA_PUT, 100, 40000, 1000);
        gni_post_descriptor_t get = side_post(s, GNI_POST_FMA_GET, 2000, 40000, 1000);
        memset(s->memory + 100, (int)(i + 0x30), 1000);
        side_code(s, side_do(s, &put), GNI_RC_SUCCESS);
        side_code(s, side_do(s, &get), GNI_RC_SUCCESS);
        side_ok(s, memcmp(s->memory + 100, s->memory + 2000, 1000) == 0);
    }
    side_meet(s);
    return side_end(s);
}

static int run_victim(char **argv)
{
    struct peer peer;
    FILE *f = fopen(argv[2], "r");
    const bool good = f != NULL && fread(&peer, sizeof peer, 1, f) == 1;
    unlink(argv[2]);
    if (good)
        victim(&peer, (unsigned)strtoul(argv[3], NULL, 10), argv[4][0] == '1');
    return 6;
}

/* ---- machines ------------------------------------------------------------------------------------------------- */

/* A program that attaches, and then spins on its queue; what it prints and its status. */
static int program(const char *node, bool spin, char text[SIDE_TEXT])
{
    int out[2], status = 0;
    (void)!pipe(out);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        gni_cdm_handle_t cdm;
        gni_nic_handle_t nic;
        gni_cq_handle_t cq;
        gni_cq_entry_t e;
        uint32_t address;
        dup2(out[1], 2);
        setenv("HEDDLE_NODE", node, 1);
        GNI_CdmCreate(1, 1, 1, 0, &cdm);
        const gni_return_t code = GNI_CdmAttach(cdm, 0, &address, &nic);
        if (code != GNI_RC_SUCCESS || !spin)
            _exit(100 + (int)code);
        if (GNI_CqCreate(nic, 10, 0, 0, NULL, NULL, &cq) == GNI_RC_SUCCESS)
            kill(machine_pid(), SIGKILL);
        alarm(60);
        while (GNI_CqGetEvent(cq, &e) == GNI_RC_NOT_DONE) {
        }
        _exit(99);
    }
    close(out[1]);
    const ssize_t got = read(out[0], text, SIDE_TEXT - 1);
    text[got > 0 ? got : 0] = '\0';
    waitpid(pid, &status, 0);
    close(out[0]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_one_line(const char *text, const char *has)
{
    const char *end = strchr(text, '\n');
    return end != NULL && end[1] == '\0' && strstr(text, has) != NULL;
}

/* A program of another version, or one that says it has the address of another, is told so. */
static bool is_refused(uint64_t version, uint64_t says_address, enum wire_result wanted)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct wire_request r = {.op = WIRE_HELLO, .word = {version, 0, says_address}};
    struct wire_answer a = {0};
    const int file = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", machine_path());
    const bool told = connect(file, (struct sockaddr *)&address, sizeof address) == 0 &&
                      send(file, &r, sizeof r, 0) == (ssize_t)sizeof r &&
                      recv(file, &a, sizeof a, 0) == (ssize_t)sizeof a && a.result == wanted;
    close(file);
    return told;
}

static void test_machines(void)
{
    char text[SIDE_TEXT];
    const int status = program("7", false, text);
    tap_ok(status == 100 + GNI_RC_INVALID_STATE && is_one_line(text, "no such node"),
           "a node that does not exist: one line");
    const int lists = program("0,7", false, text);
    tap_ok(lists == 100 + GNI_RC_INVALID_STATE && is_one_line(text, "no such node"),
           "a list of nodes with one that does not exist: one line");
    tap_ok(program("0,0", false, text) == 100 + GNI_RC_INVALID_STATE &&
               is_one_line(text, "no list") &&
               program("1,", false, text) == 100 + GNI_RC_INVALID_STATE &&
               is_one_line(text, "no list"),
           "a list that is none: one line");
    tap_ok(is_refused(WIRE_VERSION + 1, WIRE_ANY, WIRE_VERSIONS), "a program of another version");
    tap_ok(is_refused(WIRE_VERSION, 4, WIRE_WRONG), "a program with the address of another");
    const int killed = program("0", true, text);
    tap_ok(killed == 1 && is_one_line(text, "has ended"),
           "a machine that is killed ends its programs with one line");
    machine_end();
    const int gone = program("0", false, text);
    tap_ok(gone == 100 + GNI_RC_INVALID_STATE && is_one_line(text, "no machine runs there"),
           "no machine: one line");
    unsetenv("HEDDLE_MACHINE");
    const int unset = program("0", false, text);
    tap_ok(unset == 100 + GNI_RC_INVALID_STATE && is_one_line(text, "HEDDLE_MACHINE"),
           "no word of a machine: one line");
}

int main(int argc, char **argv)
{
    char why[SIDE_TEXT];
    if (argc == 5 && strcmp(argv[1], "--victim") == 0)
        return run_victim(argv);
    uint64_t seed = 1;
    test_options(argc, argv, &seed,
                 args_unsigned("--times", &times, 1, 1000, "programs that are killed"));

    machine_begin("build/bin/machined", 2);
    const bool good = pair_run(deaths, seed, NODE_EACH, why);
    if (why[0] != '\0')
        tap_why("%s", why);
    tap_ok(good,
           "%u programs are killed, some with a child: others go on, and nothing comes to the next "
           "one",
           times);
    test_machines();
    return tap_done();
}
