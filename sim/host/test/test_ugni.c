// SPDX-License-Identifier: Apache-2.0
/*
 * test_ugni.c - two processes on two nodes of a machine, and both on one: puts, gets, atomic operations, block transfers, and their events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/host/test/amo_model.h"
#include "sim/host/test/pairs.h"
#include "tb/base/harness.h"

enum { ROUNDS = 24, HALF = SIDE_BYTES / 2 };

static uint64_t next_random(struct side *s)
{
    s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return s->seed >> 24;
}

/* The partner's memory as it was in side_begin. */
static uint8_t untouched(const struct side *s)
{
    return (uint8_t)(0x11 * (2 - s->rank));
}

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

/* ---- puts and gets of any size -------------------------------------------------------------------------- */

/* Both put from their lower half to the other's upper half, and read it again, byte by byte with what is around it. */
static void transfer(struct side *s, gni_post_type_t put, gni_post_type_t get, uint64_t most)
{
    static uint8_t mirror[HALF];
    memset(mirror, untouched(s), HALF);
    for (unsigned i = 0; i < ROUNDS && s->why[0] == '\0'; i++) {
        const uint64_t bytes = i == 0 ? most : 1 + next_random(s) % most;
        const uint64_t from = next_random(s) % (HALF - bytes + 1),
                       to = next_random(s) % (HALF - bytes + 1);
        for (uint64_t k = 0; k < bytes; k++)
            s->memory[from + k] = (uint8_t)next_random(s);
        memcpy(mirror + to, s->memory + from, bytes);
        gni_post_descriptor_t d = side_post(s, put, from, HALF + to, bytes);
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
    }
    for (uint64_t at = 0; at < HALF && s->why[0] == '\0';) {
        const uint64_t left = HALF - at, wish = 4 + next_random(s) % most / 4 * 4,
                       bytes = wish > most   ? most / 4 * 4
                               : wish < left ? wish
                                             : left;
        const uint64_t odd = get == GNI_POST_RDMA_GET ? next_random(s) % 4 : 0;
        gni_post_descriptor_t d = side_post(s, get, odd, HALF + at, bytes);
        memset(s->memory, 0xEE, bytes + 16);
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
        side_ok(s, memcmp(s->memory + odd, mirror + at, bytes) == 0);
        side_ok(s, (odd == 0 || s->memory[odd - 1] == 0xEE) && s->memory[odd + bytes] == 0xEE);
        at += bytes;
    }
}

static bool fma(struct side *s)
{
    if (!side_begin(s))
        return false;
    side_meet(s);
    transfer(s, GNI_POST_FMA_PUT, GNI_POST_FMA_GET, 4096);
    return side_end(s);
}

static bool rdma(struct side *s)
{
    if (!side_begin(s))
        return false;
    side_meet(s);
    transfer(s, GNI_POST_RDMA_PUT, GNI_POST_RDMA_GET, 20000);
    return side_end(s);
}

/* ---- atomic operations ------------------------------------------------------------------------------------- */

/* One of each, on random words and on those where something is special; each has a word of its own, for the NIC keeps cached ones. */
static bool amos(struct side *s)
{
    static const uint64_t special[] = {0,
                                       1,
                                       UINT64_MAX,
                                       UINT64_C(1) << 63,
                                       0x7FFFFFFF80000000,
                                       0x3FF0000040490FDB,
                                       0xC00921FB3F800000};
    if (!side_begin(s))
        return false;
    uint64_t *words = (uint64_t *)(void *)s->memory, at = HALF;
    side_meet(s);
    for (unsigned command = 1; command < 0x400 && s->why[0] == '\0'; command++) {
        if (!amo_is_command(command))
            continue;
        const unsigned size = command & 0x200 ? 4 : 8;
        uint64_t v[3];
        for (unsigned i = 0; i < 3; i++)
            v[i] = next_random(s) % 3 == 0 ? special[next_random(s) % 7]
                                           : next_random(s) << 40 ^ next_random(s);
        if (amo_is_swap(command) && next_random(s) % 2)
            v[1] = v[0];
        at += 8 + (size == 4 ? 4 * (next_random(s) % 2) : at % 8);
        words[0] = v[0];
        gni_post_descriptor_t put = side_post(s, GNI_POST_FMA_PUT, 0, at, size);
        side_code(s, side_do(s, &put), GNI_RC_SUCCESS);
        words[2] = UINT64_C(0xEEEEEEEEEEEEEEEE);
        gni_post_descriptor_t d = side_post(s, GNI_POST_AMO, 16, at, size);
        d.amo_cmd = (gni_fma_cmd_type_t)command;
        d.first_operand = v[1];
        d.second_operand = v[2];
        if (command & 0x100)
            d.local_addr = 0;
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
        gni_post_descriptor_t get = side_post(s, GNI_POST_FMA_GET, 8, at, size);
        words[1] = 0;
        side_code(s, side_do(s, &get), GNI_RC_SUCCESS);
        const uint64_t mask = size == 4 ? UINT32_MAX : UINT64_MAX;
        const uint64_t wanted = amo_model(command, v[0] & mask, v[1] & mask, v[2] & mask);
        if (!side_ok(s, (words[1] & mask) == wanted))
            snprintf(s->why, SIDE_TEXT,
                     "side %u: command %#x of %#" PRIx64 " with %#" PRIx64 ", %#" PRIx64
                     ": %#" PRIx64 ", expected %#" PRIx64,
                     s->rank, command, v[0] & mask, v[1] & mask, v[2] & mask, words[1] & mask,
                     wanted);
        side_ok(s, command & 0x100 ? words[2] == UINT64_C(0xEEEEEEEEEEEEEEEE)
                                   : (words[2] & mask) == (v[0] & mask));
    }
    return side_end(s);
}

/* Both add to one word of node 0. */
static bool adds(struct side *s)
{
    enum { ADDS = 100 };
    if (!side_begin(s))
        return false;
    uint64_t *words = (uint64_t *)(void *)s->memory;
    gni_ep_handle_t ep;
    words[100] = 0;
    side_meet(s);
    side_code(s, GNI_EpCreate(s->nic, s->local, &ep), GNI_RC_SUCCESS);
    side_code(s,
              GNI_EpBind(ep, s->rank == 0 ? s->address : s->peer_address,
                         s->rank == 0 ? s->inst : s->peer_inst),
              GNI_RC_SUCCESS);
    gni_ep_handle_t partner = s->ep;
    s->ep = ep;
    for (unsigned i = 0; i < ADDS && s->why[0] == '\0'; i++) {
        gni_post_descriptor_t d = side_post(s, GNI_POST_AMO, 0, 800, 8);
        if (s->rank == 0) {
            d.remote_addr = (uintptr_t)&words[100];
            d.remote_mem_hndl = s->handle;
        }
        d.amo_cmd = i % 2 ? GNI_FMA_ATOMIC_FADD : GNI_FMA_ATOMIC_ADD;
        d.first_operand = 3;
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
    }
    s->ep = partner;
    side_meet(s);
    if (s->rank == 0)
        side_ok(s, words[100] == UINT64_C(2) * ADDS * 3);
    side_code(s, GNI_EpDestroy(ep), GNI_RC_SUCCESS);
    return side_end(s);
}

/* ---- events --------------------------------------------------------------------------------------------------- */

/* What each mode brings here and there, of a put and of a block transfer. */
static void modes_of(struct side *s, gni_post_type_t type)
{
    for (unsigned mode = 0; mode < 8 && s->why[0] == '\0'; mode++) {
        gni_post_descriptor_t d = side_post(s, type, 0, 64 * mode, 48);
        gni_post_descriptor_t *done = NULL;
        gni_return_t code = GNI_RC_SUCCESS;
        unsigned kinds = 0;
        d.cq_mode = (uint16_t)mode;
        if (s->rank == 0) {
            side_code(s,
                      type == GNI_POST_RDMA_PUT ? GNI_PostRdma(s->ep, &d) : GNI_PostFma(s->ep, &d),
                      GNI_RC_SUCCESS);
            for (unsigned i = 0; i < (mode & 1) + (mode >> 1 & 1); i++) {
                const gni_cq_entry_t e = side_event(s->local, &code);
                side_code(s, code, GNI_RC_SUCCESS);
                side_code(s, GNI_GetCompleted(s->local, e, &done), GNI_RC_SUCCESS);
                side_ok(s, done == &d && GNI_CQ_GET_TYPE(e) == GNI_CQ_EVENT_TYPE_POST);
                kinds |= d.cq_mode_complete;
            }
            side_ok(s, kinds == (mode & 3));
        } else if (mode & GNI_CQMODE_REMOTE_EVENT) {
            const gni_cq_entry_t e = side_event(s->remote, &code);
            side_code(s, code, GNI_RC_SUCCESS);
            side_ok(s, GNI_CQ_GET_INST_ID(e) == 0xABC000 + mode);
            side_ok(s, s->memory[64 * mode] == 0x11 && s->memory[64 * mode + 47] == 0x11);
        }
        side_meet(s);
        side_ok(s, GNI_CqTestEvent(s->local) == GNI_RC_NOT_DONE &&
                       GNI_CqTestEvent(s->remote) == GNI_RC_NOT_DONE);
        side_meet(s); /* both have looked before the next event is under way */
        if (s->rank == 0)
            side_code(s, GNI_EpSetEventData(s->ep, 1, 0xABC000 + mode + 1), GNI_RC_SUCCESS);
    }
}

static bool modes(struct side *s)
{
    if (!side_begin(s))
        return false;
    modes_of(s, GNI_POST_FMA_PUT);
    side_meet(s);
    memset(s->memory, 0x11 * (int)(s->rank + 1), SIDE_BYTES);
    side_code(s, GNI_EpSetEventData(s->ep, 1, 0xABC000), GNI_RC_SUCCESS);
    side_meet(s);
    modes_of(s, GNI_POST_RDMA_PUT);
    return side_end(s);
}

/* The flag behind what has come back is there, with this status, without an event. */
static void flagged(struct side *s, gni_post_descriptor_t *d, unsigned status)
{
    memset(s->memory, 0xEE, 128);
    d->cq_mode = GNI_CQMODE_SILENT;
    side_code(s, GNI_PostFma(s->ep, d), GNI_RC_SUCCESS);
    side_ok(s, side_arrives(s, 8 + d->length, (uint8_t)(status << 4 | 1)));
    side_ok(s, s->memory[7] == 0xEE && s->memory[8 + d->length + 4] == 0xEE);
}

/* Of gets of each size and of atomic operations; what was put with a flag was there before it. */
static void flags(struct side *s)
{
    for (unsigned bytes = 4; bytes <= 60 && s->why[0] == '\0'; bytes += 4) {
        gni_post_descriptor_t get = side_post(s, GNI_POST_FMA_GET_W_FLAG, 8, HALF + 5056, bytes);
        flagged(s, &get, 0);
        side_ok(s, s->memory[8] == 0x11 * (s->rank + 1) && s->memory[7 + bytes] == s->memory[8]);
    }
    gni_post_descriptor_t amo = side_post(s, GNI_POST_AMO_W_FLAG, 8, HALF + 5056, 8);
    amo.amo_cmd = GNI_FMA_ATOMIC_FADD;
    flagged(s, &amo, 0);
    side_ok(s, s->memory[8] == 0x11 * (s->rank + 1));
    amo.amo_cmd = GNI_FMA_ATOMIC_ADD;
    side_code(s, GNI_PostFma(s->ep, &amo), GNI_RC_ILLEGAL_OP);
    gni_post_descriptor_t wide = side_post(s, GNI_POST_FMA_GET_W_FLAG, 8, HALF + 5056, 64);
    side_code(s, GNI_PostFma(s->ep, &wide), GNI_RC_SIZE_ERROR);
}

/* Each delivery mode; a flag behind its data; a queue write. */
static bool delivery(struct side *s)
{
    if (!side_begin(s))
        return false;
    for (uint16_t mode = 0; mode <= GNI_DLVMODE_IN_ORDER && s->why[0] == '\0'; mode++) {
        gni_post_descriptor_t d = side_post(s, GNI_POST_FMA_PUT, 0, HALF + 256 * mode, 256);
        d.dlvr_mode = mode;
        side_code(s, side_do(s, &d), GNI_RC_SUCCESS);
        side_meet(s);
        side_ok(s, s->memory[HALF + 256 * mode] == untouched(s) &&
                       s->memory[HALF + 256 * mode + 255] == untouched(s));
    }
    gni_post_descriptor_t flag = side_post(s, GNI_POST_FMA_PUT_W_SYNCFLAG, 0, HALF + 5000, 1000);
    flag.sync_flag_addr = s->peer_memory + HALF + 4096;
    flag.sync_flag_value = 0xF1A6F1A6F1A6F1A6;
    _Atomic uint64_t *there = (_Atomic uint64_t *)(void *)(s->memory + HALF + 4096);
    side_code(s, GNI_PostFma(s->ep, &flag), GNI_RC_SUCCESS);
    while (*there != flag.sync_flag_value && s->why[0] == '\0') {
    }
    side_ok(s, s->memory[HALF + 5000] == untouched(s) && s->memory[HALF + 5999] == untouched(s));
    gni_return_t code;
    gni_post_descriptor_t *done;
    side_code(s, GNI_GetCompleted(s->local, side_event(s->local, &code), &done), GNI_RC_SUCCESS);
    side_meet(s);
    flags(s);
    gni_post_descriptor_t event = side_post(s, GNI_POST_CQWRITE, 0, 0, 0);
    event.cqwrite_value = 0x0000123456789ABC + s->rank;
    side_code(s, side_do(s, &event), GNI_RC_SUCCESS);
    side_ok(s, GNI_CQ_GET_DATA(side_event(s->remote, &code)) == 0x0000123456789ABC + 1 - s->rank);
    return side_end(s);
}

/*
 * More posts than a descriptor has in flight, and more than a queue has places for: refused, and good later. Each has an event of this
 * mode; between them posts without.
 */
static bool many_of(struct side *s, uint16_t mode)
{
    enum { POSTS = 400 };
    static gni_post_descriptor_t d[POSTS];
    gni_cq_handle_t small;
    gni_ep_handle_t ep;
    gni_cq_entry_t entry;
    unsigned posted = 0, over = 0, refused = 0, silent = 0;
    if (!side_begin(s))
        return false;
    side_code(s, GNI_CqCreate(s->nic, 100, 0, GNI_CQ_NOBLOCK, NULL, NULL, &small), GNI_RC_SUCCESS);
    side_code(s, GNI_EpCreate(s->nic, small, &ep), GNI_RC_SUCCESS);
    side_code(s, GNI_EpBind(ep, s->peer_address, s->peer_inst), GNI_RC_SUCCESS);
    const time_t begin = time(NULL);
    while (over < POSTS && side_ok(s, time(NULL) - begin < 20)) {
        gni_post_descriptor_t *done = NULL;
        gni_return_t code = GNI_RC_NOT_DONE;
        while (posted < POSTS) {
            d[posted] = side_post(s, GNI_POST_FMA_PUT, 16 * posted, HALF + 16 * posted, 16);
            d[posted].cq_mode = mode;
            gni_post_descriptor_t quiet = side_post(s, GNI_POST_FMA_PUT, 0, HALF + 16 * POSTS, 8);
            quiet.cq_mode = GNI_CQMODE_SILENT;
            if (posted % 8 == 0)
                silent += GNI_PostFma(ep, &quiet) == GNI_RC_SUCCESS;
            code = GNI_PostFma(ep, &d[posted]);
            if (code != GNI_RC_SUCCESS)
                break;
            posted++;
        }
        refused += code == GNI_RC_ERROR_RESOURCE;
        side_ok(s, code == GNI_RC_SUCCESS || code == GNI_RC_ERROR_RESOURCE || posted == POSTS);
        while (GNI_CqGetEvent(small, &entry) == GNI_RC_SUCCESS) {
            side_code(s, GNI_GetCompleted(small, entry, &done), GNI_RC_SUCCESS);
            over++;
        }
    }
    side_ok(s, refused > 0 && silent > 0);
    side_meet(s);
    for (unsigned i = 0; i < 16 * POSTS && s->why[0] == '\0'; i++)
        side_ok(s, side_arrives(s, HALF + i, untouched(s)));
    side_code(s, GNI_EpDestroy(ep), GNI_RC_SUCCESS);
    side_code(s, GNI_CqDestroy(small), GNI_RC_SUCCESS);
    return side_end(s);
}

static bool many(struct side *s)
{
    return many_of(s, GNI_CQMODE_GLOBAL_EVENT);
}

/* A local event says that the buffer is free; its transaction is under way. */
static bool many_local(struct side *s)
{
    return many_of(s, GNI_CQMODE_LOCAL_EVENT);
}

/* Up to the last of these places. */
static void at(enum places last, const char *what, bool (*test)(struct side *s), uint64_t seed)
{
    char why[SIDE_TEXT];
    for (enum places where = NODE_EACH; where <= last; where++) {
        const bool good = pair_run(test, seed, where, why);
        if (why[0] != '\0')
            tap_why("%s", why);
        tap_ok(good, "%s, %s", what, places_say(where));
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = test_seed(argc, argv);

    machine_begin("build/bin/machined", 2);
    at(NODES_ALL, "a word is put, and its event comes", word, seed);
    at(NODE_BOTH, "FMA puts and gets of any size to 4,096 bytes", fma, seed);
    at(NODES_ALL, "block transfers of any size, put from and got to any address", rdma, seed);
    at(NODE_EACH, "118 atomic operations", amos, seed);
    at(NODES_ALL, "additions of both to one word", adds, seed);
    at(NODES_ALL, "events of each mode", modes, seed);
    at(NODES_ALL, "each delivery mode, a flag, a queue write", delivery, seed);
    tap_ok(machine_end(), "the machine ends, its NICs refused no store");
    machine_begin_slow("build/bin/machined", 2);
    at(NODE_BOTH, "more posts than may be in flight", many, seed);
    at(NODE_BOTH, "the same, of which only local events are told", many_local, seed);
    tap_ok(machine_end(), "the machine ends, its NICs refused no store");
    return tap_done();
}
