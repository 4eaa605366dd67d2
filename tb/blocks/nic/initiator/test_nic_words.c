// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_words.c - every unprivileged bit: each field of each word that a process may write, with each of its values (fields of more than
 * eight bits: each single bit, none, all), in every kind of request, through the whole initiator of a NIC.
 *
 * Beside it fma_model.c, which says what is refused and why; what leaves the NIC has to be a packet that the golden decoder takes, in the
 * descriptor's domain, from this node, in a mode below SOURCE. Answered with an error each; so nothing is left at the end.
 *
 * Built for aries: fast; proto: san.
 */
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_packet.h"
#include "tb/blocks/nic/initiator/fma_model.h"
#include "nic/initiator/nic_initiator.h"

#include <stdio.h>
#include <string.h>

enum { UNIT = 1, OWNER = 0x5A, HERE = 0x2A5, QUEUE = 3, PATIENCE = 400, END = 6, NOTE = 7 };

enum kind { PUT_WINDOW, GET_WINDOW, LAUNCH_PUT, LAUNCH_GET, CQWRITE_WORD, KINDS };

/* Words that a case is made of; the last three are no words of the page. */
enum word {
    BASE,
    MODES,
    FLAG = 3,
    PLACE,
    EVENT,
    FIRST,
    SECOND,
    OPEN_WORD,
    CLOSE_WORD,
    CONTROL,
    LAUNCH,
    WORDS
};

static const unsigned page_words[WORDS] = {0, 1, 0, 3, 4, 5, 6, 7, 8, 13};

struct field {
    const char *name;
    enum word word;
    unsigned at, bits;
};

static const struct field fields[] = {
    {"BASE.global", BASE, 0, 58},        {"BASE reserved", BASE, 58, 6},
    {"MODES.mdh", MODES, 0, 12},         {"MODES.local", MODES, 12, 12},
    {"MODES.pe", MODES, 24, 3},          {"MODES.mode", MODES, 27, 3},
    {"MODES.queue", MODES, 30, 10},      {"MODES.command", MODES, 40, 7},
    {"MODES.flagged", MODES, 47, 1},     {"MODES.short", MODES, 48, 1},
    {"MODES reserved", MODES, 49, 15},   {"FLAG", FLAG, 0, 64},
    {"FLAG offset", PLACE, 0, 64},       {"EVENT", EVENT, 0, 64},
    {"OPERANDS first", FIRST, 0, 64},    {"OPERANDS second", SECOND, 0, 64},
    {"OPEN", OPEN_WORD, 0, 64},          {"CLOSE.event", CLOSE_WORD, 0, 56},
    {"CLOSE.wants", CLOSE_WORD, 56, 8},  {"control.offset", CONTROL, 0, 40},
    {"control.words", CONTROL, 40, 4},   {"control.opcode", CONTROL, 44, 7},
    {"control.flagged", CONTROL, 51, 1}, {"control reserved", CONTROL, 52, 12},
    {"LAUNCH.global", LAUNCH, 0, 58},    {"LAUNCH reserved", LAUNCH, 58, 5},
};

static struct rig {
    struct nic_initiator dut;
    struct nic_initiator_in in;
    struct fma_model model;
    struct beat beat[BEATS];
    unsigned beats, packets, reports; /* reports: of these END and NOTE */
    bool counted;                     /* OPEN says that packets are counted */
    struct beat answer;               /* to what left */
    bool responded, refused;
    uint64_t data; /* of a read */
} r;

static uint64_t now, cases, requests, refused, illegal, differs;
static char what[160];

/* ---- around it ----------------------------------------------------------------------------------- */

static void read_head(const struct beat *head, struct nic_packet *p, uint64_t flit[3])
{
    for (unsigned i = 0; i < 3; i++) {
        flit[i] = (uint64_t)(head->word >> 48 * i) & 0xFFFFFFFFFFFF;
    }
    *p = (struct nic_packet){
        .mode = (unsigned)nic_get(flit, NIC_MODE),
        .node = (uint32_t)nic_get(flit, NIC_NODE),
        .cmd = (unsigned)nic_get(flit, NIC_CMD),
        .x = (unsigned)nic_get(flit, NIC_X),
        .ptag = (unsigned)nic_get(flit, NIC_PTAG),
        .gen = (unsigned)nic_get(flit, NIC_GEN),
        .tag = (unsigned)nic_get(flit, NIC_TAG),
        .mdh = (unsigned)nic_get(flit, NIC_MDH),
        .src = (uint32_t)nic_get(flit, NIC_SRC),
        .offset = nic_get(flit, NIC_OFFSET),
    };
    if (p->cmd != NIC_GET) {
        p->z = (unsigned)nic_get(flit, NIC_Z);
        p->rmt = (unsigned)nic_get(flit, NIC_RMT);
        p->ssid = (unsigned)nic_get(flit, NIC_SSID);
    }
    p->bytes = nic_payload(p);
}

/* A packet that left: would every other NIC take it, and is it this process's? Its answer is an error. */
static void judge(void)
{
    struct nic_packet p, seen;
    uint64_t head[3], flit[NIC_FLITS];

    read_head(&r.beat[0], &p, head);
    for (unsigned i = 0; i < p.bytes && i / 16 + 1 < r.beats; i++) {
        p.data[i] = (uint8_t)(r.beat[1 + i / 16].word >> 8 * (i % 16));
    }
    r.packets++;
    r.answer = (struct beat){.valid = 1, .head = 1, .tail = 1};
    r.answer.word = (beat_word)HERE << 18 | (beat_word)2 << 41 | (beat_word)p.tag << 8 |
                    (beat_word)p.gen << 6 | (beat_word)1 << 5 | (beat_word)6 << 58;
    if (p.cmd == END ||
        p.cmd == NOTE) { /* of a transaction that is counted, or wants an event at its target */
        r.reports++;
        illegal += p.ptag != OWNER || p.src != HERE || p.mode >= NIC_SOURCE_MODE;
        return;
    }
    const bool fits = p.bytes <= NIC_PAYLOAD && r.beats == 1 + (p.bytes + 15) / 16;
    const unsigned flits = fits ? nic_encode(&p, flit) : 0;

    if (!fits || nic_decode(flit, flits, false, &seen) != NIC_RIGHT || p.cmd > NIC_CQWRITE ||
        p.mode >= NIC_SOURCE_MODE || p.ptag != OWNER || p.src != HERE ||
        (p.rmt != 0 && !r.counted)) {
        if (illegal++ == 0) {
            snprintf(what, sizeof what, "cmd %u mode %u domain %x from %x left", p.cmd, p.mode,
                     p.ptag, p.src);
        }
    }
}

static void step(void)
{
    struct nic_initiator_in *in = &r.in;
    const struct axi_from_sub axi = r.dut.out.s_axi;

    in->response = r.answer;
    r.answer.valid = 0;
    nic_initiator(&r.dut, in);
    now++;
    in->s_axi.awvalid = in->s_axi.awvalid && !axi.awready;
    in->s_axi.wvalid = in->s_axi.wvalid && !axi.wready;
    in->s_axi.arvalid = in->s_axi.arvalid && !axi.arready;
    if (axi.bvalid || axi.rvalid) {
        r.responded = true;
        r.refused = (axi.bvalid ? axi.bresp : axi.rresp) != AXI_OKAY;
        r.data = (uint64_t)axi.rdata;
    }
    /* flags of gets: written at once */
    in->done.valid = r.dut.out.local.valid && r.dut.out.local.tail;
    in->done.client = 2;
    if (r.dut.out.local.valid && r.dut.out.local.head) {
        in->done.place = (u12)(r.dut.out.local.word >> 86 & 0x3FF);
    }
    if (r.dut.out.event.valid && r.dut.out.event.ptag != OWNER) {
        illegal++;
    }
    if (r.dut.out.request.valid) {
        r.beats = r.dut.out.request.head ? 0 : r.beats;
        r.beat[r.beats++ % BEATS] = r.dut.out.request;
        if (r.dut.out.request.tail) {
            judge();
        }
    }
    in->config.epoch = 0;
    in->wipe.valid = 0;
    in->write.valid = 0;
}

static void wait_response(void)
{
    r.responded = false;
    for (unsigned n = 0; n < PATIENCE && !r.responded; n++) {
        step();
    }
    differs += !r.responded;
}

/* n bytes into a page or window of the descriptor, within 16; what the model makes of them is counted. */
static void store(unsigned region, uint64_t offset, const void *bytes, unsigned n)
{
    static const uint64_t regions[4] = {0, 1, 2, 3};
    struct axi_to_sub *axi = &r.in.s_axi;
    const unsigned errors = r.model.d[UNIT].errors;
    struct fma_model_packet p;
    uint64_t at = regions[region] << (NIC_FMA_LOG2 + NIC_WINDOW_LOG2) |
                  (uint64_t)UNIT << (region == FMA_PAGE ? 12 : NIC_WINDOW_LOG2) | offset;
    uint8_t data[16] = {0};

    memcpy(data + at % 16, bytes, n);
    axi->awvalid = axi->wvalid = axi->wlast = 1;
    axi->awaddr = (uint(AXI_BAR_BITS))(at & ~(uint64_t)15);
    axi->awsize = 4;
    axi->awburst = AXI_INCR;
    axi->wstrb = (u16)(((1u << n) - 1) << at % 16);
    memcpy(&axi->wdata, data, 16);
    wait_response();
    fma_model_run(&r.model, UNIT, region, offset, bytes, n, &p);
    refused += (r.model.d[UNIT].errors & ~errors) != 0;
}

static void word(unsigned number, uint64_t value)
{
    store(FMA_PAGE, 8 * number, &value, 8);
}

static uint64_t status(void)
{
    r.in.s_axi.arvalid = 1;
    r.in.s_axi.araddr = (uint(AXI_BAR_BITS))((uint64_t)UNIT << 12 | 16 * 8);
    r.in.s_axi.arsize = 3;
    r.in.s_axi.arburst = AXI_INCR;
    wait_response();
    return r.data;
}

/* ---- cases ---------------------------------------------------------------------------------------- */

/* The request of that kind; the value is whether the model has a packet of it. */
static void ask(enum kind kind, const uint64_t *v)
{
    const uint64_t launch[2] = {
        (v[LAUNCH] & ~((uint64_t)1 << 63)) | (uint64_t)(kind == LAUNCH_GET) << 63, v[CONTROL]};

    switch (kind) {
    case PUT_WINDOW:
        store(FMA_PUT, 64, &v[FIRST], 8);
        break;
    case GET_WINDOW:
        store(FMA_GET, 64, &v[CONTROL], 8);
        break;
    case LAUNCH_PUT:
    case LAUNCH_GET:
        store(FMA_PAGE, 8 * 24, launch, 16);
        break;
    default:
        word(9, v[EVENT]);
        break;
    }
    requests++;
}

static void check(const char *name, enum kind kind, uint64_t value, bool right)
{
    if (!right && differs++ == 0) {
        snprintf(what, sizeof what, "%s = %llx, kind %u", name, (unsigned long long)value, kind);
    }
}

/* One transaction with one request; the transaction ends, whatever became of that. */
static void run_case(const struct field *f, enum kind kind, uint64_t value)
{
    uint64_t v[WORDS] = {[BASE] = (uint64_t)0x155 << 40 | 0x1000,
                         [MODES] = 5 | 6 << 12 | (uint64_t)QUEUE << 30,
                         [LAUNCH] = (uint64_t)0x155 << 40 | 0x1000,
                         [CONTROL] = 0x40 | (uint64_t)1 << 40,
                         [CLOSE_WORD] = (uint64_t)2 << 56};
    const uint64_t mask = f->bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->bits) - 1;
    const unsigned requests_before = r.packets - r.reports;
    struct fma_descriptor *d = &r.model.d[UNIT];
    const uint64_t model_refused = refused;
    uint64_t seen;

    v[f->word] = (v[f->word] & ~(mask << f->at)) | (value & mask) << f->at;
    r.counted = v[OPEN_WORD] & 1;
    word(16, 0);
    for (enum word w = BASE; w <= SECOND; w++) {
        if (w != 2) {
            word(page_words[w], v[w]);
        }
    }
    word(8, v[OPEN_WORD]);
    ask(kind, v);
    seen = status();
    check(f->name, kind, value,
          (seen >> 10 & 0x1F) == d->errors && (seen >> 16 & 0xFFFF) == d->dropped &&
              (seen >> 9 & 1) == d->open);
    word(13, v[CLOSE_WORD]);
    for (unsigned n = 0; n < PATIENCE && !r.dut.out.idle; n++) {
        step();
    }
    /* between the last answer and NOTE nothing moves */
    for (unsigned n = 0; n < PATIENCE && (n < 8 || (status() & 0x3FF) != 0); n++) {
        step();
    }
    fma_model_note(&r.model, UNIT, (status() >> 15 & 1) != 0);
    check(f->name, kind, value,
          r.packets - r.reports - requests_before == (refused == model_refused) &&
              (status() & 0x3FF) == 0);
    cases++;
}

/* All values of a field of up to eight bits; of a wider one none, all, each bit alone and all but that. */
static void run_field(const struct field *f, enum kind kind, unsigned *refuses)
{
    const uint64_t before = refused;
    const uint64_t ones = f->bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << f->bits) - 1;

    for (uint64_t n = 0; f->bits <= 8 && n <= ones; n++) {
        run_case(f, kind, n);
    }
    for (unsigned n = 0; f->bits > 8 && n < f->bits; n++) {
        run_case(f, kind, (uint64_t)1 << n);
        run_case(f, kind, ones & ~((uint64_t)1 << n));
    }
    run_case(f, kind, 0);
    run_case(f, kind, ones);
    *refuses = (unsigned)(refused - before);
}

static void start(void)
{
    nic_initiator_reset(&r.dut);
    r.model.ntt_entries = 1u << NIC_NTT_LOG2;
    r.model.engines = NIC_CE;
    r.in = (struct nic_initiator_in){.room_request = 1,
                                     .room_local = 1,
                                     .room_event = 1,
                                     .config = {.ready = 1, .enable = 1, .node = HERE}};
#if NIC_CE
    r.in.room_join = 1;
#endif
    r.in.s_axi.bready = r.in.s_axi.rready = 1;
    for (unsigned i = 0; i < 8192; i++) {
        r.in.wipe = (struct nic_wipe){.valid = 1, .index = (u13)i};
        step();
    }
    r.in.write = (struct nic_write){.valid = 1, .addr = 0x1000 + 4 * UNIT};
    r.in.write.data = OWNER | (u64)2 << 42 | (u64)1 << 51 | (u64)1 << 57; /* may write flags */
    fma_model_driver(&r.model, UNIT, (uint64_t)r.in.write.data, &(struct fma_model_packet){0});
    step();
    for (unsigned n = 0; n < 8; n++) {
        step();
    }
}

/* Mode 7 alone of its values, whatever the kind of request. */
static void test_fields(void)
{
    bool mode = true;

    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        for (enum kind kind = PUT_WINDOW; kind < KINDS; kind++) {
            unsigned refuses;

            run_field(&fields[i], kind, &refuses);
            if (fields[i].word == MODES && fields[i].at == 27) {
                mode = mode && refuses == 2; /* 7, and all ones */
            }
        }
    }
    tap_why("%s", what);
    /* holds fma.source */
    tap_ok(differs == 0 && mode,
           "%llu cases of %u fields, %llu requests, %llu refused: as the page says, mode 7 always",
           (unsigned long long)cases, (unsigned)(sizeof fields / sizeof *fields),
           (unsigned long long)requests, (unsigned long long)refused);
}

/* Each number of a word that a page may have, written whole. */
static void test_numbers(void)
{
    for (unsigned number = 0; number < 512; number++) {
        uint64_t seen;

        word(16, 0);
        word(number, 0);
        seen = status();
        check("word", (enum kind)0, number,
              (seen >> 10 & 0x1F) == r.model.d[UNIT].errors &&
                  (seen >> 9 & 1) == r.model.d[UNIT].open);
    }
    tap_why("%s", what);
    tap_ok(differs == 0, "all 512 words of a page: what there is not is refused");
}

int main(int argc, char **argv)
{
    (void)test_seed(argc, argv);
    harness_clock = &now;
    start();
    test_fields();
    test_numbers();
    tap_why("%s", what);
    tap_ok(illegal == 0 && r.packets > cases / 2,
           "%u packets left: each in its domain, from its node, as every NIC takes it", r.packets);
    return tap_done();
}
