// SPDX-License-Identifier: Apache-2.0
/*
 * test_nic_fields.c - the fields of packets in hls/nic/packet/nic_packet.h against those of golden/nic_packet.c: each field written
 * by one and read by the other, and lengths of all packets.
 *
 * Built for aries: fast; proto: san.
 */
#include <string.h>

#include "nic/netlink/nic_crc.h"
#include "nic/packet/nic_packet.h"
#include "tb/base/harness.h"
#include "tb/golden/nic/nic_packet.h"

struct row {
    enum nic_field field;
    unsigned width;
    uint64_t (*get)(beat_word word);
};

#define GET(name, call)                                                                            \
    static uint64_t name(beat_word w)                                                              \
    {                                                                                              \
        return (uint64_t)(call);                                                                   \
    }
GET(get_vc, BEAT_FIELD(w, REQ_VC_AT, 3))
GET(get_length, BEAT_FIELD(w, REQ_LENGTH_AT, 4))
GET(get_mode, req_mode(w))
GET(get_phase, BEAT_FIELD(w, REQ_PHASE_AT, 2))
GET(get_node, req_node(w))
GET(get_cmd, req_cmd(w))
GET(get_offset, req_offset(w))
GET(get_x, req_x(w))
GET(get_ptag, req_ptag(w))
GET(get_src, req_src(w))
GET(get_gen, req_gen(w))
GET(get_tag, req_tag(w))
GET(get_mdh, req_mdh(w))
GET(get_z, req_z(w))
GET(get_rmt, req_rmt(w))
GET(get_ssid, req_ssid(w))
GET(get_chk, rsp_chk(w))
GET(get_note, rsp_note(w))
GET(get_err, rsp_err(w))
GET(get_rsp_gen, rsp_gen(w))
GET(get_rsp_tag, rsp_tag(w))
GET(get_status, rsp_status(w))
GET(get_who, rsp_who(w))

static const struct row rows[NIC_FIELDS] = {
    {NIC_VC, 3, get_vc},
    {NIC_LENGTH, 4, get_length},
    {NIC_MODE, 3, get_mode},
    {NIC_PHASE, 2, get_phase},
    {NIC_NODE, 18, get_node},
    {NIC_CMD, 4, get_cmd},
    {NIC_OFFSET, 40, get_offset},
    {NIC_X, 4, get_x},
    {NIC_PTAG, 8, get_ptag},
    {NIC_SRC, 18, get_src},
    {NIC_GEN, 2, get_gen},
    {NIC_TAG, 10, get_tag},
    {NIC_MDH, 12, get_mdh},
    {NIC_Z, 6, get_z},
    {NIC_RMT, 1, get_rmt},
    {NIC_SSID, 9, get_ssid},
    {NIC_CHK, 4, get_chk},
    {NIC_NOTE, 1, get_note},
    {NIC_ERR, 1, get_err},
    {NIC_RSP_GEN, 2, get_rsp_gen},
    {NIC_RSP_TAG, 10, get_rsp_tag},
    {NIC_STATUS, 4, get_status},
    {NIC_WHO, 18, get_who},
};

static beat_word head_of(const uint64_t *flit)
{
    return (beat_word)flit[0] | (beat_word)flit[1] << 48 | (beat_word)flit[2] << 96;
}

/* Every bit of three flits at random, one field set: what hls reads is that, and it reads nothing of the rest. */
static void field(struct rng *rng, const struct row *row)
{
    struct misses wrong = {0};

    for (unsigned n = 0; n < 1000; n++) {
        uint64_t flit[3], turned[3];
        const uint64_t value = rng_next(rng) & ((UINT64_C(1) << row->width) - 1);

        for (unsigned i = 0; i < 3; i++) {
            flit[i] = rng_next(rng) >> 16;
            turned[i] = ~flit[i] & ((UINT64_C(1) << 48) - 1);
        }
        nic_set(flit, row->field, value);
        nic_set(turned, row->field, value);
        must_equal(&wrong, row->get(head_of(flit)), value, "field in flit 0 %#llx",
                   (unsigned long long)flit[0]);
        must_equal(&wrong, row->get(head_of(turned)), value, "field in flit 0 %#llx",
                   (unsigned long long)turned[0]);
        must_equal(&wrong, nic_get(flit, row->field), value, "field by golden");
    }
    tap_misses(&wrong, "%s stands where golden says", nic_places[row->field].name);
}

static void lengths(void)
{
    struct misses wrong = {0};
    unsigned packets = 0, codes = 0;

    for (unsigned cmd = 0; cmd < 16; cmd++) {
        for (unsigned z = 0; z < 64; z++) {
            for (unsigned x = 0; x < 2; x++, packets++) {
                const struct nic_packet p = {.cmd = cmd, .z = z, .x = x};
                const beat_word word =
                    (beat_word)cmd | (beat_word)x << REQ_X_AT | (beat_word)z << REQ_Z_AT;
                const unsigned flits =
                    cmd == CMD_GET ? 3 : 3 + (unsigned)payload_flits(req_payload(word));

                must_equal(&wrong, req_payload(word), nic_payload(&p), "cmd %u z %u x %u: payload",
                           cmd, z, x);
                must_equal(&wrong, flits & 15, nic_flits(&p) & 15, "cmd %u z %u x %u: flits", cmd,
                           z, x);
            }
        }
    }
    for (unsigned bytes = 0; bytes <= NIC_PAYLOAD; bytes += 4, packets++) {
        const struct nic_packet p = {.response = true, .bytes = bytes};

        must_equal(&wrong, rsp_flits(0, (u7)bytes), nic_flits(&p), "response of %u bytes: flits",
                   bytes);
    }
    must_equal(&wrong, rsp_flits(1, 0), 2, "rsp_flits(1, 0)");
    tap_misses(&wrong, "lengths of %u packets", packets);
    for (unsigned n = 0; n < 48; n++) {
        const uint64_t flit = UINT64_C(1) << n;

        codes +=
            nic_chk((rtr_flit)(nic_covered((rtr_flit)flit) & ~(rtr_flit)0xF)) != nic_check(flit);
    }
    tap_ok(codes == 0, "chk of every bit");
}

int main(int argc, char **argv)
{
    struct rng rng;

    rng_seed(&rng, test_seed(argc, argv));
    for (unsigned i = 0; i < NIC_FIELDS; i++) {
        field(&rng, &rows[i]);
    }
    lengths();
    return tap_done();
}
