// SPDX-License-Identifier: Apache-2.0
/*
 * nic_cover.c - packets and steps that were seen.
 */
#include "tb/system/nic/nic_cover.h"

#include <stdio.h>

static const char *const commands[16] = {
    "GET", "PUT",  "AMO",  "FAMO",     "PUT_MSG",           "CQWRITE",
    "END", "NOTE", "SEND", "SEND_END", [CMD_OPEN] = "OPEN", [CMD_CLOSE] = "CLOSE"};
static const char *const statuses[16] = {"OK",        "UNCORRECTABLE", "BAD_COMMAND", "TRANSLATION",
                                         "VMDH",      "MDD",           "PROTECTION",  "BOUNDS",
                                         "SEQUENCE",  "TIMEOUT",       "DATA",        "UNREACHABLE",
                                         "NO_BUFFER", "BUS",           "CE",          "status 15"};

/* Statuses that the target has for a command, a bit each; those of double-bit errors are tb/system/chip/test_chip_bits.c's. */
enum {
    OF_ANY = 1 << STATUS_OK | 1 << STATUS_VMDH | 1 << STATUS_MDD | 1 << STATUS_PROTECTION,
    OF_MEMORY = OF_ANY | 1 << STATUS_TRANSLATION | 1 << STATUS_BOUNDS,
};
static const uint16_t wanted[16] = {
    [CMD_GET] = OF_MEMORY | 1 << STATUS_BUS | 1 << STATUS_DATA,
    [CMD_PUT] = OF_MEMORY | 1 << STATUS_BUS | 1 << STATUS_UNREACHABLE,
    [CMD_AMO] = OF_MEMORY | 1 << STATUS_BAD_COMMAND | 1 << STATUS_BUS | 1 << STATUS_DATA,
    [CMD_FAMO] = OF_MEMORY,
    [CMD_PUT_MSG] = OF_MEMORY,
    [CMD_CQWRITE] = OF_ANY,
};

static const char *const ssid_kinds[COVER_KINDS] = {"nothing", "OPEN", "request", "refused",
                                                    "CLOSE"};
static const char *const orb_kinds[COVER_KINDS] = {
    [ORB_NOTHING] = "nothing", [ORB_END] = "end",     [ORB_FLAG] = "flag",
    [ORB_HEAD] = "response",   [ORB_SCRUB] = "scrub",
};
static const char *const cq_kinds[COVER_KINDS] = {"nothing", "configuration", "event", "page",
                                                  "scan"};

/* What the programs of nic_program.h let fma_packet send. */
enum {
    OF_FMA = 1 << CMD_GET | 1 << CMD_PUT | 1 << CMD_AMO | 1 << CMD_FAMO | 1 << CMD_PUT_MSG |
             1 << CMD_CQWRITE | 1 << CMD_OPEN | 1 << CMD_CLOSE,
};

static const char *const queues[COVER_QUEUES] = {"orb", "rat_net", "rat_local"};

void nic_cover_packet(struct nic_cover *c, int class, beat_word head)
{
    if (class == 0) {
        c->asked[req_src(head) % COVER_NODES][req_tag(head)] = (uint8_t)req_cmd(head);
        return;
    }
    unsigned command = c->asked[req_node(head) % COVER_NODES][rsp_tag(head)];

    c->answered[command][rsp_err(head) ? (unsigned)rsp_status(head) : STATUS_OK]++;
}

void nic_cover_look(struct nic_cover *c, const struct nic *n)
{
    c->ssid[n->initiator.ssid.op.kind]++;
    c->orb[n->initiator.orb.op.kind]++;
    c->cq[n->target.cq.op.kind]++;

    const struct fma_packet *fma = &n->initiator.fma.packet;
    const struct beat_queue *queue[COVER_QUEUES] = {
        &n->initiator.orb.responses, &n->target.rat_net.queue, &n->target.rat_local.queue};

    c->fma[fma->request.cmd] += fma->out.beat.valid && fma->out.beat.tail;
    c->aborted += fma->out.beat.valid && fma->out.beat.tail && fma->request.aborted;
    for (unsigned q = 0; q < COVER_QUEUES; q++) {
        c->queue[q] += queue[q]->rd[0] != queue[q]->wr[0];
    }
    c->full += !n->target.rat_net.queue.out.fits;
}

void nic_cover_row(cJSON *rows, const char *name, uint64_t hits)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "name", name);
    cJSON_AddNumberToObject(row, "hits", (double)hits);
    cJSON_AddItemToArray(rows, row);
}

static void add_kinds(cJSON *rows, const char *block, const char *const *names,
                      const uint64_t *hits)
{
    char name[64];

    for (unsigned i = 1; i < COVER_KINDS; i++) { /* 0: nothing */
        snprintf(name, sizeof(name), "%s: %s", block, names[i]);
        nic_cover_row(rows, name, hits[i]);
    }
}

static void add_fma(cJSON *rows, const struct nic_cover *c)
{
    char name[64];

    for (unsigned i = 0; i < 16; i++) {
        if ((OF_FMA >> i & 1) != 0) {
            snprintf(name, sizeof(name), "fma_packet: %s", commands[i]);
            nic_cover_row(rows, name, c->fma[i]);
        }
    }
    nic_cover_row(rows, "fma_packet: CLOSE of what was open when its descriptor was disabled",
                  c->aborted);
}

static void add_queues(cJSON *rows, const struct nic_cover *c)
{
    char name[64];

    for (unsigned i = 0; i < COVER_QUEUES; i++) {
        snprintf(name, sizeof(name), "queue of %s: beats wait", queues[i]);
        nic_cover_row(rows, name, c->queue[i]);
    }
    nic_cover_row(rows, "queue of rat_net: no room", c->full);
}

static void add_answers(cJSON *rows, const struct nic_cover *c)
{
    char name[64];

    for (unsigned i = 0; i < 256; i++) {
        unsigned command = i / 16, status = i % 16;

        if ((wanted[command] >> status & 1) != 0) {
            snprintf(name, sizeof(name), "%s answered %s", commands[command], statuses[status]);
            nic_cover_row(rows, name, c->answered[command][status]);
        }
    }
}

void nic_cover_report(const struct nic_cover *c, cJSON *rows)
{
    const char *path = NIC_TAG_LOG2 >= 10 ? "build/reports/nic-cover.json" /* aries */
                                          : "build/reports/nic-cover-proto.json";
    cJSON *report = cJSON_CreateObject();
    const cJSON *row;
    unsigned missed = 0;

    add_kinds(rows, "ssid", ssid_kinds, c->ssid);
    add_kinds(rows, "orb", orb_kinds, c->orb);
    add_kinds(rows, "cq", cq_kinds, c->cq);
    add_fma(rows, c);
    add_queues(rows, c);
    add_answers(rows, c);
    cJSON_ArrayForEach(row, rows)
    {
        if (cJSON_GetObjectItem(row, "hits")->valuedouble == 0) {
            tap_note("never happened: %s", cJSON_GetObjectItem(row, "name")->valuestring);
            missed++;
        }
    }
    tap_ok(missed == 0, "%d rows of coverage, never happened: %u", cJSON_GetArraySize(rows),
           missed);
    cJSON_AddNumberToObject(report, "rows", cJSON_GetArraySize(rows));
    cJSON_AddNumberToObject(report, "missed", missed);
    cJSON_AddItemToObject(report, "covers", rows);
    tap_ok(report_write(path, report), "%s", path);
}
