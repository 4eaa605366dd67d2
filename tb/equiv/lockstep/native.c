// SPDX-License-Identifier: Apache-2.0
/* native.c - see native.h. */
#include "tb/equiv/lockstep/native.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "hls/hls.h"

struct broken_check native_check;

static sigjmp_buf trapped;

void hls_checked(enum hls_check_kind kind, const char *text, const char *file, int line)
{
    if (kind != HLS_CHECK_COVER && !native_check.broken)
        native_check = (struct broken_check){true, text, file, line};
}

/* A trap instruction of -fsanitize-trap, or a division that the processor refuses. */
static void on_trap(int signal_number)
{
    (void)signal_number;
    siglongjmp(trapped, 1);
}

void native_catch_traps(void)
{
    struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_NODEFER};
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
}

/* ---- calls without an end ---------------------------------------------------------------------------- */

enum { PATIENCE = 3 }; /* seconds of processor time */

static volatile uint64_t calls; /* odd: one is under way */
static uint64_t calls_seen;
static void (*endless_say)(const void *data);
static const void *endless_data;

/* The loop is in the model, so what else the program does is at rest, and may print. */
static void on_tick(int signal_number)
{
    (void)signal_number;
    if (calls % 2 == 1 && calls == calls_seen) {
        fputs("# the C goes round for ever in one clock: each way round a loop wants an HLS_WAIT, "
              "or a bound\n",
              stderr);
        endless_say(endless_data);
        _exit(3);
    }
    calls_seen = calls;
}

void native_endless(void (*say)(const void *data), const void *data)
{
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    const struct itimerval tick = {{PATIENCE, 0}, {PATIENCE, 0}};
    endless_say = say;
    endless_data = data;
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_VIRTUAL, &tick, NULL);
}

/* ---- calls --------------------------------------------------------------------------------------------- */

enum outcome native_step(void (*step)(void *self, const void *in), void *self, const void *in)
{
    native_check.broken = false;
    calls |= 1;
    if (sigsetjmp(trapped, 0) != 0) {
        calls++;
        return STEP_TRAPPED;
    }
    step(self, in);
    calls++;
    return native_check.broken ? STEP_CHECKED : STEP_FINE;
}

enum outcome native_reset(void (*reset)(void *self), void *self)
{
    native_check.broken = false;
    if (sigsetjmp(trapped, 0) != 0)
        return STEP_TRAPPED;
    reset(self);
    return native_check.broken ? STEP_CHECKED : STEP_FINE;
}
