// SPDX-License-Identifier: Apache-2.0
/*
 * test_ugni_messages.c - messages in mailboxes and datagrams between two processes, on two nodes and both on one. --messages N: so many of
 * them, each way, over cables that spoil packets.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/host/test/pairs.h"
#include "tb/base/harness.h"

enum {
    CREDITS = 8,
    MOST = 300,
    MESSAGES = 60,
    FILL = 2000, /* more transactions than a descriptor has */
    CREDIT_SECONDS = 20,
    FEW = 5 /* less than there are slots: the first of the next ones would fit */
};

/* ---- mailboxes --------------------------------------------------------------------------------------------- */

/* Both ends of a mailbox at an offset of the memory, which is as it is. */
static bool mailbox(struct side *s, uint32_t offset, uint16_t credits, uint32_t most)
{
    gni_smsg_attr_t us = {.msg_type = GNI_SMSG_TYPE_MBOX_AUTO_RETRANSMIT,
                          .msg_buffer = s->memory,
                          .mem_hndl = s->handle,
                          .mbox_offset = offset,
                          .mbox_maxcredit = credits,
                          .msg_maxsize = most},
                    them;
    if (!side_code(s, GNI_SmsgBufferSizeNeeded(&us, &us.buff_size), GNI_RC_SUCCESS))
        return false;
    side_exchange(s, &us, &them, sizeof us);
    return side_code(s, GNI_SmsgInit(s->ep, &us, &them), GNI_RC_SUCCESS) &&
           side_code(s, GNI_EpSetEventData(s->ep, s->inst, 0x5A0000 + s->rank), GNI_RC_SUCCESS);
}

static uint8_t byte_of(unsigned rank, unsigned message, unsigned at)
{
    return (uint8_t)(message * 31 + at * 7 + rank * 101);
}

struct flow {
    unsigned sent, sent_events, received;
    bool busy_once; /* no credit once */
};

static unsigned size_of(unsigned message)
{
    return message % (MOST + 1) * 5 % (MOST + 1);
}

static void send_next(struct side *s, struct flow *f)
{
    uint8_t data[MOST];
    uint32_t header[2] = {f->sent, size_of(f->sent)};
    for (unsigned i = 0; i < header[1]; i++)
        data[i] = byte_of(s->rank, f->sent, i);
    const gni_return_t code = GNI_SmsgSendWTag(s->ep, header, sizeof header, data, header[1],
                                               0xFFFFFF00 + f->sent, (uint8_t)(f->sent % 30));
    f->sent += code == GNI_RC_SUCCESS;
    f->busy_once |= code == GNI_RC_NOT_DONE;
    side_ok(s, code == GNI_RC_SUCCESS || code == GNI_RC_NOT_DONE);
}

/* One event per message, each with the id of its message. */
static void read_local(struct side *s, struct flow *f)
{
    gni_cq_entry_t e;
    while (GNI_CqGetEvent(s->local, &e) == GNI_RC_SUCCESS && s->why[0] == '\0') {
        side_ok(s, GNI_CQ_GET_TYPE(e) == GNI_CQ_EVENT_TYPE_SMSG &&
                       (uint32_t)(GNI_CQ_GET_MSG_ID(e) - 0xFFFFFF00) < f->sent);
        f->sent_events++;
    }
}

static void read_message(struct side *s, struct flow *f)
{
    uint32_t *header = NULL;
    uint8_t tag = GNI_SMSG_ANY_TAG;
    const gni_return_t code = GNI_SmsgGetNextWTag(s->ep, (void **)&header, &tag);
    if (code == GNI_RC_NOT_DONE)
        return;
    uint8_t other = (uint8_t)(tag + 1);
    if (!side_code(s, code, GNI_RC_SUCCESS))
        return;
    side_ok(s, header[0] == f->received && header[1] == size_of(f->received) &&
                   tag == f->received % 30);
    const uint8_t *data = (const uint8_t *)(header + 2);
    for (unsigned i = 0; i < header[1]; i++)
        side_ok(s, data[i] == byte_of(1 - s->rank, f->received, i));
    side_code(s, GNI_SmsgGetNextWTag(s->ep, (void **)&header, &other), GNI_RC_NO_MATCH);
    side_code(s, GNI_SmsgRelease(s->ep), GNI_RC_SUCCESS);
    side_code(s, GNI_SmsgRelease(s->ep), GNI_RC_NO_MATCH);
    f->received++;
}

/* Both ways at once; the event of a message never comes before it. */
static void flow(struct side *s, unsigned messages)
{
    struct flow f = {0};
    unsigned events = 0;
    gni_cq_entry_t e;
    while ((f.received < messages || f.sent_events < messages || events < messages) &&
           s->why[0] == '\0') {
        if (f.sent < messages)
            send_next(s, &f);
        const gni_return_t code = GNI_CqGetEvent(s->remote, &e);
        if (code == GNI_RC_SUCCESS) {
            events++;
            side_ok(s, GNI_CQ_GET_INST_ID(e) == 0x5A0001 - s->rank);
            const unsigned before = f.received;
            if (before < events)
                read_message(s, &f);
            side_ok(s, f.received >= events);
        } else if (code == GNI_RC_NOT_DONE)
            usleep(50);
        read_local(s, &f);
    }
    side_ok(s, (f.busy_once || messages < CREDITS) &&
                   GNI_CqTestEvent(s->local) == GNI_RC_NOT_DONE &&
                   GNI_CqTestEvent(s->remote) == GNI_RC_NOT_DONE);
}

static bool messages(struct side *s)
{
    return side_begin(s) && mailbox(s, 1024, CREDITS, MOST) && (flow(s, MESSAGES), side_end(s));
}

/* The same over cables that spoil packets: none is lost, none comes twice, though they come in any order. */
static unsigned over_spoiled = 300;

static bool spoiled(struct side *s)
{
    alarm(120 + over_spoiled / 20);
    return side_begin(s) && mailbox(s, 1024, CREDITS, MOST) && (flow(s, over_spoiled), side_end(s));
}

/*
 * Side 1 releases all slots while its descriptor has no place left for the count of them, and then only looks for events: the peer,
 * which has no credit, gets them all the same.
 */
static void fill_descriptor(struct side *s, gni_post_descriptor_t d[], unsigned most,
                            unsigned *posted)
{
    gni_return_t code = GNI_RC_SUCCESS;
    for (*posted = 0; *posted < most && code == GNI_RC_SUCCESS; *posted += code == GNI_RC_SUCCESS) {
        d[*posted] = side_post(s, GNI_POST_FMA_PUT, 0, SIDE_BYTES / 2, 8);
        code = GNI_PostFma(s->ep, &d[*posted]);
    }
    side_code(s, code, GNI_RC_ERROR_RESOURCE);
}

static void take_all_but_late(struct side *s)
{
    static gni_post_descriptor_t d[FILL];
    void *header;
    gni_return_t code;
    unsigned posted;
    for (unsigned i = 0; i < CREDITS; i++) {
        side_event(s->remote, &code);
        side_code(s, code, GNI_RC_SUCCESS);
    }
    fill_descriptor(s, d, FILL, &posted);
    for (unsigned i = 0; i < CREDITS && s->why[0] == '\0'; i++) {
        uint8_t tag = GNI_SMSG_ANY_TAG;
        side_code(s, GNI_SmsgGetNextWTag(s->ep, &header, &tag), GNI_RC_SUCCESS);
        side_code(s, GNI_SmsgRelease(s->ep), GNI_RC_SUCCESS);
    }
    for (unsigned i = 0; i < posted && s->why[0] == '\0'; i++) {
        side_event(s->local, &code);
        side_code(s, code, GNI_RC_SUCCESS);
    }
    side_event(s->remote, &code);
    side_code(s, code, GNI_RC_SUCCESS);
}

static void send_one_more(struct side *s)
{
    const time_t begin = time(NULL);
    gni_return_t code = GNI_RC_SUCCESS;
    for (unsigned i = 0; i < CREDITS; i++)
        side_code(s, GNI_SmsgSendWTag(s->ep, NULL, 0, "x", 1, i, 0), GNI_RC_SUCCESS);
    do {
        code = GNI_SmsgSendWTag(s->ep, NULL, 0, "x", 1, CREDITS, 0);
        usleep(50);
    } while (code == GNI_RC_NOT_DONE && time(NULL) - begin < CREDIT_SECONDS);
    side_code(s, code, GNI_RC_SUCCESS);
}

static bool late_credits(struct side *s)
{
    if (!side_begin(s) || !mailbox(s, 0, CREDITS, MOST))
        return false;
    side_meet(s);
    if (s->rank == 0)
        send_one_more(s);
    else
        take_all_but_late(s);
    return side_end(s);
}

/* A message whose event nobody reads: when its memory is registered no more the event is told no more. */
static void unread(struct side *s)
{
    gni_return_t code;
    side_code(s, GNI_SmsgSendWTag(s->ep, NULL, 0, "x", 1, 0, 0), GNI_RC_SUCCESS);
    side_event(s->local, &code);
    side_code(s, code, GNI_RC_SUCCESS);
    while (GNI_CqTestEvent(s->remote) == GNI_RC_NOT_DONE && s->why[0] == '\0')
        usleep(50);
    side_meet(s);
}

/* A mailbox whose memory has the messages of another one is empty, in a new registration, and zeroed in the same. */
static bool again(struct side *s)
{
    void *header;
    uint8_t tag = GNI_SMSG_ANY_TAG;
    if (!side_begin(s) || !mailbox(s, 0, CREDITS, MOST))
        return false;
    flow(s, FEW);
    for (unsigned zeroed = 0; zeroed < 2; zeroed++) {
        side_meet(s);
        if (!zeroed)
            unread(s);
        side_code(s, GNI_EpDestroy(s->ep), GNI_RC_SUCCESS);
        if (zeroed)
            memset(s->memory, 0, SIDE_BYTES);
        else {
            side_code(s, GNI_MemDeregister(s->nic, &s->handle), GNI_RC_SUCCESS);
            side_code(s, GNI_CqTestEvent(s->remote), GNI_RC_NOT_DONE);
            side_code(s,
                      GNI_MemRegister(s->nic, (uintptr_t)s->memory, SIDE_BYTES, s->remote,
                                      GNI_MEM_READWRITE, UINT32_MAX, &s->handle),
                      GNI_RC_SUCCESS);
        }
        side_code(s, GNI_EpCreate(s->nic, s->local, &s->ep), GNI_RC_SUCCESS);
        side_code(s, GNI_EpBind(s->ep, s->peer_address, s->peer_inst), GNI_RC_SUCCESS);
        if (!mailbox(s, 0, CREDITS, MOST))
            return false;
        side_code(s, GNI_SmsgGetNextWTag(s->ep, &header, &tag), GNI_RC_NOT_DONE);
        side_meet(s);
        flow(s, FEW);
    }
    return side_end(s);
}

/* ---- datagrams ------------------------------------------------------------------------------------------------ */

struct told {
    gni_post_state_t state;
    uint32_t address, inst;
};

static gni_return_t wait_for(gni_ep_handle_t ep, uint64_t id, uint32_t ms, struct told *t)
{
    return GNI_EpPostDataWaitById(ep, id, ms, &t->state, &t->address, &t->inst);
}

/* Two that are over: the one that a probe told is its reader's, the other may be cancelled and is then told by no probe. */
static void over_and_cancelled(struct side *s, gni_ep_handle_t bound, gni_ep_handle_t open)
{
    struct told t = {0};
    uint64_t id = 0;
    side_code(s, GNI_EpPostDataWId(open, NULL, 0, NULL, 0, 40), GNI_RC_SUCCESS);
    side_code(s, GNI_EpPostDataWId(bound, NULL, 0, NULL, 0, 41), GNI_RC_SUCCESS);
    side_code(s, GNI_PostDataProbeById(s->nic, &id), GNI_RC_SUCCESS);
    side_ok(s, id == 40 || id == 41);
    gni_ep_handle_t told = id == 40 ? open : bound, other = id == 40 ? bound : open;
    side_code(s, GNI_EpPostDataCancelById(told, id), GNI_RC_NO_MATCH);
    side_code(s, GNI_EpPostDataCancelById(other, 81 - id), GNI_RC_SUCCESS);
    side_code(s, wait_for(told, id, 100, &t), GNI_RC_SUCCESS);
    side_ok(s, t.state == GNI_POST_COMPLETED);
    side_code(s, GNI_PostDataProbeById(s->nic, &id), GNI_RC_NO_MATCH);
    side_code(s, wait_for(other, other == open ? 40 : 41, 100, &t), GNI_RC_SUCCESS);
    side_ok(s, t.state == GNI_POST_COMPLETED);
}

/* A bound one meets an unbound one; two bound ones meet each other; what is cancelled, and what is not there. */
static bool datagrams(struct side *s)
{
    char out[GNI_DATAGRAM_MAXSIZE] = "of side 0", in[GNI_DATAGRAM_MAXSIZE] = "";
    gni_ep_handle_t open;
    struct told t = {0};
    uint64_t id = 0;
    if (!side_begin(s))
        return false;
    out[8] = (char)('0' + s->rank);
    side_code(s, GNI_EpCreate(s->nic, NULL, &open), GNI_RC_SUCCESS);
    gni_ep_handle_t mine = s->rank == 0 ? open : s->ep;
    side_code(s, GNI_PostDataProbeById(s->nic, &id), GNI_RC_NO_MATCH);
    side_meet(s);
    side_code(s, GNI_EpPostDataWId(mine, out, 128, in, 128, 5 + s->rank), GNI_RC_SUCCESS);
    side_code(s, GNI_EpPostDataWId(mine, out, 128, in, 128, 9), GNI_RC_ERROR_RESOURCE);
    side_code(s, GNI_PostdataProbeWaitById(s->nic, UINT32_MAX, &id), GNI_RC_SUCCESS);
    side_ok(s, id == 5 + s->rank);
    side_code(s, wait_for(mine, 7, 0, &t), GNI_RC_NO_MATCH);
    side_code(s, wait_for(mine, id, UINT32_MAX, &t), GNI_RC_SUCCESS);
    side_ok(s, t.state == GNI_POST_COMPLETED && t.address == s->peer_address &&
                   t.inst == s->peer_inst && in[8] == (char)('1' - s->rank));
    side_code(s, wait_for(mine, id, 0, &t), GNI_RC_NO_MATCH);
    for (unsigned i = 0; i < 50 && s->why[0] == '\0'; i++) { /* crossing */
        in[0] = 0;
        side_code(s, GNI_EpPostDataWId(s->ep, out, 20, in, 20, i), GNI_RC_SUCCESS);
        side_code(s, wait_for(s->ep, i, UINT32_MAX, &t), GNI_RC_SUCCESS);
        side_ok(s, t.state == GNI_POST_COMPLETED && in[8] == (char)('1' - s->rank) && in[20] == 0);
    }
    side_meet(s);
    side_code(s, GNI_EpPostDataWId(open, NULL, 0, NULL, 0, 0), GNI_RC_SUCCESS);
    side_code(s, wait_for(open, 0, 30, &t), GNI_RC_TIMEOUT);
    side_code(s, GNI_EpPostDataCancelById(open, 1), GNI_RC_NO_MATCH);
    side_code(s, GNI_EpPostDataCancelById(open, 0), GNI_RC_SUCCESS);
    side_code(s, GNI_PostDataProbeById(s->nic, &id), GNI_RC_NO_MATCH);
    side_code(s, wait_for(open, 0, 100, &t), GNI_RC_SUCCESS);
    side_ok(s, t.state == GNI_POST_TERMINATED);
    gni_ep_handle_t self; /* one that is bound to its own domain meets the unbound one there */
    side_code(s, GNI_EpCreate(s->nic, NULL, &self), GNI_RC_SUCCESS);
    side_code(s, GNI_EpBind(self, s->address, s->inst), GNI_RC_SUCCESS);
    side_code(s, GNI_EpPostDataWId(open, NULL, 0, in, 128, 0), GNI_RC_SUCCESS);
    side_code(s, GNI_EpPostDataWId(self, out, 20, NULL, 0, 77), GNI_RC_SUCCESS);
    side_code(s, wait_for(open, 0, 5000, &t), GNI_RC_SUCCESS);
    side_ok(s, t.state == GNI_POST_COMPLETED && t.address == s->address && t.inst == s->inst &&
                   in[8] == (char)('0' + s->rank));
    side_code(s, wait_for(self, 77, 5000, &t), GNI_RC_SUCCESS);
    over_and_cancelled(s, self, open);
    side_code(s, GNI_EpDestroy(self), GNI_RC_SUCCESS);
    side_code(s, GNI_EpDestroy(open), GNI_RC_SUCCESS);
    side_meet(s); /* the other's next one would meet what is unbound here */
    side_code(s, GNI_EpPostDataWId(s->ep, out, 129, in, 1, 0), GNI_RC_SIZE_ERROR);
    side_code(s, GNI_EpPostDataWId(s->ep, out, 20, in, s->rank == 0 ? 10 : 20, 3), GNI_RC_SUCCESS);
    in[15] = 'x';
    side_code(s, wait_for(s->ep, 3, UINT32_MAX, &t),
              s->rank == 0 ? GNI_RC_SIZE_ERROR : GNI_RC_SUCCESS);
    return side_end(s);
}

/* As UCX ends its thread that waits: an endpoint bound to itself is destroyed with its datagram; signals do not end the wait. */
static void on_alarm(int number)
{
    (void)number;
}

static void *waits(void *of)
{
    struct side *s = of;
    uint64_t id = 0;
    side_code(s, GNI_PostdataProbeWaitById(s->nic, UINT32_MAX, &id), GNI_RC_SUCCESS);
    side_ok(s, id == 1);
    return NULL;
}

static bool closing(struct side *s)
{
    pthread_t thread;
    gni_ep_handle_t ep;
    uint64_t id;
    const struct sigaction act = {.sa_handler = on_alarm};
    const struct timespec some = {.tv_nsec = 3000000};
    if (!side_begin(s))
        return false;
    sigaction(SIGUSR1, &act, NULL);
    for (unsigned i = 0; i < 20 && s->why[0] == '\0'; i++) {
        pthread_create(&thread, NULL, waits, s);
        nanosleep(&some, NULL);
        pthread_kill(thread, SIGUSR1);
        nanosleep(&some, NULL);
        side_code(s, GNI_EpCreate(s->nic, NULL, &ep), GNI_RC_SUCCESS);
        side_code(s, GNI_EpBind(ep, s->address, s->inst), GNI_RC_SUCCESS);
        side_code(s, GNI_EpPostDataWId(ep, NULL, 0, NULL, 0, 1), GNI_RC_SUCCESS);
        side_code(s, GNI_EpDestroy(ep), GNI_RC_SUCCESS);
        pthread_join(thread, NULL);
        side_code(s, GNI_PostDataProbeById(s->nic, &id), GNI_RC_NO_MATCH);
    }
    return side_end(s);
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
    uint64_t seed = 1;
    test_options(argc, argv, &seed,
                 args_unsigned("--messages", &over_spoiled, 1, 1 << 20,
                               "messages each way over cables that spoil packets"));

    machine_begin("build/bin/machined", 2);
    at(NODES_ALL,
       "messages of each size, both ways: whole, once, in order, and behind no event of theirs",
       messages, seed);
    at(NODES_ALL, "mailboxes that are used again", again, seed);
    at(NODES_ALL, "datagrams", datagrams, seed);
    at(NODES_ALL, "a thread that waits for datagrams", closing, seed);
    tap_ok(machine_end(), "the machine ends, its NICs refused no store");
    machine_begin_slow("build/bin/machined", 2);
    at(NODE_EACH, "slots that were released while the descriptor was full: the peer is told later",
       late_credits, seed);
    tap_ok(machine_end(), "a slow machine ends");
    machine_begin_spoiled("build/bin/machined", 2, seed);
    at(NODE_EACH, "messages over cables that spoil a packet of a hundred", spoiled, seed);
    tap_ok(machine_end() && machine_spoiled() > 0,
           "bits were wrong on the cables, and no store was refused");
    return tap_done();
}
