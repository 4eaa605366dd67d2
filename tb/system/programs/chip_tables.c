// SPDX-License-Identifier: Apache-2.0
/*
 * chip_tables.c - what chip_bench.c writes into the routers of its two chips, for a bench that is not in C: a line
 * "chip address data" for each write on the configuration bus, the last two in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sim/base/args.h"
#include "tb/system/chip/chip_bench.h"

static void print_write(void *to, unsigned addr, uint64_t data)
{
    const unsigned *chip = to;

    printf("%u %04x %016" PRIx64 "\n", *chip, addr, data);
}

int main(int argc, char **argv)
{
    const struct args_option none = args_end();
    const struct args args = {.about = "Prints what the routers of two chips are told.",
                              .option = &none};

    (void)args_read(&args, argc, argv);
    for (unsigned chip = 0; chip < CHIPS; chip++) {
        chip_bench_tables(chip, print_write, &chip);
    }
    return 0;
}
