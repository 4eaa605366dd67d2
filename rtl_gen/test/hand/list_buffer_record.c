// SPDX-License-Identifier: Apache-2.0
/*
 * list_buffer_record.c - runs list_buffer.c on random traffic and records inputs and outputs of every clock.
 * Rates change so that it fills and empties; in some phases few queues are used.
 */
#include "record.h"

#include "list_buffer.c"

static struct list_buffer_in stimulus(unsigned long clock, const struct list_buffer *dut)
{
    static const unsigned rate[4] = {200, 500, 800, 1024};
    const u3 few = clock / 2048 % 2 ? (u3)7 : (u3)1;

    (void)dut;
    return (struct list_buffer_in){
        .push = record_chance(rate[clock / 512 % 4]),
        .push_queue = (u3)record_draw() & few,
        .push_data = (u48)record_draw(),
        .pop = record_chance(rate[clock / 1024 % 4]),
        .pop_queue = (u3)record_draw() & few,
    };
}

static void record(const struct list_buffer_in *in, const struct list_buffer_out *out)
{
    record_put(in->push, 1);
    record_put(in->push_queue, 3);
    record_put(in->push_data, 48);
    record_put(in->pop, 1);
    record_put(in->pop_queue, 3);
    putchar(' ');
    record_put(out->ready, 1);
    record_put(out->filled, 8);
    record_put(out->popped_valid, 1);
    record_if(out->popped_valid, out->popped_data, 48);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct list_buffer dut;
    const unsigned long clocks = record_start(argc, argv);

    list_buffer_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct list_buffer_in in = stimulus(clock, &dut);
        list_buffer(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
