// SPDX-License-Identifier: Apache-2.0
/*
 * nic.c - joins of the NIC; reads as the picture of hls/nic/README.md.
 *
 * Nothing is computed here but which counter is whose. Every block sees the registers of the others as they were before
 * this clock, so the order of the calls does not matter.
 */
#include "nic/nic.h"

HLS_RESET void nic_reset(struct nic *self)
{
    self->out = (struct nic_out){
        .m_axi = {.awsize = AXI_SIZE16,
                  .awburst = AXI_INCR,
                  .bready = 1,
                  .arsize = AXI_SIZE16,
                  .arburst = AXI_INCR,
                  .rready = 1},
        .s_axil = {.awready = 1, .wready = 1, .arready = 1},
    };
    self->settling = 0;
    pio_reset(&self->pio);
    nic_fma_reset(&self->fma);
    tarb_reset(&self->tarb);
    ntt_reset(&self->ntt);
    ssid_reset(&self->ssid);
    orb_reset(&self->orb);
    rat_reset(&self->rat_local);
    rat_reset(&self->rat_net);
    npt_reset(&self->npt);
    cq_reset(&self->cq);
    parb_reset(&self->parb);
    axi_master_reset(&self->axi);
    nic_regs_reset(&self->regs);
}

/* ---- counters -------------------------------------------------------------------------------------- */

#define NUMBER(counter) (NR_##counter - NR_REGISTER_REFUSED)

/* Bits [from, from + n) of a block's counts, as counters from `at` on. */
static inline nic_counts counts(u64 bits, int from, int n, int at)
{
    return (nic_counts)(((bits >> from) & (((u64)1 << n) - 1)) << at);
}

static inline nic_counts initiator_counts(const struct nic *self)
{
    return counts(self->pio.out.count, PIO_BAD_BURST, PIO_COUNTS, NUMBER(PIO_BAD_BURST)) |
           counts(self->fma.out.count, FMA_NO_ID, FMA_COUNTS, NUMBER(FMA_NO_ID)) |
           counts(self->tarb.out.count, TARB_FATAL, 1, NUMBER(TARB_UNCORRECTABLE)) |
           counts(self->ntt.out.count, NTT_FATAL, 1, NUMBER(NTT_UNCORRECTABLE)) |
           counts(self->ssid.out.count, SSID_OPENED, 7, NUMBER(SSID_OPENED)) |
           counts(self->ssid.out.count, SSID_OLD, 1, NUMBER(SSID_OLD)) |
           counts(self->orb.out.count, ORB_REQUESTS, 8, NUMBER(ORB_REQUESTS)) |
           counts(self->cq.out.count, CQ_EVENTS, 6, NUMBER(CQ_EVENTS));
}

static inline nic_counts target_counts(const struct nic *self)
{
    u1 refused = (u1)(self->rat_local.out.count >> RAT_UNCORRECTABLE != 0);
    u1 uncorrectable =
        (u1)((self->parb.out.count >> PARB_FATAL) | (self->axi.out.write_count >> AXI_WRITE_FATAL) |
             (self->axi.out.read_count >> AXI_READ_FATAL));

    return counts(self->rat_net.out.count, RAT_LOST, RAT_COUNTS - RAT_LOST, NUMBER(RAT_LOST)) |
           counts(self->rat_local.out.count, RAT_LOST, 1, NUMBER(LOCAL_LOST)) |
           counts(refused, 0, 1, NUMBER(LOCAL_REFUSED)) |
           counts(self->npt.out.count, NPT_LOST, NPT_COUNTS - NPT_LOST, NUMBER(NPT_LOST)) |
           counts(uncorrectable, 0, 1, NUMBER(MEMORY_UNCORRECTABLE)) |
           counts(self->axi.out.write_count, AXI_WRITE_ERROR, 2, NUMBER(WRITE_ERROR)) |
           counts(self->axi.out.read_count, AXI_READ_ERROR, 4, NUMBER(READ_ERROR));
}

/* One wrong bit somewhere. */
static inline nic_counts corrected(const struct nic *self, const struct nic_in *in)
{
    u1 any =
        (u1)((self->tarb.out.count >> TARB_CORRECTED) | (self->ntt.out.count >> NTT_CORRECTED) |
             (self->ssid.out.count >> SSID_CORRECTED) | (self->orb.out.count >> ORB_CORRECTED) |
             (self->cq.out.count >> CQ_CORRECTED) | (self->rat_net.out.count >> RAT_CORRECTED) |
             (self->rat_local.out.count >> RAT_CORRECTED) | (self->npt.out.count >> NPT_CORRECTED) |
             (self->parb.out.count >> PARB_CORRECTED) |
             (self->axi.out.write_count >> AXI_WRITE_CORRECTED) |
             (self->axi.out.read_count >> AXI_READ_CORRECTED) | (in->netlink >> NETLINK_CORRECTED));

    return counts(any, 0, 1, NUMBER(MEMORY_CORRECTED));
}

static inline nic_counts netlink_counts(const struct nic_in *in)
{
    return counts(in->netlink, NETLINK_SPOILT, 5, NUMBER(NETLINK_SPOILT)) |
           counts(in->netlink, NETLINK_FATAL, 1, NUMBER(NETLINK_UNCORRECTABLE));
}

/* ---- what is under way ------------------------------------------------------------------------------ */

/* Requests of other nodes. */
static inline u1 target_idle(const struct nic *self)
{
    return self->rat_net.out.idle & self->npt.out.idle;
}

static inline u1 all_idle(const struct nic *self)
{
    return target_idle(self) & self->tarb.out.idle & self->ssid.out.idle & self->orb.out.idle &
           self->rat_local.out.idle & self->cq.out.idle & self->parb.out.idle &
           self->axi.out.idle_write & self->axi.out.idle_read;
}

/* ---- a clock ----------------------------------------------------------------------------------------- */

static inline void forward(struct nic *self)
{
    self->out.s_axi = self->pio.out.s_axi;
    self->out.m_axi = self->axi.out.m_axi;
    self->out.s_axil = self->regs.out.s_axil;
    self->out.irq = self->regs.out.irq;
    self->out.to_request = self->orb.out.forward;
    self->out.to_response = self->npt.out.response;
    self->out.request_room = self->rat_net.out.room;
    self->out.response_room = self->orb.out.room_response;
}

HLS_MODULE void nic(struct nic *self, const struct nic_in *in)
{
    const struct nic_write write = self->regs.out.write;
    const struct nic_wipe wipe = self->regs.out.wipe;
    const struct nic_config config = self->regs.out.config;
    const struct mem_done done = self->axi.out.done;

    struct nic_regs_in to_regs = {
        .s_axil = in->s_axil,
        .count =
            initiator_counts(self) | target_counts(self) | netlink_counts(in) | corrected(self, in),
        .raised = self->cq.out.raised,
        .idle = all_idle(self),
        .settled = !self->settling,
    };
    struct pio_in to_pio = {.s_axi = in->s_axi,
                            .config = config,
                            .fma = self->fma.out.answer,
                            .cq = self->cq.out.reply};
    struct nic_fma_in to_fma = {
        .run = self->pio.out.run,
        .chunk = self->pio.out.chunk,
        .note = self->ssid.out.done,
        .room = self->tarb.out.room,
        .write = write,
        .wipe = wipe,
    };
    struct tarb_in to_tarb = {.fma = self->fma.out.beat, .orb_room = self->orb.out.room};
    struct ntt_in to_ntt = {.tarb = self->tarb.out.beat, .write = write, .wipe = wipe};
    struct ssid_in to_ssid = {
        .request = self->ntt.out.beat,
        .answer = self->orb.out.answer,
        .room_event = self->cq.out.room_ssid,
        .wipe = wipe,
        .config = config,
    };
    struct orb_in to_orb = {
        .request = self->ssid.out.forward,
        .response = in->response,
        .room_request = in->room_request,
        .room_local = self->rat_local.out.room,
        .refused = self->rat_local.out.context,
        .done = done,
        .wipe = wipe,
        .config = config,
    };
    struct rat_in to_local = {
        .request = self->orb.out.local,
        .is_local = 1,
        .client = MEM_LOCAL,
        .room_memory = self->parb.out.room[PARB_LOCAL],
        .room_read = 1,
        .room_write = 1,
        .write = write,
        .wipe = wipe,
        .config = config,
    };
    struct rat_in to_net = {
        .request = in->request,
        .is_local = 0,
        .client = MEM_TARGET,
        .room_memory = self->parb.out.room[PARB_TARGET],
        .room_read = self->npt.out.room_read,
        .room_write = self->npt.out.room_write,
        .write = write,
        .wipe = wipe,
        .config = config,
    };
    struct npt_in to_npt = {
        .context = self->rat_net.out.context,
        .done = done,
        .reply = self->axi.out.reply,
        .room_response = in->room_response,
        .room_event = self->cq.out.room_npt,
        .config = config,
    };
    struct cq_in to_cq = {
        .ssid = self->ssid.out.event,
        .npt = self->npt.out.event,
        .page = self->pio.out.access,
        .done = done,
        .room_memory = self->parb.out.room[PARB_CQ],
        .write = write,
        .wipe = wipe,
        .config = config,
    };
    struct parb_in to_parb = {
        .access = {self->rat_net.out.memory, self->rat_local.out.memory, self->cq.out.memory},
        .room_write = self->axi.out.room_write,
        .room_read = self->axi.out.room_read,
        .done = done,
    };
    struct axi_master_in to_axi = {
        .m_axi = in->m_axi,
        .write = self->parb.out.write,
        .read = self->parb.out.read,
        .room_reply = self->npt.out.room_reply,
    };

    self->settling = (self->settling | self->regs.out.settle) & !target_idle(self);
    pio(&self->pio, &to_pio);
    nic_fma(&self->fma, &to_fma);
    tarb(&self->tarb, &to_tarb);
    ntt(&self->ntt, &to_ntt);
    ssid(&self->ssid, &to_ssid);
    orb(&self->orb, &to_orb);
    rat(&self->rat_local, &to_local);
    rat(&self->rat_net, &to_net);
    npt(&self->npt, &to_npt);
    cq(&self->cq, &to_cq);
    parb(&self->parb, &to_parb);
    axi_master(&self->axi, &to_axi);
    nic_regs(&self->regs, &to_regs);
    forward(self);
}
