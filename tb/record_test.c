// SPDX-License-Identifier: Apache-2.0
/*
 * record_test.c - what a module gets as input in the test of its own: wraps the beginning and the end of any test program.
 *
 * Usage: unit-<module> FILE=name [SEED=n]
 */
#include <stdlib.h>

#include "harness.h"
#include "record.h"

uint64_t __real_test_seed(int argc, char **argv);
int __real_tap_done(void);
uint64_t __wrap_test_seed(int argc, char **argv);
int __wrap_tap_done(void);

static FILE *all;

uint64_t __wrap_test_seed(int argc, char **argv)
{
    all = record_checked(fopen(test_argument(argc, argv, "FILE", ""), "wb"));
    return __real_test_seed(argc, argv);
}

int __wrap_tap_done(void)
{
    record_add_to(all);
    tap_ok(!ferror(all) && fclose(all) == 0, "the record is written");
    return __real_tap_done();
}
