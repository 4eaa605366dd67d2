// SPDX-License-Identifier: Apache-2.0
/*
 * put_word.c - a user's program: a word from node 0 to node 1, with the names of the Generic Network Interface alone.
 *
 *     make ugni && scripts/clients/run.sh build/bin/put_word
 *
 * Both know each other by address and id alone; a datagram brings the address of the word and its handle.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/host/ugni/gni_pub.h"

enum { PTAG = 1, COOKIE = 1, WORD = 0x1234 };

/* What the ends tell each other. */
struct where {
    uint64_t address;
    gni_mem_handle_t handle;
};

static void must(gni_return_t code, const char *what)
{
    if (code != GNI_RC_SUCCESS) {
        fprintf(stderr, "put_word: %s: %s\n", what, gni_err_str[code]);
        exit(1);
    }
}

static gni_cq_entry_t wait_for(gni_cq_handle_t queue)
{
    gni_cq_entry_t entry = 0;
    must(GNI_CqWaitEvent(queue, UINT64_MAX, &entry), "GNI_CqWaitEvent");
    return entry;
}

int main(void)
{
    static uint64_t word;
    gni_cdm_handle_t domain;
    gni_nic_handle_t nic;
    gni_cq_handle_t sent, came;
    gni_ep_handle_t ep;
    gni_post_state_t state;
    gni_post_descriptor_t *done;
    struct where us = {.address = (uintptr_t)&word}, them = {0};
    uint32_t address, from, id;
    const uint32_t node =
        getenv("HEDDLE_NODE") != NULL ? (uint32_t)strtoul(getenv("HEDDLE_NODE"), NULL, 10) : 0;

    must(GNI_CdmCreate(node, PTAG, COOKIE, GNI_CDM_MODE_FMA_SHARED, &domain), "GNI_CdmCreate");
    must(GNI_CdmAttach(domain, 0, &address, &nic), "GNI_CdmAttach");
    must(GNI_CqCreate(nic, 64, 0, GNI_CQ_NOBLOCK, NULL, NULL, &sent), "GNI_CqCreate");
    must(GNI_CqCreate(nic, 64, 0, GNI_CQ_NOBLOCK, NULL, NULL, &came), "GNI_CqCreate");
    must(GNI_MemRegister(nic, us.address, sizeof word, came, GNI_MEM_READWRITE, UINT32_MAX,
                         &us.handle),
         "GNI_MemRegister");
    must(GNI_EpCreate(nic, sent, &ep), "GNI_EpCreate");
    must(GNI_EpBind(ep, (1 - node) * 4, 1 - node),
         "GNI_EpBind"); /* a node's address is 4 times its number */
    must(GNI_EpPostData(ep, &us, sizeof us, &them, sizeof them), "GNI_EpPostData");
    must(GNI_EpPostDataWait(ep, UINT32_MAX, &state, &from, &id), "GNI_EpPostDataWait");

    if (node == 0) {
        gni_post_descriptor_t put = {.type = GNI_POST_FMA_PUT,
                                     .cq_mode = GNI_CQMODE_GLOBAL_EVENT | GNI_CQMODE_REMOTE_EVENT,
                                     .local_addr = us.address,
                                     .remote_addr = them.address,
                                     .remote_mem_hndl = them.handle,
                                     .length = sizeof word};
        word = WORD;
        must(GNI_PostFma(ep, &put), "GNI_PostFma");
        must(GNI_GetCompleted(sent, wait_for(sent), &done), "GNI_GetCompleted");
        printf("node 0: the word is at node 1\n");
    } else {
        const gni_cq_entry_t entry = wait_for(came);
        printf("node 1: %#" PRIx64 " from node %u\n", word, (unsigned)GNI_CQ_GET_INST_ID(entry));
    }
    return word == WORD ? 0 : 1;
}
