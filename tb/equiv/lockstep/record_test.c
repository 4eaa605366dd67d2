// SPDX-License-Identifier: Apache-2.0
/*
 * record_test.c - what a module gets as input in the test of its own: wraps the beginning and the end of any test program.
 *
 * Usage: unit-<module> FILE=name [SEED=n]
 */
#include <stdlib.h>

#include "tb/base/harness.h"
#include "tb/equiv/lockstep/record.h"

int __real_main(int argc, char **argv);
int __real_tap_done(void);
int __wrap_main(int argc, char **argv);
int __wrap_tap_done(void);

static FILE *all;

int __wrap_main(int argc, char **argv)
{
    all = record_checked(fopen(test_argument(argc, argv, "FILE", ""), "wb"));
    return __real_main(argc, argv);
}

int __wrap_tap_done(void)
{
    record_add_to(all);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    return __real_tap_done();
}
