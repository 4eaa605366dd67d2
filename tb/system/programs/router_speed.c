// SPDX-License-Identifier: Apache-2.0
/*
 * router_speed.c - how fast the native router is: clocks per second of processor time, its sources, sinks and golden
 * router included.
 *
 * Usage: router-speed [CLOCKS [LOAD]]     uniform traffic, LOAD flits per clock and port, default 20000 and 0.5
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tb/system/router/router_bench.h"

int main(int argc, char **argv)
{
    static struct router_bench_config config;
    static struct router_bench bench;
    const long clocks = argc > 1 ? atol(argv[1]) : 20000;
    const double load = argc > 2 ? atof(argv[2]) : 0.5;
    if (clocks <= 0 || load < 0 || load > 1) {
        fputs("usage: router-speed [CLOCKS [LOAD]], LOAD 0 to 1\n", stderr);
        return EXIT_FAILURE;
    }
    router_bench_defaults(&config);
    for (unsigned p = 0; p < RTR_PORTS; p++)
        config.source[p].load = load;
    router_bench_start(&bench, &config, 1);
    const clock_t start = clock();
    router_bench_run(&bench, (uint64_t)clocks);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%.0f\n", (double)clocks / seconds);
    router_bench_free(&bench);
    return EXIT_SUCCESS;
}
