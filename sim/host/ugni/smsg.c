// SPDX-License-Identifier: Apache-2.0
/*
 * smsg.c - messages: a mailbox of slots in the receiver's memory, written by FMA puts.
 *
 *     mailbox   64 bytes: {count of slots that the peer has released 32, sum 32}, then a slot per credit
 *     slot      word 0 {0 8, data bytes 16, header bytes 16, tag 8, sequence + 1 16}, word 1 the sum of word 0, header and data, then these
 *
 * Packets of a message overtake each other, and a copy by the kernel is not atomic: a message is there when its sum is right. The sum
 * begins with a key of both ends' attributes, whose memory handles have a generation: what an earlier user of the memory left is no message.
 */
#include "sim/host/ugni/inside.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 64, TOP = 16 /* bytes of a slot before the header */ };

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint64_t sum_of(uint64_t h, const uint8_t *bytes, uint64_t count)
{
    uint64_t word;
    for (; count >= 8; count -= 8, bytes += 8) {
        memcpy(&word, bytes, 8);
        h = mix(h, word);
    }
    word = 0;
    memcpy(&word, bytes, count);
    return mix(h, word);
}

/* Of messages from one end to another. */
static uint64_t key_of(const gni_smsg_attr_t *from, const gni_smsg_attr_t *to)
{
    const gni_smsg_attr_t *const ends[2] = {from, to};
    uint64_t h = UINT64_C(0x6865646C65);
    for (unsigned i = 0; i < 2; i++) {
        h = mix(h, ends[i]->mem_hndl.qword1);
        h = mix(h, ends[i]->mem_hndl.qword2);
        h = mix(h, (uintptr_t)ends[i]->msg_buffer);
        h = mix(h, ends[i]->mbox_offset);
    }
    return h;
}

static uint64_t slot_bytes(const gni_smsg_attr_t *a)
{
    return HEAD + ((uint64_t)a->msg_maxsize + 63) / 64 * 64;
}

static uint64_t mailbox_bytes(const gni_smsg_attr_t *a)
{
    return HEAD + a->mbox_maxcredit * slot_bytes(a);
}

static bool is_type(gni_smsg_type_t type)
{
    return type == GNI_SMSG_TYPE_MBOX || type == GNI_SMSG_TYPE_MBOX_AUTO_RETRANSMIT;
}

gni_return_t GNI_SmsgBufferSizeNeeded(gni_smsg_attr_t *a, unsigned int *bytes)
{
    if (a == NULL || bytes == NULL || !is_type(a->msg_type) || a->mbox_maxcredit == 0 ||
        a->msg_maxsize == 0 || a->msg_maxsize > UINT16_MAX || mailbox_bytes(a) > UINT32_MAX)
        return GNI_RC_INVALID_PARAM;
    *bytes = (unsigned)mailbox_bytes(a);
    return GNI_RC_SUCCESS;
}

/* ---- begin and end --------------------------------------------------------------------------------------------- */

static gni_return_t check(const struct ep *e, const gni_smsg_attr_t *local,
                          const gni_smsg_attr_t *remote)
{
    unsigned bytes;
    uint64_t offset;
    gni_smsg_attr_t a = *local;
    const uint64_t here = (uintptr_t)local->msg_buffer + local->mbox_offset,
                   there = (uintptr_t)remote->msg_buffer + remote->mbox_offset;
    if (!e->bound || GNI_SmsgBufferSizeNeeded(&a, &bytes) != GNI_RC_SUCCESS ||
        local->msg_type != remote->msg_type || local->mbox_maxcredit != remote->mbox_maxcredit ||
        local->msg_maxsize != remote->msg_maxsize || local->buff_size < bytes || here % 8 != 0 ||
        there % 8 != 0 || local->msg_buffer == NULL ||
        !mem_offset(&remote->mem_hndl, there, bytes, &offset) ||
        mem_local(&local->mem_hndl, here, bytes, true) != GNI_RC_SUCCESS)
        return GNI_RC_INVALID_PARAM;
    return e->smsg.on ? GNI_RC_INVALID_STATE : GNI_RC_SUCCESS;
}

gni_return_t GNI_SmsgInit(gni_ep_handle_t ep, gni_smsg_attr_t *local, gni_smsg_attr_t *remote)
{
    sigset_t signals;
    if (local == NULL || remote == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    gni_return_t code = e == NULL          ? GNI_RC_INVALID_PARAM
                        : machine_forked() ? GNI_RC_INVALID_STATE
                                           : check(e, local, remote);
    uint8_t *image =
        code == GNI_RC_SUCCESS ? calloc(local->mbox_maxcredit, slot_bytes(local)) : NULL;
    if (code == GNI_RC_SUCCESS && image == NULL)
        code = GNI_RC_ERROR_NOMEM;
    if (code == GNI_RC_SUCCESS)
        e->smsg = (struct smsg){.on = true,
                                .local = *local,
                                .remote = *remote,
                                .key_in = key_of(remote, local),
                                .key_out = key_of(local, remote),
                                .slot = slot_bytes(local),
                                .image = image};
    ugni_unlock(&signals);
    return code;
}

void smsg_end(struct ep *e)
{
    free(e->smsg.image);
    e->smsg = (struct smsg){0};
}

gni_return_t GNI_SmsgSetMaxRetrans(gni_nic_handle_t nic, uint16_t tries)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct nic *n = handle_get(KIND_NIC, nic);
    if (n != NULL)
        n->retransmit = tries;
    ugni_unlock(&signals);
    return n != NULL ? GNI_RC_SUCCESS : GNI_RC_INVALID_PARAM;
}

/* ---- sending --------------------------------------------------------------------------------------------------------- */

static uint8_t *mailbox(const struct ep *e)
{
    return (uint8_t *)e->smsg.local.msg_buffer + e->smsg.local.mbox_offset;
}

/* The offset of the peer's mailbox in its segment. */
static uint64_t remote_offset(const struct ep *e)
{
    const gni_smsg_attr_t *r = &e->smsg.remote;
    uint64_t offset = 0;
    mem_offset(&r->mem_hndl, (uintptr_t)r->msg_buffer + r->mbox_offset, 0, &offset);
    return offset;
}

/* Slots that the peer has released, as it says in our mailbox. */
static uint32_t released(const struct ep *e)
{
    uint64_t word;
    memcpy(&word, mailbox(e), 8);
    const uint32_t count = (uint32_t)word, sum = (uint32_t)(word >> 32);
    const bool good =
        sum == (uint32_t)mix(e->smsg.key_in, count) && count <= e->smsg.sent && count != 0;
    return good ? count : 0;
}

static struct fma_target target_of(struct ep *e, bool event)
{
    return (struct fma_target){.node = ep_node(e),
                               .mdh = mem_mdh(&e->smsg.remote.mem_hndl),
                               .local_mdh = mem_mdh(&e->smsg.local.mem_hndl),
                               .queue = e->cq == NULL ? 0 : e->cq->queue,
                               .command = FMA_PUT,
                               .counted = event};
}

static uint64_t image_bytes(const uint8_t *image)
{
    uint64_t word;
    memcpy(&word, image, 8);
    return TOP + (word >> 24 & 0xFFFF) + (word >> 40 & 0xFFFF);
}

/* The transaction of a slot's image. */
static void write_slot(struct ep *e, uint32_t sequence, bool event, uint32_t number)
{
    const struct fma *f = &e->nic->descriptor->fma;
    const uint64_t slot = sequence % e->smsg.local.mbox_maxcredit;
    const uint8_t *image = e->smsg.image + slot * e->smsg.slot;
    const uint64_t to = remote_offset(e) + HEAD + slot * e->smsg.slot,
                   base = to / FMA_LINE * FMA_LINE;
    const struct fma_target t = target_of(e, true);
    const uint32_t inst = e->has_data ? e->remote_data : e->nic->cdm->inst;
    fma_open(f, &t, base);
    fma_write(f, to - base, image, image_bytes(image));
    fma_target_event(f, (uint64_t)GNI_CQ_EVENT_TYPE_SMSG << 54 | (uint64_t)(inst & 0xFFFFFF) << 30 |
                            mem_tag(&e->smsg.remote.mem_hndl));
    fma_close(f, FMA_TARGET_EVENT | (event ? FMA_GLOBAL_EVENT : 0), number);
}

/* The image of the next message. */
static uint8_t *make_image(struct ep *e, const void *header, uint32_t header_bytes,
                           const void *data, uint32_t data_bytes, uint8_t tag)
{
    struct smsg *s = &e->smsg;
    uint8_t *image = s->image + s->sent % s->local.mbox_maxcredit * s->slot;
    const uint64_t word = (uint64_t)(uint16_t)(s->sent + 1) | (uint64_t)tag << 16 |
                          (uint64_t)header_bytes << 24 | (uint64_t)data_bytes << 40;
    memcpy(image, &word, 8);
    if (header_bytes != 0)
        memcpy(image + TOP, header, header_bytes);
    if (data_bytes != 0)
        memcpy(image + TOP + header_bytes, data, data_bytes);
    const uint64_t sum = sum_of(mix(mix(s->key_out, s->sent), word), image + TOP,
                                (uint64_t)header_bytes + data_bytes);
    memcpy(image + 8, &sum, 8);
    return image;
}

static bool has_place(const struct ep *e)
{
    return e->smsg.sent - released(e) < e->smsg.local.mbox_maxcredit &&
           (e->cq == NULL || cq_has_room(e->cq));
}

static bool tell_released(struct ep *e);

static gni_return_t send(struct ep *e, void *header, uint32_t header_bytes, void *data,
                         uint32_t data_bytes, uint32_t msg_id, uint8_t tag)
{
    struct smsg *s = &e->smsg;
    struct post *p = NULL;
    uint32_t number = 0;
    if (!s->on)
        return GNI_RC_INVALID_STATE;
    if ((header_bytes != 0 && header == NULL) || (data_bytes != 0 && data == NULL) ||
        (uint64_t)header_bytes + data_bytes > s->slot - TOP)
        return GNI_RC_INVALID_PARAM;
    tell_released(e);
    const uint64_t to = remote_offset(e) + HEAD + s->sent % s->local.mbox_maxcredit * s->slot;
    const unsigned requests = fma_requests(to, TOP + (uint64_t)header_bytes + data_bytes);
    if (!has_place(e) || (e->cq == NULL ? !post_silent(e->nic->descriptor, requests)
                                        : !post_new(e->nic->descriptor, requests, &number, &p)))
        return GNI_RC_NOT_DONE;
    make_image(e, header, header_bytes, data, data_bytes, tag);
    if (p != NULL) {
        p->kind = POST_SMSG;
        p->events = 1;
        p->ep = e;
        p->cq = e->cq;
        p->msg_id = msg_id;
        p->sequence = s->sent;
        e->cq->due++;
        e->posts++;
    }
    write_slot(e, s->sent++, p != NULL, number);
    e->nic->stat[GNI_STAT_SMSG_BYTES_SENT] += header_bytes + data_bytes;
    return GNI_RC_SUCCESS;
}

bool smsg_again(uint32_t number, struct post *p, unsigned status)
{
    struct ep *e = p->ep;
    if (e == NULL || !e->smsg.on || e->smsg.local.msg_type != GNI_SMSG_TYPE_MBOX_AUTO_RETRANSMIT ||
        !status_recoverable(status) || p->tries++ >= e->nic->retransmit)
        return false;
    post_again(p);
    p->cq->due++;
    write_slot(e, p->sequence, true, number);
    return true;
}

gni_return_t GNI_SmsgSendWTag(gni_ep_handle_t ep, void *header, uint32_t header_bytes, void *data,
                              uint32_t data_bytes, uint32_t msg_id, uint8_t tag)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    const gni_return_t code = e == NULL ? GNI_RC_INVALID_PARAM
                              : machine_forked()
                                  ? GNI_RC_INVALID_STATE
                                  : send(e, header, header_bytes, data, data_bytes, msg_id, tag);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_SmsgSend(gni_ep_handle_t ep, void *header, uint32_t header_bytes, void *data,
                          uint32_t data_bytes, uint32_t msg_id)
{
    return GNI_SmsgSendWTag(ep, header, header_bytes, data, data_bytes, msg_id, 0);
}

/* ---- receiving ------------------------------------------------------------------------------------------------------- */

/* The next message, if it is whole; its header. */
static uint8_t *next(const struct ep *e, uint64_t *word)
{
    const struct smsg *s = &e->smsg;
    uint8_t *slot = mailbox(e) + HEAD + s->received % s->local.mbox_maxcredit * s->slot;
    uint64_t sum;
    memcpy(word, slot, 8);
    memcpy(&sum, slot + 8, 8);
    if ((uint16_t)*word != (uint16_t)(s->received + 1) || image_bytes(slot) > s->slot)
        return NULL;
    const bool whole =
        sum == sum_of(mix(mix(s->key_in, s->received), *word), slot + TOP, image_bytes(slot) - TOP);
    return whole ? slot + TOP : NULL;
}

static gni_return_t get_next(struct ep *e, void **header, uint8_t *tag)
{
    uint64_t word = 0;
    *header = NULL;
    if (!e->smsg.on)
        return GNI_RC_INVALID_STATE;
    tell_released(e);
    uint8_t *message = next(e, &word);
    if (message == NULL)
        return GNI_RC_NOT_DONE;
    const uint8_t is = (uint8_t)(word >> 16);
    if (*tag != GNI_SMSG_ANY_TAG && *tag != is) {
        *tag = is;
        return GNI_RC_NO_MATCH;
    }
    *tag = is;
    *header = message;
    if (!e->smsg.held)
        e->nic->stat[GNI_STAT_SMSG_BYTES_RCVD] += (uint32_t)(image_bytes(message - TOP) - TOP);
    e->smsg.held = true;
    return GNI_RC_SUCCESS;
}

gni_return_t GNI_SmsgGetNextWTag(gni_ep_handle_t ep, void **header, uint8_t *tag)
{
    sigset_t signals;
    if (header == NULL || tag == NULL)
        return GNI_RC_INVALID_PARAM;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    const gni_return_t code = e == NULL          ? GNI_RC_INVALID_PARAM
                              : machine_forked() ? GNI_RC_INVALID_STATE
                                                 : get_next(e, header, tag);
    ugni_unlock(&signals);
    return code;
}

gni_return_t GNI_SmsgGetNext(gni_ep_handle_t ep, void **header)
{
    uint8_t tag = GNI_SMSG_ANY_TAG;
    return GNI_SmsgGetNextWTag(ep, header, &tag);
}

/* An endpoint could not tell its peer what it has released. */
static bool late;

/* Once half of the slots are free that the peer does not know of, it is told their count. False: later. */
static bool tell_released(struct ep *e)
{
    struct smsg *s = &e->smsg;
    const struct fma *f = &e->nic->descriptor->fma;
    if (s->released == s->told || (s->released - s->told) * 2 < s->local.mbox_maxcredit)
        return true;
    if (!post_silent(e->nic->descriptor, 1)) {
        late = true;
        return false;
    }
    const uint64_t to = remote_offset(e), base = to / FMA_LINE * FMA_LINE,
                   word = (uint64_t)(uint32_t)mix(s->key_out, s->released) << 32 | s->released;
    const struct fma_target t = target_of(e, false);
    fma_open(f, &t, base);
    fma_write(f, to - base, &word, 8);
    fma_close(f, 0, 0);
    s->told = s->released;
    return true;
}

/* A receiver that waits for the next event calls nothing else, and the peer without a credit sends none. */
void smsg_tell_late(void)
{
    uint32_t at = 0;
    if (!late)
        return;
    late = false;
    for (struct ep *e; (e = handle_each(KIND_EP, &at)) != NULL;)
        if (e->smsg.on)
            tell_released(e);
}

gni_return_t GNI_SmsgRelease(gni_ep_handle_t ep)
{
    sigset_t signals;
    ugni_lock(&signals);
    struct ep *e = handle_get(KIND_EP, ep);
    gni_return_t code = e == NULL          ? GNI_RC_INVALID_PARAM
                        : machine_forked() ? GNI_RC_INVALID_STATE
                        : !e->smsg.on      ? GNI_RC_INVALID_STATE
                        : !e->smsg.held    ? GNI_RC_NO_MATCH
                                           : GNI_RC_SUCCESS;
    if (code == GNI_RC_SUCCESS) {
        e->smsg.held = false;
        e->smsg.received++;
        e->smsg.released++;
        tell_released(e);
    }
    ugni_unlock(&signals);
    return code;
}
