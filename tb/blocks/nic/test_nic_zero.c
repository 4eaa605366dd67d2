// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_zero.c - what the registers of the NIC are after a reset: 0, but for those that are named here.
 *
 * So whoever looks at a waveform, or brings a netlist up, knows what it begins with, and no register of a block begins with
 * something that its block only happens not to look at.
 *
 * Built for proto: san.
 */
#include "tb/base/harness.h"
#include "nic/nic.h"

static struct nic a_nic, nic_wanted;
static uint64_t now;

/* The manager of host memory: bursts of 16 bytes a beat, INCR; answers are always taken. */
static struct axi_from_man manager(void)
{
    return (struct axi_from_man){
        .awsize = 4, .awburst = 1, .bready = 1, .arsize = 4, .arburst = 1, .rready = 1};
}

static void want_target(struct nic_target *target)
{
    struct axi_master *axi = &target->memory.axi;

    target->out.m_axi = manager();
    target->memory.out.m_axi = manager();
    axi->out.m_axi = manager();
    axi->out.room_write = axi->out.room_read = 1;
    axi->write.out.room = 1;
    axi->read.out.room = 1;
}

/* Queues of one class of beats say that nothing is in them. */
static void want_queues(struct nic *nic)
{
    nic->initiator.tarb.queue.out.empty = 1;
    nic->initiator.tarb.of_bte.out.empty = 1;
    nic->initiator.orb.responses.out.empty = 1;
    nic->target.rat_local.queue.out.empty = 1;
    nic->target.rat_net.queue.out.empty = 1;
    nic->target.amo.queue.out.empty = 1;
    nic->target.memory.parb.queue.queue.out.empty = 1;
    nic->target.memory.iommu.data.out.empty = 1;
}

static const unsigned hist_limits[7] = {8, 16, 32, 64, 128, 256, 511};

static void want_regs(struct nic_regs *regs)
{
    regs->out.s_axil = (struct axil_from_sub){.awready = 1, .wready = 1, .arready = 1};
    regs->out.wipe.valid = 1; /* of index 0; the next one is 1 */
    regs->wipes = 1;
    regs->wiped = 1;
    regs->epoch_clocks = regs->epoch_left = (uint64_t)1 << 30;
    regs->counters.turn = 2; /* the counters that are summed and written are the two before */
    regs->counters.out.summed = 1;
    regs->counters.clearing = 128;
    regs->hist_limit = 0;
    for (unsigned i = 0; i < 7; i++) {
        regs->hist_limit |= (u63)((u63)hist_limits[i] << (9 * i));
    }
}

/* Words that memories have given, of which rtlgen would not say that the reset leaves them out. */
static void leave_words(struct nic *nic)
{
    nic->initiator.ntt.entry = (ntt_ecc_word)-1;
    nic->initiator.tarb.queue.code = (beat_code)-1;
    nic->initiator.tarb.of_bte.code = (beat_code)-1;
    nic->initiator.orb.responses.code = (beat_code)-1;
    nic->initiator.orb.entries.where = (orb_where_ecc_word)-1;
    nic->initiator.orb.entries.what = (orb_what_ecc_word)-1;
    nic->initiator.orb.entries.began = (orb_units)-1;
    nic->target.rat_net.queue.code = (beat_code)-1;
    nic->target.rat_net.vmdh_code = (vmdh_ecc_word)-1;
    nic->target.rat_net.code = (mdd_code)-1;
    nic->target.npt.put_code = (put_ecc_word)-1;
    nic->target.npt.event_code = (event_ecc_word)-1;
    nic->target.npt.get_code = (get_ecc_word)-1;
    nic->target.amo.queue.code = (beat_code)-1;
    nic->target.memory.parb.queue.queue.code = (beat_code)-1;
    nic->target.amo.answer.code = (amo_answer_code)-1;
    nic->target.memory.parb.read_code = (parb_read_code)-1;
    nic->target.memory.axi.read.code = (beat_code)-1;
    nic->regs.counters.word = (u48)-1;
}

/* Bytes that differ; the first one is named. */
static unsigned differences(const char *name, const void *got, const void *wanted, size_t size)
{
    const unsigned char *a = got, *b = wanted;
    unsigned n = 0;

    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i] && n++ == 0) {
            tap_why("%s: byte %zu is 0x%02x, not 0x%02x", name, i, a[i], b[i]);
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    test_seed(argc, argv);
    harness_clock = &now;
    nic_wanted.out.m_axi = manager();
    nic_wanted.out.s_axil = (struct axil_from_sub){.awready = 1, .wready = 1, .arready = 1};
    want_target(&nic_wanted.target);
    want_queues(&nic_wanted);
    want_regs(&nic_wanted.regs);
    leave_words(&a_nic);
    nic_reset(&a_nic);
    /* holds nic.zero */
    tap_ok(differences("nic", &a_nic, &nic_wanted, sizeof a_nic) == 0,
           "a NIC after reset: all registers are 0 but for those that are meant not to be");
    return tap_done();
}
