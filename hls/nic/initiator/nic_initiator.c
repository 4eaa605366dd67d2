// SPDX-License-Identifier: Apache-2.0
/*
 * nic_initiator.c - joins of the half that sends requests.
 */
#include "nic/initiator/nic_initiator.h"

HLS_RESET void nic_initiator_reset(struct nic_initiator *self)
{
    self->out = (struct nic_initiator_out){};
    pio_reset(&self->pio);
    nic_fma_reset(&self->fma);
    tarb_reset(&self->tarb);
    ntt_reset(&self->ntt);
    ssid_reset(&self->ssid);
    orb_reset(&self->orb);
}

static inline nic_counts all_counts(const struct nic_initiator *self)
{
    u1 corrected =
        self->fma.out.corrected |
        (u1)((self->tarb.out.count >> TARB_CORRECTED) | (self->ntt.out.count >> NTT_CORRECTED) |
             (self->ssid.out.count >> SSID_CORRECTED) | (self->orb.out.count >> ORB_CORRECTED));

    return counters(corrected, 0, 1, NUMBER(MEMORY_CORRECTED)) |
           counters(self->fma.out.fatal, 0, 1, NUMBER(MEMORY_UNCORRECTABLE)) |
           counters(self->pio.out.count, PIO_BAD_BURST, PIO_COUNTS, NUMBER(PIO_BAD_BURST)) |
           counters(self->fma.out.count, FMA_NO_ID, FMA_COUNTS, NUMBER(FMA_NO_ID)) |
           counters(self->tarb.out.count, TARB_FATAL, 1, NUMBER(TARB_UNCORRECTABLE)) |
           counters(self->ntt.out.count, NTT_FATAL, 1, NUMBER(NTT_UNCORRECTABLE)) |
           counters(self->ssid.out.count, SSID_OPENED, 7, NUMBER(SSID_OPENED)) |
           counters(self->ssid.out.count, SSID_OLD, 1, NUMBER(SSID_OLD)) |
           counters(self->ssid.out.count, SSID_OVERFLOW, 1, NUMBER(SSID_OVERFLOW)) |
           counters(self->orb.out.count, ORB_REQUESTS, 8, NUMBER(ORB_REQUESTS)) |
           counters(self->tarb.out.count, TARB_STALLED, 1, NUMBER(ORB_STALLED));
}

static inline struct nic_sent all_sent(const struct nic_initiator *self)
{
    const struct beat *request = &self->orb.out.forward;
    u1 head = request->valid & request->head;

    return (struct nic_sent){
        .request_bytes = head ? (nic_amount)req_payload(request->word) : (nic_amount)0,
        .request_flits = head ? (nic_amount)req_flits(request->word) : (nic_amount)0,
        .response_bytes = self->orb.out.brought,
    };
}

static inline void forward(struct nic_initiator *self)
{
    self->out.s_axi = self->pio.out.s_axi;
    self->out.request = self->orb.out.forward;
    self->out.response_room = self->orb.out.room_response;
    self->out.local = self->orb.out.local;
    self->out.event = self->ssid.out.event;
    self->out.launch = self->fma.out.launch;
    self->out.launched_taken = self->fma.out.launched_taken;
    self->out.room_bte = self->tarb.out.room_bte;
    self->out.tags_bte = self->ssid.out.room_bte;
#if NIC_CE
    self->out.room_ce = self->tarb.out.room_ce;
    self->out.join = self->fma.out.join;
#endif
    self->out.over = self->ssid.out.done;
    self->out.fault = self->ssid.out.fault;
    self->out.access = self->pio.out.access;
}

HLS_MODULE void nic_initiator(struct nic_initiator *self, const struct nic_initiator_in *in)
{
    struct pio_in to_pio = {
        .s_axi = in->s_axi,
        .config = in->config,
        .write = in->write,
        .fma = self->fma.out.answer,
        .cq = in->queue,
    };
    struct nic_fma_in to_fma = {
        .run = self->pio.out.run,
        .chunk = self->pio.out.chunk,
        .note = self->ssid.out.done,
        .launched = in->launched,
        .launch = in->launch,
        .room = self->tarb.out.room,
#if NIC_CE
        .room_join = in->room_join,
#endif
        .write = in->write,
        .wipe = in->wipe,
    };
    struct tarb_in to_tarb = {
        .fma = self->fma.out.beat,
        .bte = in->bte,
#if NIC_CE
        .ce = in->ce,
#endif
        .orb_room = self->orb.out.room,
        .tags = self->orb.out.tags,
        .note = self->ssid.out.note,
    };
    struct ntt_in to_ntt = {.tarb = self->tarb.out.beat, .write = in->write, .wipe = in->wipe};
    struct ssid_in to_ssid = {
        .request = self->ntt.out.beat,
        .answer = self->orb.out.answer,
        .note_taken = self->tarb.out.note_taken,
        .back = self->orb.out.back,
        .write = in->write,
        .room_event = in->room_event,
        .wipe = in->wipe,
        .config = in->config,
    };
    struct orb_in to_orb = {
        .request = self->ssid.out.forward,
        .response = in->response,
        .room_request = in->room_request,
        .room_local = in->room_local,
        .refused = in->refused,
        .done = in->done,
        .wipe = in->wipe,
        .config = in->config,
    };

    self->out.count = all_counts(self);
    self->out.info = self->orb.out.info;
    self->out.addr = self->pio.out.addr;
    self->out.sent = all_sent(self);
    self->out.time = self->orb.out.time;
    self->out.idle = self->tarb.out.idle & self->ssid.out.idle & self->orb.out.idle;
#if DEV_MAINT
    self->out.answered = self->orb.out.idle;
#endif
    pio(&self->pio, &to_pio);
    nic_fma(&self->fma, &to_fma);
    tarb(&self->tarb, &to_tarb);
    ntt(&self->ntt, &to_ntt);
    ssid(&self->ssid, &to_ssid);
    orb(&self->orb, &to_orb);
    forward(self);
}
