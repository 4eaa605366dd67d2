// SPDX-License-Identifier: Apache-2.0
/* native.c - see native.h. */
#include "tb/equiv/lockstep/native.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

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

enum outcome native_step(void (*step)(void *self, const void *in), void *self, const void *in)
{
    native_check.broken = false;
    if (sigsetjmp(trapped, 0) != 0)
        return STEP_TRAPPED;
    step(self, in);
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
