// SPDX-License-Identifier: Apache-2.0
/* moves.c - puts and gets: a command to the chip, or what the host does in its place. */
#include "sim/host/portals/portals.h"
#include "sim/host/portals/ptl_inside.h"

enum { PAGE = 0x1000 };

static int move(ptl_handle_md_t handle, bool get, ptl_size_t offset, ptl_size_t length,
                ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t pt, ptl_ac_index_t ac,
                ptl_match_bits_t bits, ptl_size_t remote, ptl_hdr_data_t data)
{
    struct ptl_ni *ni = ptl_ni_of(handle);
    const unsigned index = ptl_handle_index(handle);
    if (!ni || ptl_handle_kind(handle) != KIND_MD || index >= PTL_INDICES)
        return PTL_MD_INVALID;
    const struct ptl_descriptor *d = &ni->node->md[index];
    if (!d->used || d->use != ptl_handle_use(handle))
        return PTL_MD_INVALID;
    if (offset + length > d->length)
        return PTL_MD_ILLEGAL;
    if (pt >= PTL_PORTALS)
        return PTL_PT_INDEX_INVALID;
    if (ac >= 8)
        return PTL_AC_INDEX_INVALID;
    if (target.nid > 0x7FFF || target.pid > 0xFFFF)
        return PTL_PROCESS_INVALID;
    if (!ni->accelerated)
        return generic_move(ni, index, get, ack == PTL_ACK_REQ, target, pt, ac, bits, remote, data,
                            offset, length);
    const uint64_t word[7] = {(handle & 0xFFFF) | (uint64_t)target.pid << 16 |
                                  (uint64_t)target.nid << 32 | (uint64_t)pt << 47 |
                                  (uint64_t)ac << 53 | (uint64_t)(ack == PTL_ACK_REQ) << 56,
                              bits, data, remote, offset};
    ptl_command(ni->node, PAGE * ni->slot + LINE_REQUESTS, word, get ? OP_GET : OP_PUT, 0, length);
    return PTL_OK;
}

/* Length of a descriptor; 0 of one that is not there. */
static ptl_size_t whole(ptl_handle_md_t handle)
{
    const struct ptl_ni *ni = ptl_ni_of(handle);
    return ni && ptl_handle_index(handle) < PTL_INDICES
               ? ni->node->md[ptl_handle_index(handle)].length
               : 0;
}

int PtlPut(ptl_handle_md_t md, ptl_ack_req_t ack, ptl_process_id_t target, ptl_pt_index_t pt,
           ptl_ac_index_t ac, ptl_match_bits_t bits, ptl_size_t remote_offset, ptl_hdr_data_t data)
{
    return move(md, false, 0, whole(md), ack, target, pt, ac, bits, remote_offset, data);
}

int PtlPutRegion(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length, ptl_ack_req_t ack,
                 ptl_process_id_t target, ptl_pt_index_t pt, ptl_ac_index_t ac,
                 ptl_match_bits_t bits, ptl_size_t remote_offset, ptl_hdr_data_t data)
{
    return move(md, false, offset, length, ack, target, pt, ac, bits, remote_offset, data);
}

int PtlGet(ptl_handle_md_t md, ptl_process_id_t target, ptl_pt_index_t pt, ptl_ac_index_t ac,
           ptl_match_bits_t bits, ptl_size_t remote_offset)
{
    return move(md, true, 0, whole(md), PTL_NOACK_REQ, target, pt, ac, bits, remote_offset, 0);
}

int PtlGetRegion(ptl_handle_md_t md, ptl_size_t offset, ptl_size_t length, ptl_process_id_t target,
                 ptl_pt_index_t pt, ptl_ac_index_t ac, ptl_match_bits_t bits,
                 ptl_size_t remote_offset)
{
    return move(md, true, offset, length, PTL_NOACK_REQ, target, pt, ac, bits, remote_offset, 0);
}
