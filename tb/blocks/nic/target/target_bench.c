// SPDX-License-Identifier: Apache-2.0
/*
 * target_bench.c - requests as beats, responses as values, the driver's tables.
 */
#include "tb/blocks/nic/target/target_bench.h"

#include <stdlib.h>
#include <string.h>

struct target_bench tg;

enum { QUEUE = 4096, NODE = 0x12345, FIRST_PEER = 0x20000 };

static struct beat beats[QUEUE]; /* of requests, a ring */
static unsigned beat_in, beat_out;
static bool inside, room;
static unsigned next_tag[TB_PEERS];
static struct nic_write table_write;
static struct target_answer *coming; /* the answer whose data is the next beat */

static void put(beat_word *word, unsigned at, uint64_t value)
{
    *word |= (beat_word)value << at;
}

unsigned target_bench_ask(const struct target_request *r)
{
    bool operation = r->cmd == TB_AMO || r->cmd == TB_FAMO;
    unsigned tag = next_tag[r->peer]++ % TB_TAGS;
    struct beat head = {.valid = 1, .head = 1, .tail = r->cmd == TB_GET};
    struct beat data = {.valid = 1, .tail = 1, .word = r->value};

    put(&head.word, 0, r->cmd);
    put(&head.word, 4, r->offset & 0x3FFF);
    put(&head.word, 18, NODE);
    put(&head.word, 38, r->mode);
    put(&head.word, 48, r->cmd == TB_GET ? 1 : operation ? r->opcode >> 6 : 0);
    put(&head.word, 52, r->offset >> 14 & 0x3F);
    put(&head.word, 58, r->mdh); /* each segment is of a domain of its own */
    put(&head.word, 66, FIRST_PEER + r->peer);
    put(&head.word, 86, tag);
    put(&head.word, 116, r->mdh);
    put(&head.word, 128, r->cmd == TB_GET ? 0 : operation ? r->opcode & 63 : 7);
    beats[beat_in++ % QUEUE] = head;
    if (!head.tail) {
        beats[beat_in++ % QUEUE] = data;
    }
    tg.answer[r->peer][tag] = (struct target_answer){0};
    tg.outstanding[r->peer]++;
    tg.waiting++;
    return tag;
}

/* A packet begins when room was 1, and is sent whole. */
static struct beat next_beat(void)
{
    if (beat_in == beat_out || (!inside && !room)) {
        return (struct beat){0};
    }
    struct beat beat = beats[beat_out++ % QUEUE];

    inside = !beat.tail;
    tg.waiting -= beat.tail;
    return beat;
}

static void take_response(const struct beat *beat)
{
    if (!beat->valid) {
        return;
    }
    if (beat->head) {
        unsigned peer = ((unsigned)(beat->word >> 18) & 0x3FFFF) - FIRST_PEER;
        unsigned tag = (unsigned)(beat->word >> 8) & (TB_TAGS - 1);
        bool error = (unsigned)(beat->word >> 5) & 1;

        coming = &tg.answer[peer % TB_PEERS][tag];
        coming->came = true;
        coming->status = error ? (unsigned)(beat->word >> 58) & 15 : 0;
        tg.outstanding[peer % TB_PEERS]--;
        tg.answered[peer % TB_PEERS]++;
    } else {
        coming->value = (uint64_t)beat->word;
    }
}

static void access_memory(void *whose, uint64_t address, const uint8_t *data, unsigned bytes,
                          bool write, unsigned id)
{
    (void)whose, (void)data, (void)write, (void)id;
    tg.touched += address < tg.to && address + bytes > tg.from;
}

static void step(void)
{
    struct nic_target_in in = {
        .request = next_beat(),
        .room_response = 1,
        .settle = tg.settle,
        .write = table_write,
        .config = {.ready = 1,
                   .enable = 1,
                   .node = NODE,
                   .phys_size = TB_MEMORY,
                   .lazy = (nic_patience)tg.lazy,
                   .flush = tg.flush},
    };

    host_step(tg.host, &tg.dut.out.m_axi, &in.m_axi);
    room = tg.dut.out.request_room;
    nic_target(&tg.dut, &in);
    tg.now++;
    tg.settle = tg.flush = false;
    table_write.valid = 0;
    take_response(&tg.dut.out.response);
}

void target_bench_clocks(unsigned clocks)
{
    while (clocks-- > 0) {
        step();
    }
}

bool target_bench_drain(unsigned clocks)
{
    unsigned left = 1;

    for (; clocks > 0 && left != 0; clocks--) {
        step();
        left = tg.waiting;
        for (unsigned p = 0; p < TB_PEERS; p++) {
            left += tg.outstanding[p];
        }
    }
    target_bench_clocks(2); /* data of the last one */
    return left == 0;
}

void target_bench_segment(unsigned mdh, uint64_t base, uint64_t length, bool valid)
{
    table_write = (struct nic_write){
        .valid = 1,
        .addr = (u16)(0x8000 + 2 * mdh + 1),
        .low = base | (uint64_t)7 << 52 | (uint64_t)valid << 58,
        .data = length | (uint64_t)mdh << 40,
    };
    step();
}

void target_bench_begin(const struct host_knobs *knobs)
{
    struct rng rng = tg.rng;
    uint64_t now = tg.now;

    target_bench_free();
    tg = (struct target_bench){.rng = rng, .now = now};
    tg.host = host_new(TB_MEMORY, rng_next(&tg.rng), access_memory, NULL);
    host_set(tg.host, knobs);
    beat_in = beat_out = 0;
    inside = room = false;
    nic_target_reset(&tg.dut);
    for (unsigned i = 0; i < 8192; i++) {
        struct nic_target_in in = {.wipe = {.valid = 1, .index = (u13)i}};

        nic_target(&tg.dut, &in);
    }
}

void target_bench_free(void)
{
    if (tg.host != NULL) {
        host_free(tg.host);
        tg.host = NULL;
    }
}
