// SPDX-License-Identifier: Apache-2.0
/*
 * nic_peers.c - requests of peers, and answers to the NIC's own.
 */
#include "tb/system/nic/nic_peers.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_PEER = 0x700 };

/* ---- requests to the NIC ----------------------------------------------------------------------------- */

beat_word peer_head(unsigned cmd, uint64_t offset, unsigned x, unsigned z, unsigned mode)
{
    beat_word w = 0;

    w = BEAT_WITH(w, REQ_CMD_AT, 4, cmd);
    w = BEAT_WITH(w, REQ_NODE_AT, 18, PEERS_NODE);
    w = BEAT_WITH(w, REQ_MODE_AT, 3, mode);
    w = BEAT_WITH(w, REQ_X_AT, 4, x);
    w = BEAT_WITH(w, REQ_PTAG_AT, 8, PEERS_PTAG);
    w = BEAT_WITH(w, REQ_MDH_AT, 12, PEERS_HANDLE);
    w = BEAT_WITH(w, REQ_Z_AT, 6, z);
    return req_with_offset(w, (nic_offset)offset);
}

/* A tag that is free, or PEER_MOST. */
static unsigned free_tag(const struct nic_peers *p, const struct peer *k)
{
    for (unsigned t = 0; t < k->outstanding; t++) {
        if (!k->busy[t] && k->free_at[t] <= p->clock) {
            return t;
        }
    }
    return PEER_MOST;
}

static bool begin_request(struct nic_peers *p, struct peer *k)
{
    unsigned tag = k->request != NULL ? free_tag(p, k) : PEER_MOST, bytes;
    beat_word head;

    if (tag == PEER_MOST) {
        return false;
    }
    bytes = k->request(&p->rng, k->sent++, &head);
    head = BEAT_WITH(head, REQ_SRC_AT, 18, k->node);
    head = BEAT_WITH(head, REQ_TAG_AT, 10, tag);
    k->busy[tag] = true;
    p->beats = 1 + (bytes + BEAT_BYTES - 1) / BEAT_BYTES;
    p->beat = 0;
    p->packet[0] = (struct beat){.valid = 1, .head = 1, .tail = bytes == 0, .word = head};
    for (unsigned i = 1; i < p->beats; i++) {
        p->packet[i] = (struct beat){.valid = 1, .tail = i + 1 == p->beats, .word = (beat_word)1};
    }
    return true;
}

static struct beat next_request(struct nic_peers *p)
{
    for (unsigned i = 0; p->beat == p->beats && p->nic.out.request_room && i < PEERS; i++) {
        p->turn = (p->turn + 1) % PEERS;
        if (begin_request(p, &p->peer[p->turn])) {
            break;
        }
    }
    return p->beat != p->beats ? p->packet[p->beat++] : (struct beat){0};
}

static void take_answer(struct nic_peers *p, const struct beat *beat)
{
    unsigned peer;

    if (!beat->valid || !beat->head) {
        return;
    }
    peer = (unsigned)req_node(beat->word) - FIRST_PEER;
    if (peer < PEERS) {
        struct peer *k = &p->peer[peer];
        unsigned tag = (unsigned)rsp_tag(beat->word);

        k->busy[tag] = false;
        k->free_at[tag] = p->clock + PEER_DELAY;
        k->answered++;
    }
}

/* ---- requests of the NIC ------------------------------------------------------------------------------ */

static void take_request(struct nic_peers *p, const struct beat *beat)
{
    beat_word answer = 0;

    if (!beat->valid || !beat->head || req_node(beat->word) != PEER_ANSWERS) {
        return;
    }
    answer = BEAT_WITH(answer, REQ_NODE_AT, 18, PEERS_NODE);
    answer = BEAT_WITH(answer, REQ_LENGTH_AT, 4, 1);
    answer = BEAT_WITH(answer, RSP_TAG_AT, 10, req_tag(beat->word));
    answer = BEAT_WITH(answer, RSP_GEN_AT, 2, req_gen(beat->word));
    p->answer[p->answers_in++ % 1024] = (struct peer_answer){p->clock + PEER_DELAY, answer};
}

static struct beat next_answer(struct nic_peers *p)
{
    const struct peer_answer *a = &p->answer[p->answers_out % 1024];

    if (p->answers_out == p->answers_in || a->due > p->clock || !p->nic.out.response_room) {
        return (struct beat){0};
    }
    p->answers_out++;
    return (struct beat){.valid = 1, .head = 1, .tail = 1, .word = a->head};
}

/* ---- a clock ------------------------------------------------------------------------------------------ */

void nic_peers_clock(struct nic_peers *p)
{
    driver_drive(&p->driver);
    p->in.s_axi = p->driver.axi;
    p->in.s_axil = p->driver.lite;
    host_step(p->host, &p->nic.out.m_axi, &p->in.m_axi);
    driver_take(&p->driver, &p->nic.out.s_axi, &p->nic.out.s_axil);
    p->in.request = next_request(p);
    p->in.response = next_answer(p);
    p->in.room_request = 1;
    p->in.room_response = 1;
    nic(&p->nic, &p->in);
    take_request(p, &p->nic.out.to_request);
    take_answer(p, &p->nic.out.to_response);
    p->clock++;
}

void nic_peers_run(struct nic_peers *p, uint64_t clocks)
{
    while (clocks-- > 0) {
        nic_peers_clock(p);
    }
}

void nic_peers_ask(struct nic_peers *p, unsigned peer, peer_request *request, unsigned outstanding)
{
    p->peer[peer].request = request;
    p->peer[peer].outstanding = outstanding;
}

/* ---- registers ---------------------------------------------------------------------------------------- */

static void until_idle(struct nic_peers *p)
{
    for (unsigned patience = PEERS_PATIENCE; !driver_idle(&p->driver); patience--) {
        if (patience == 0) {
            fprintf(stderr, "nic_peers: an access is not answered within %d clocks\n",
                    PEERS_PATIENCE);
            exit(1);
        }
        nic_peers_clock(p);
    }
}

void nic_peers_write(struct nic_peers *p, unsigned address, uint64_t value)
{
    driver_register(&p->driver,
                    &(struct driver_register){.address = (uint16_t)address, .data = value});
    until_idle(p);
}

static bool is_ready(struct nic_peers *p)
{
    driver_register(&p->driver, &(struct driver_register){.read = true, .address = NR_STATUS});
    until_idle(p);
    return (p->driver.register_answer >> NR_STATUS_READY_AT & 1) != 0;
}

struct nic_peers *nic_peers_new(uint64_t seed, unsigned latency, uint64_t epoch)
{
    struct nic_peers *p = calloc(1, sizeof(*p));
    unsigned mdd = NR_MDD + NR_MDD_STEP * PEERS_HANDLE;

    if (p == NULL) {
        abort();
    }
    rng_seed(&p->rng, seed);
    nic_reset(&p->nic);
    p->host = host_new(PEERS_MEMORY, seed + 1, NULL, NULL);
    host_set(p->host, &(struct host_knobs){.latency = latency});
    driver_start(&p->driver, seed + 2);
    for (unsigned i = 0; i < PEERS; i++) {
        p->peer[i].node = FIRST_PEER + i;
    }
    while (!is_ready(p)) {
    }
    nic_peers_write(p, NR_NODE, PEERS_NODE);
    nic_peers_write(p, NR_ORB_EPOCH, epoch);
    nic_peers_write(p, NR_PHYS_BASE, 0);
    nic_peers_write(p, NR_PHYS_SIZE, PEERS_MEMORY);
    nic_peers_write(p, mdd,
                    (uint64_t)1 << NR_MDD_READ_AT | (uint64_t)1 << NR_MDD_WRITE_AT |
                        (uint64_t)1 << NR_MDD_ATOMIC_AT | (uint64_t)1 << NR_MDD_VALID_AT);
    nic_peers_write(p, mdd + 1, PEERS_MEMORY | (uint64_t)PEERS_PTAG << NR_MDD1_PTAG_AT);
    nic_peers_write(p, NR_CONTROL, 1 << NR_CONTROL_ENABLE_AT);
    return p;
}

void nic_peers_free(struct nic_peers *p)
{
    host_free(p->host);
    driver_stop(&p->driver);
    free(p);
}
