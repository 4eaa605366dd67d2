// SPDX-License-Identifier: Apache-2.0
/*
 * secded_record.c - runs secded.c on random traffic and records inputs and outputs of every clock.
 * What is read is what was written the clock before, with none to three bits wrong, or anything.
 */
#include "record.h"

#include "secded.c"

static struct secded_in stimulus(unsigned long clock, const struct secded *dut)
{
    struct secded_in in = {
        .write_data = (u64)record_draw(),
        .read_code = dut->out.write_code,
    };

    for (unsigned long wrong = clock % 4; wrong > 0; wrong--) {
        in.read_code ^= (uint(72))1 << record_draw() % 72;
    }
    if (record_chance(50)) {
        in.read_code = (uint(72))record_draw() << 32 ^ (uint(72))record_draw();
    }
    return in;
}

static void record(const struct secded_in *in, const struct secded_out *out)
{
    record_put(in->write_data, 64);
    record_put(in->read_code, 72);
    putchar(' ');
    record_put(out->write_code, 72);
    record_put(out->read_data, 64);
    record_put(out->corrected, 1);
    record_put(out->fatal, 1);
    putchar('\n');
}

int main(int argc, char **argv)
{
    static struct secded dut;
    const unsigned long clocks = record_start(argc, argv);

    secded_reset(&dut);
    for (unsigned long clock = 0; clock < clocks; clock++) {
        const struct secded_in in = stimulus(clock, &dut);
        secded(&dut, &in);
        record(&in, &dut.out);
    }
    return 0;
}
