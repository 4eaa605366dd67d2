// SPDX-License-Identifier: Apache-2.0
/*
 * parb_port.c - accesses that the ports of parb send.
 */
#include "tb/blocks/nic/host/parb_port.h"

enum { PAGE = 4096 };

const unsigned parb_client_of[PARB_PORTS] = {
    [PARB_TARGET] = MEM_TARGET, [PARB_LOCAL] = MEM_LOCAL, [PARB_QUEUED] = MEM_TARGET,
    [PARB_AMO] = MEM_AMO,       [PARB_RINGS] = MEM_RINGS, [PARB_CQ] = MEM_CQ};

beat_word parb_bench_head(unsigned client, uint64_t addr, unsigned bytes, bool write, bool split)
{
    return (beat_word)client | ((beat_word)(bytes - 1) << 16) | ((beat_word)write << 22) |
           ((beat_word)split << 30) | ((beat_word)addr << 48);
}

unsigned parb_make(unsigned p, struct parb_test_access *a, struct beat *in)
{
    unsigned bytes = p == PARB_CQ ? 8 : 1 + rng_below(&pb.rng, 64), n = 0;
    uint64_t page = (rng_next(&pb.rng) >> 20) & 0xFFFFFFFFF000;
    uint64_t addr = rng_below(&pb.rng, 2) ? page + PAGE - 80 + rng_below(&pb.rng, 96)
                                          : page + rng_below(&pb.rng, PAGE - 64);
    unsigned space = rng_below(&pb.rng, 32);
    bool may_read = p == PARB_TARGET || p == PARB_LOCAL;
    bool write = !may_read || !rng_chance(&pb.rng, pb.load.read);
    bool ordered =
        p == PARB_QUEUED || (p == PARB_TARGET && !write && rng_chance(&pb.rng, pb.load.order));
    bool refused = p == PARB_LOCAL && !write && rng_below(&pb.rng, 8) == 0;
    bool token = p == PARB_QUEUED && rng_chance(&pb.rng, pb.load.token);
    unsigned data = write ? (bytes + 15) / 16 : 0;

    addr = p == PARB_CQ ? addr / 8 * 8 : addr;
    bool split = addr / PAGE != (addr + bytes - 1) / PAGE;
    beat_word place = rng_below(&pb.rng, 4096);

    place = p == PARB_CQ       ? 0
            : p == PARB_TARGET ? place & ~1u
            : p == PARB_QUEUED ? place | 1
                               : place;
    beat_word rest = place << 4 | (beat_word)space << 23;

    data = token ? 0 : data;
    *a = (struct parb_test_access){
        .read = !write, .token = token, .ordered = ordered, .refused = refused};
    in[n++] = (struct beat){.valid = 1,
                            .head = 1,
                            .tail = data == 0,
                            .bad = refused,
                            .word = parb_bench_head(parb_client_of[p], addr, bytes, write, false) |
                                    rest | ((beat_word)(ordered && !write) << 28)};
    a->beat[a->beats++] = (struct beat){
        .head = 1, .word = parb_bench_head(parb_client_of[p], addr, bytes, write, split) | rest};
    if (split) {
        a->beat[a->beats++] =
            (struct beat){.head = 1,
                          .word = parb_bench_head(parb_client_of[p], (addr / PAGE + 1) * PAGE,
                                                  bytes, write, true) |
                                  rest};
    }
    for (unsigned i = 0; i < data; i++) {
        beat_word word =
            (beat_word)rng_next(&pb.rng) | (p == PARB_CQ ? 0 : (beat_word)rng_next(&pb.rng) << 64);

        in[n] = (struct beat){.valid = 1,
                              .tail = i + 1 == data,
                              .bad = p != PARB_CQ && rng_below(&pb.rng, 10) == 0,
                              .word = word};
        a->beat[a->beats++] = in[n++];
    }
    return n;
}

struct mem_word parb_make_word(unsigned p, struct parb_test_access *a)
{
    bool wide = rng_below(&pb.rng, 2);
    uint64_t addr = rng_below(&pb.rng, 4) == 0 ? PAGE * (rng_next(&pb.rng) >> 28) - (wide ? 8 : 4)
                                               : (rng_next(&pb.rng) >> 16) / 8 * 8;
    struct mem_word word = {.valid = 1,
                            .wide = wide,
                            .place = (u12)rng_below(&pb.rng, 4096),
                            .space = (mem_space)rng_below(&pb.rng, 32),
                            .addr = (u48)addr,
                            .data = rng_next(&pb.rng)};

    *a = (struct parb_test_access){.beats = 2};
    a->beat[0] = (struct beat){
        .head = 1,
        .word = parb_bench_head(parb_client_of[p], (uint64_t)word.addr, wide ? 8 : 4, true, false) |
                (beat_word)word.place << 4 | (beat_word)word.space << 23};
    a->beat[1] = (struct beat){.tail = 1, .word = word.data};
    return word;
}

bool parb_room_of(unsigned p)
{
    const struct parb_out *out = &pb.dut.out;

    return p == PARB_TARGET   ? out->room_target
           : p == PARB_LOCAL  ? out->room_local
           : p == PARB_QUEUED ? out->room_queued & out->room_packets
           : p == PARB_AMO    ? out->room_word
           : p == PARB_RINGS  ? out->room_back
                              : out->room_event;
}

struct beat *parb_input_of(struct parb_in *in, unsigned p)
{
    return p == PARB_TARGET ? &in->target : p == PARB_LOCAL ? &in->local : &in->event;
}
