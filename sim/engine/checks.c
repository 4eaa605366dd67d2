// SPDX-License-Identifier: Apache-2.0
/*
 * checks.c - what the assertions of the native models call, for programs without a test harness.
 */
#include "sim/engine/checks.h"

#include <stdio.h>

enum { CHECK_ASSERT, CHECK_ASSUME, CHECK_COVER, SHOWN = 5 };

uint64_t sim_failed_checks;

void hls_checked(int kind, const char *text, const char *file, int line);

void hls_checked(int kind, const char *text, const char *file, int line)
{
    if (kind != CHECK_COVER && sim_failed_checks++ < SHOWN)
        fprintf(stderr, "%s:%d: %s failed: %s\n", file, line,
                kind == CHECK_ASSERT ? "assertion" : "assumption", text);
}
