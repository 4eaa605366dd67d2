// SPDX-License-Identifier: Apache-2.0
/*
 * npt_words.h - contexts of npt as the words of its memories, and the heads of responses.
 */
#ifndef NPT_WORDS_H
#define NPT_WORDS_H

#include "nic/target/npt.h"

#define WHOM_BITS 33

static inline get_ecc_data pack_whom(const struct npt_context *context)
{
    return (get_ecc_data)(((get_ecc_data)context->mode << 30) | ((get_ecc_data)context->gen << 28) |
                          ((get_ecc_data)context->tag << 18) | context->src);
}

static inline struct npt_whom unpack_whom(get_ecc_data word)
{
    return (struct npt_whom){.src = (nic_node)word,
                             .tag = (nic_tag)(word >> 18),
                             .gen = (nic_gen)(word >> 28),
                             .mode = (u3)(word >> 30)};
}

static inline put_ecc_data pack_put(const struct npt_context *context)
{
    u1 event = context->cmd == CMD_PUT_MSG || context->cmd == CMD_CQWRITE;
    u23 rest = (u23)((u23)((u23)context->queue << 13) | (u23)((u23)context->ptag << 5) |
                     (u23)((u23)event << 4) | context->status);

    return (put_ecc_data)(((put_ecc_data)rest << WHOM_BITS) | pack_whom(context));
}

/* What END counts, or brings. */
static inline seq_ecc_data pack_seq(const struct npt_context *context)
{
    return (
        seq_ecc_data)(((seq_ecc_data)context->slot << 47) | ((seq_ecc_data)context->message << 46) |
                      ((seq_ecc_data)context->total << 14) | ((seq_ecc_data)context->wants << 13) |
                      ((seq_ecc_data)context->use << 11) | ((seq_ecc_data)context->ssid << 2) |
                      (seq_ecc_data)context->kind);
}

static inline flag_place_ecc_data pack_flag(const struct rmt_flag *flag)
{
    return (flag_place_ecc_data)(((flag_place_ecc_data)flag->wanted << 52) |
                                 ((flag_place_ecc_data)flag->offset << 12) |
                                 (flag_place_ecc_data)flag->mdh);
}

/* The flag that the oldest write, an END or NOTE, brings. */
struct npt_flag {
    struct rmt_flag flag;
    u1 corrected, fatal;
};

static inline struct npt_flag flag_of(const struct npt *self)
{
    struct flag_place_ecc_result place = flag_place_ecc_decode(self->flag_place);
    struct flag_value_ecc_result value = flag_value_ecc_decode(self->flag_value);

    return (struct npt_flag){
        .flag = {.wanted = (u1)(place.data >> 52),
                 .mdh = (nic_mdh)place.data,
                 .offset = (nic_offset)(place.data >> 12),
                 .value = value.data},
        .corrected = place.corrected | value.corrected,
        .fatal = place.fatal | value.fatal,
    };
}

/* ---- responses ----------------------------------------------------------------------------------- */

/* bytes: of data, 0 for an ack; an error has none. */
static inline beat_word response_head(struct npt_whom whom, nic_status_field status, nic_node who,
                                      u7 bytes, u1 note)
{
    u1 err = status != STATUS_OK;
    beat_word second =
        err ? ((beat_word)status << RSP_STATUS_AT) | ((beat_word)who << RSP_WHO_AT) : (beat_word)0;

    return second | ((beat_word)whom.src << REQ_NODE_AT) | ((beat_word)whom.mode << REQ_MODE_AT) |
           ((beat_word)rsp_flits(err, bytes) << REQ_LENGTH_AT) |
           ((beat_word)whom.tag << RSP_TAG_AT) | ((beat_word)whom.gen << RSP_GEN_AT) |
           ((beat_word)err << RSP_ERR_AT) | ((beat_word)note << RSP_NOTE_AT);
}

#endif
