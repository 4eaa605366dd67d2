// SPDX-License-Identifier: Apache-2.0
/*
 * machined.c - the machine: chips, their clocks, and a socket where programs attach as processes of its nodes.
 *
 * Clocks run while anything is under way anywhere; otherwise the process sleeps in poll() until a program stores, asks, attaches or
 * dies.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/args.h"
#include "sim/base/program.h"
#include "hls/nic/regs/nic_map.h"
#include "sim/host/machined/machine.h"

enum {
    ROUND = 64,     /* clocks between looks at sockets */
    QUIET = 32,     /* without anything under way until it sleeps: longer than a pipeline */
    SPACE_LOG2 = 46 /* bytes of a node's address space */
};

static volatile sig_atomic_t ends;

static struct {
    const char *socket, *log, *trace, *report;
    unsigned nodes, latency, cable, errors;
    uint64_t epoch, seed;
    bool quiet, rtl;
} options = {.socket = "",
             .log = "",
             .trace = "",
             .report = "",
             .nodes = 2,
             .latency = 40,
             .cable = 10,
             .epoch = 1 << 17,
             .seed = 1};

void machine_says(struct machine *m, const char *format, ...)
{
    char line[300];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (!options.quiet)
        fprintf(stderr, "machined: %s\n", line);
    if (m->log != NULL) {
        fprintf(m->log, "%" PRIu64 " %s\n", chips_clocks(m->chips), line);
        fflush(m->log);
    }
}

static void on_signal(int number)
{
    (void)number;
    ends = 1;
}

/* They come while it looks, so that none comes between a look at `ends` and the wait behind it. */
static void block_signals(struct machine *m)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGTERM);
    sigaddset(&ours, SIGINT);
    sigprocmask(SIG_BLOCK, &ours, &m->signals);
}

/* ---- begin ------------------------------------------------------------------------------------------- */

static void start_nodes(struct machine *m)
{
    const struct chips_config chips = {.chips = m->nodes,
                                       .cable = options.cable,
                                       .latency = options.latency,
                                       .errors = options.errors,
                                       .seed = options.seed,
                                       .whose = m,
                                       .memory = memory_access};
    m->chips = chips_new(&chips);
    if (m->chips == NULL)
        sim_fail("machined: the chips' links do not come up");
    ptags_start(&m->ptags);
    for (unsigned i = 0; i < m->nodes; i++) {
        const struct nic_host host = chips_host(m->chips, i);
        const struct drv_config config = {.node = chips_address(m->chips, i),
                                          .epoch = options.epoch,
                                          .memory = SPANS_PAGE,
                                          .memory_bytes = UINT64_C(1) << SPACE_LOG2,
                                          .window_log2 = chips_sizes.window_log2,
                                          .ptags = &m->ptags};
        const enum drv_result result = drv_start(&m->node[i].driver, &host, &config);
        if (result != DRV_OK)
            sim_fail("machined: node %u: %s", i, drv_says(result));
        m->node[i].region = (uint64_t)drv_use(m->node[i].driver).descriptors_most
                            << chips_sizes.window_log2;
        rdma_start(m, i);
    }
}

static void listen_at(struct machine *m, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        sim_fail("machined: %s: a path of less than %zu bytes is wanted", path,
                 sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    m->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int other = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (other >= 0 && connect(other, (struct sockaddr *)&address, sizeof address) == 0)
        sim_fail("machined: %s: a machine runs there", path);
    close(other);
    /* the path appears when programs may connect to it */
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s.new", path) >=
        (int)sizeof address.sun_path)
        sim_fail("machined: %s: the path is too long", path);
    unlink(address.sun_path);
    if (m->bell < 0 || m->listener < 0 ||
        bind(m->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(m->listener, MACHINE_PROGRAMS) != 0 || rename(address.sun_path, path) != 0)
        sim_fail("machined: %s: %s", path, strerror(errno));
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* Looks at all sockets, and for signals; waits for one of them if there is nothing yet. */
static void look(struct machine *m, bool wait)
{
    const struct timespec none = {0};
    struct pollfd files[2 + 2 * MACHINE_PROGRAMS];
    struct program *seen[MACHINE_PROGRAMS];
    const unsigned programs = m->programs;
    files[0] = (struct pollfd){.fd = m->listener, .events = POLLIN};
    files[1] = (struct pollfd){.fd = m->bell, .events = POLLIN};
    for (unsigned i = 0; i < programs; i++) {
        seen[i] = m->program[i];
        files[2 + 2 * i] = (struct pollfd){.fd = seen[i]->socket, .events = POLLIN};
        files[3 + 2 * i] = (struct pollfd){.fd = seen[i]->process, .events = POLLIN};
    }
    if (ppoll(files, 2 + 2 * programs, wait ? NULL : &none, &m->signals) <= 0)
        return;
    uint64_t rung;
    if (files[1].revents != 0)
        (void)!read(m->bell, &rung, sizeof rung);
    for (unsigned i = 0; i < programs; i++) {
        if (files[3 + 2 * i].revents != 0)
            program_end(seen[i]);
        else if (files[2 + 2 * i].revents != 0)
            program_request(seen[i]);
    }
    if (files[0].revents != 0)
        program_attach(m);
}

static bool step(struct machine *m)
{
    bool busy = false;
    for (unsigned i = 0; i < m->programs; i++)
        busy |= program_stores(m->program[i]);
    chips_clock(m->chips);
    if (m->trace != NULL)
        trace_clock(m->trace);
    return busy || chips_busy(m->chips);
}

static void set_asleep(struct machine *m, uint32_t asleep)
{
    for (unsigned i = 0; i < m->programs; i++)
        atomic_store(&m->program[i]->shared->asleep, asleep);
}

static void tell_clock(struct machine *m)
{
    for (unsigned i = 0; i < m->programs; i++)
        atomic_store_explicit(&m->program[i]->shared->clock, chips_clocks(m->chips),
                              memory_order_relaxed);
}

/* Something was posted between the last look and the word that says that it sleeps. */
static bool is_posted(const struct machine *m)
{
    bool any = false;
    for (unsigned i = 0; i < m->programs; i++)
        any |=
            atomic_load(&m->program[i]->shared->head) != atomic_load(&m->program[i]->shared->tail);
    return any;
}

/* Whether a request has begun something: those about datagrams, and many others, take no clock. */
static bool look_begins(struct machine *m, bool wait)
{
    const uint64_t before = chips_clocks(m->chips);
    look(m, wait);
    return chips_clocks(m->chips) != before;
}

/* Clocks of a round; how many in a row, with those before, had nothing under way. */
static unsigned run_round(struct machine *m, unsigned quiet)
{
    rdma_look(m);
    for (unsigned i = 0; i < ROUND && quiet < QUIET; i++)
        quiet = step(m) ? 0 : quiet + 1;
    tell_clock(m);
    return look_begins(m, false) ? 0 : quiet;
}

/* No clock passes. False: nothing has begun. */
static bool sleep_until_asked(struct machine *m)
{
    set_asleep(m, 1);
    const bool begins = !is_posted(m) && look_begins(m, true);
    set_asleep(m, 0);
    return begins || is_posted(m);
}

static void run(struct machine *m)
{
    unsigned quiet = 0;
    while (!ends)
        if (quiet < QUIET)
            quiet = run_round(m, quiet);
        else if (sleep_until_asked(m))
            quiet = 0;
    look(m, false); /* who has ended before us */
}

/* ---- end ------------------------------------------------------------------------------------------------- */

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void report(struct machine *m, double busy)
{
    const uint64_t clocks = chips_clocks(m->chips);
    machine_says(m, "%" PRIu64 " clocks, %.0f a second of processor time; %" PRIu64 " bits spoiled",
                 clocks, busy > 0 ? (double)clocks / busy : 0, chips_errors(m->chips));
    for (unsigned i = 0; i < m->nodes; i++) {
        const struct chips_count c = chips_counts(m->chips, i);
        const struct nic_host host = chips_host(m->chips, i);
        machine_says(m,
                     "node %u: %" PRIu64 " stores, %" PRIu64 " refused; memory: %" PRIu64
                     " reads, %" PRIu64 " writes, %" PRIu64
                     " refused; bytes of requests sent %" PRIu64 ", of responses %" PRIu64,
                     i, c.stores, c.refused, c.memory_reads, c.memory_writes, c.memory_refused,
                     host.reg_read(host.context, NR_ORB_REQUEST_BYTES),
                     host.reg_read(host.context, NR_ORB_RESPONSE_BYTES));
    }
}

/* The same as JSON, with what each NIC's counters of bytes say. */
static void report_file(struct machine *m, double busy)
{
    FILE *file = fopen(options.report, "w");
    if (file == NULL)
        sim_fail("machined: %s: %s", options.report, strerror(errno));
    const uint64_t clocks = chips_clocks(m->chips);
    fprintf(file,
            "{\n  \"chips\": \"%s\",\n  \"clocks\": %" PRIu64
            ",\n  \"clocks_per_second\": %.0f,\n  \"cable_errors\": %" PRIu64 ",\n  \"nodes\": [",
            chips_sizes.rtl ? "Verilated" : "native", clocks, busy > 0 ? (double)clocks / busy : 0,
            chips_errors(m->chips));
    for (unsigned i = 0; i < m->nodes; i++) {
        const struct chips_count c = chips_counts(m->chips, i);
        const struct nic_host host = chips_host(m->chips, i);
        fprintf(file,
                "%s\n    {\"stores\": %" PRIu64 ", \"memory_reads\": %" PRIu64
                ", \"memory_writes\": %" PRIu64 ", \"refused\": %" PRIu64
                ", \"request_bytes_sent\": %" PRIu64 ", \"request_bytes_received\": %" PRIu64
                ", \"response_bytes_received\": %" PRIu64 "}",
                i == 0 ? "" : ",", c.stores, c.memory_reads, c.memory_writes,
                c.refused + c.memory_refused, host.reg_read(host.context, NR_ORB_REQUEST_BYTES),
                host.reg_read(host.context, NR_RAT_REQUEST_BYTES),
                host.reg_read(host.context, NR_ORB_RESPONSE_BYTES));
    }
    fprintf(file, "\n  ]\n}\n");
    if (fclose(file) != 0)
        sim_fail("machined: %s: %s", options.report, strerror(errno));
}

/* The same machine with the chips' Verilog. */
static void become_rtl(char **argv)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-rtl");
    if (length > 0) {
        memcpy(path + length, "-rtl", sizeof "-rtl");
        execv(path, argv);
    }
    sim_fail("machined: machined-rtl beside it: %s", strerror(errno));
}

int main(int argc, char **argv)
{
    const struct args_option table[] = {
        args_text("--socket", "PATH", &options.socket,
                  "where programs attach; else $HEDDLE_MACHINE"),
        args_unsigned("--nodes", &options.nodes, 2, CHIPS_MOST, "chips in a row, a node each"),
        args_unsigned("--cable", &options.cable, 1, 63, "clocks of a cable"),
        args_unsigned("--latency", &options.latency, 1, 1000, "clocks of host memory"),
        args_unsigned("--errors", &options.errors, 0, 10000,
                      "bits that a cable spoils in a million clocks"),
        args_number("--seed", &options.seed, 0, INT64_MAX, "which they are"),
        args_number("--epoch", &options.epoch, 1 << 12, 1 << 30, "clocks of an epoch of the NICs"),
        args_text("--log", "FILE", &options.log, "what it says goes there, too, with clocks"),
        args_text("--trace", "FILE", &options.trace,
                  "a waveform of the ports of all nodes, FST, from the first program on"),
        args_text("--report", "FILE", &options.report,
                  "at its end clocks and the NICs' counters, JSON"),
        args_flag("--rtl", &options.rtl,
                  "Verilated chips of proto, by the program machined-rtl beside this one"),
        args_flag("--quiet", &options.quiet, "nothing on stderr but errors"),
        args_end()};
    const struct args args = {.about =
                                  "A machine of modelled chips, to whose nodes programs attach "
                                  "by libugni",
                              .option = table};
    const struct sigaction act = {.sa_handler = on_signal};
    struct machine *m = sim_alloc(1, sizeof *m);
    args_read(&args, argc, argv);
    if (options.rtl && !chips_sizes.rtl)
        become_rtl(argv);
    if (options.socket[0] == '\0')
        options.socket = getenv("HEDDLE_MACHINE");
    if (options.socket == NULL)
        sim_fail("machined: --socket PATH, or HEDDLE_MACHINE in the environment, is wanted");
    m->nodes = options.nodes;
    listen_at(m, options.socket);
    if (options.log[0] != '\0' && (m->log = fopen(options.log, "w")) == NULL)
        sim_fail("machined: %s: %s", options.log, strerror(errno));
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGINT, &act, NULL);
    block_signals(m);
    signal(SIGPIPE, SIG_IGN);
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    start_nodes(m);
    if (options.trace[0] != '\0' &&
        (m->trace = trace_begin(options.trace, m->chips, m->nodes)) == NULL)
        sim_fail("machined: %s: cannot be written", options.trace);
    machine_says(m, "%u nodes at %s", m->nodes, options.socket);
    run(m);
    const double busy = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    report(m, busy);
    if (options.report[0] != '\0')
        report_file(m, busy);
    if (m->trace != NULL)
        trace_end(m->trace);
    unlink(options.socket);
    return 0;
}
