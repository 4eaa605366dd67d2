// SPDX-License-Identifier: Apache-2.0
/*
 * record_test.c - what a module gets as input in the test of its own: wraps the beginning and the end of any test program.
 *
 * Usage: unit-<module> --record FILE, and the options of the test
 */
#include <stdlib.h>

#include "tb/base/harness.h"
#include "tb/equiv/lockstep/record.h"

int __real_main(int argc, char **argv);
int __real_tap_done(void);
int __wrap_main(int argc, char **argv);
int __wrap_tap_done(void);

static const char *record;

int __wrap_main(int argc, char **argv)
{
    const struct args_option row =
        args_text("--record", "FILE", &record, "the record, which is wanted");
    test_recorder = &row;
    return __real_main(argc, argv);
}

int __wrap_tap_done(void)
{
    FILE *all = record_open(record);
    record_add_to(all);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    return __real_tap_done();
}
