// SPDX-License-Identifier: Apache-2.0
/*
 * error.c - names of results, of statuses of events, and of statistics.
 */
#include "sim/host/ugni/inside.h"

#include <stdio.h>

const char *gni_err_str[] = {
    "GNI_RC_SUCCESS",          "GNI_RC_NOT_DONE",        "GNI_RC_INVALID_PARAM",
    "GNI_RC_ERROR_RESOURCE",   "GNI_RC_TIMEOUT",         "GNI_RC_PERMISSION_ERROR",
    "GNI_RC_DESCRIPTOR_ERROR", "GNI_RC_ALIGNMENT_ERROR", "GNI_RC_INVALID_STATE",
    "GNI_RC_NO_MATCH",         "GNI_RC_SIZE_ERROR",      "GNI_RC_TRANSACTION_ERROR",
    "GNI_RC_ILLEGAL_OP",       "GNI_RC_ERROR_NOMEM"};

const char *gni_statistic_str[] = {"SMSG_BYTES_SENT", "SMSG_BYTES_RCVD", "FMA_PUTS",
                                   "FMA_GETS",        "FMA_AMOS",        "RDMA_PUTS",
                                   "RDMA_GETS",       "REGISTRATIONS",   "DATAGRAMS"};

/* enum nic_status; whether what failed so may be tried again. */
static const struct {
    const char *says;
    bool again;
} statuses[16] = {{"OK", true},
                  {"uncorrectable error of a memory", true},
                  {"bad command", false},
                  {"address translation", false},
                  {"no such block of handles", false},
                  {"no such memory handle", false},
                  {"no right to the memory", false},
                  {"beyond the end of the memory", false},
                  {"sequence", true},
                  {"timeout", true},
                  {"data", false},
                  {"endpoint unreachable", true},
                  {"no buffer", true},
                  {"bus error of the host", false},
                  {"collective engine", false},
                  {"too many requests outstanding", true}};

bool status_recoverable(unsigned status)
{
    return statuses[status & 15].again;
}

gni_return_t GNI_CqErrorStr(gni_cq_entry_t entry, void *text, uint32_t length)
{
    static const char *const sources[8] = {"nothing", "SSID_SREQ", "SSID_DREQ", "SSID_SRSP",
                                           "BTE",     "RMT_SREQ",  "RMT_DREQ",  "RMT_SRSP"};
    if (text == NULL || length == 0)
        return GNI_RC_INVALID_PARAM;
    const int n = snprintf(text, length, "%s: %s%s", sources[GNI_CQ_GET_SOURCE(entry)],
                           statuses[GNI_CQ_GET_STATUS(entry)].says,
                           GNI_CQ_OVERRUN(entry) ? "; events before it were lost" : "");
    return n >= 0 && (uint32_t)n < length ? GNI_RC_SUCCESS : GNI_RC_SIZE_ERROR;
}

gni_return_t GNI_CqErrorRecoverable(gni_cq_entry_t entry, uint32_t *recoverable)
{
    if (recoverable == NULL)
        return GNI_RC_INVALID_PARAM;
    *recoverable = status_recoverable((unsigned)GNI_CQ_GET_STATUS(entry));
    return GNI_RC_SUCCESS;
}
