// SPDX-License-Identifier: Apache-2.0
/*
 * router_speed.c - how fast the native router is: clocks per second of processor time, its sources, sinks and golden
 * router included.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/base/args.h"
#include "tb/system/router/router_bench.h"

int main(int argc, char **argv)
{
    static struct router_bench_config config;
    static struct router_bench bench;
    uint64_t clocks = 20000, seed;
    double load = 0.5;
    const struct args_option rows[] = {
        args_number("--clocks", &clocks, 1, UINT64_MAX, "clocks"),
        args_rate("--load", &load, "uniform traffic, flits per clock and port"), args_end()};
    const struct args args = {
        .about = "Clocks per second of the native router.", .option = rows, .seed = &seed};
    (void)args_read(&args, argc, argv);
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].load = load;
    router_bench_start(&bench, &config, seed);
    const clock_t start = clock();
    router_bench_run(&bench, clocks);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%.0f\n", (double)clocks / seconds);
    router_bench_free(&bench);
    return EXIT_SUCCESS;
}
