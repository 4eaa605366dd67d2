// SPDX-License-Identifier: Apache-2.0
/*
 * test_ugni.c - two processes on two nodes of a machine, and both on one: puts, gets, atomic operations, block transfers, and their events.
 */
#include <string.h>

#include "sim/host/test/pairs.h"
#include "tb/base/harness.h"

/* A word from one to the other, and the event that it is there. */
static bool word(struct side *s)
{
    const uint64_t value = 0x1122334455667788;
    if (!side_begin(s))
        return false;
    if (s->rank == 0) {
        gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, 0x123, 8);
        memcpy(s->memory, &value, 8);
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
    }
    side_meet(s);
    if (s->rank == 1)
        side_ok(s, memcmp(s->memory + 0x123, &value, 8) == 0 && s->memory[0x122] == 0x22 &&
                       s->memory[0x12B] == 0x22);
    return side_end(s);
}

static void both(const char *what, bool (*test)(struct side *s), uint64_t seed)
{
    char why[SIDE_TEXT];
    for (unsigned one = 0; one < 2; one++) {
        const bool good = pair_run(test, seed, one != 0, why);
        if (why[0] != '\0')
            tap_why("%s", why);
        tap_ok(good, "%s, %s", what, one != 0 ? "both on one node" : "on two nodes");
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    machine_begin("build/bin/machined", 2);
    both("a word is put, and its event comes", word, seed);
    tap_ok(machine_end(), "the machine ends");
    return tap_done();
}
