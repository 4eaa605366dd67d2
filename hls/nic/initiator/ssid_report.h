// SPDX-License-Identifier: Apache-2.0
/*
 * ssid_report.h - ssid's reports: events and NOTE of a transaction that is closed or over, then its id is free or stale.
 */
#ifndef SSID_REPORT_H
#define SSID_REPORT_H

#include "nic/initiator/ssid.h"

#define COUNT(bit, condition) ((uint(SSID_COUNTS))((uint(SSID_COUNTS))(u1)(condition) << (bit)))

/* What happens to the transaction that is being reported. */
struct reporting {
    u1 posts; /* an event goes to cq */
    u1 ends;  /* all is reported */
    u1 frees; /* and it is over */
    u1 failed;
};

/* NOTE of what is being reported: event and flag only of a transaction that is OK so far, else the target forgets; a message is given up. */
static inline struct ssid_notice notice_of(const struct ssid *self, u4 wants, nic_ptag ptag,
                                           u1 valid)
{
    const struct ssid_closed *t = &self->report;
    u1 message = self->report_to.message, ok = t->status == 0 && !message;
    u1 event = ok && (wants & WANT_TARGET) != 0;
    u1 flag = ok && (wants & WANT_FLAG) != 0;
    u4 how = (u4)((u4)((u4)message << 2) | (u4)((u4)event << 1) | (u4)(flag | message));
    beat_word head =
        req_with_offset((beat_word)CMD_NOTE, flag ? self->report_to.offset : (nic_offset)0);

    head = BEAT_WITH(head, REQ_NODE_AT, 18, self->report_to.node);
    head = BEAT_WITH(head, REQ_MODE_AT, 3, self->report_to.mode);
    head = BEAT_WITH(head, REQ_MDH_AT, 12, self->report_to.mdh);
    head = BEAT_WITH(head, REQ_PTAG_AT, 8, ptag);
    head = BEAT_WITH(head, REQ_X_AT, 4, how);
    head = BEAT_WITH(head, REQ_Z_AT, 6, 19);
    head = req_with_channel(head, channel_of_place(self->report_to.place));
    return (struct ssid_notice){.valid = valid,
                                .head = head,
                                .event = event ? self->report_to.event : (u56)0,
                                .flag = flag ? self->report_to.flag : (u64)0};
}

static inline struct reporting report(struct ssid *self, const struct ssid_in *in)
{
    struct ssid_data_ecc_result data = ssid_data_ecc_decode(self->report_data);
    struct ssid_where_ecc_result where = ssid_where_ecc_decode(self->report_where);
    const struct ssid_closed *t = &self->report;
    u1 lost = data.fatal || where.fatal;
    u4 wants = (u4)where.data;
    u1 fails = t->status != 0;
    u1 end_wanted = t->over && ((wants & WANT_GLOBAL) != 0 || (fails && wants != 0));
    u1 local = t->local && !lost && !self->local_posted;
    u1 end = end_wanted && !lost && !self->end_posted;
    u1 posts = self->reports && (local || end) && in->room_event;
    u1 all = self->reports && (posts ? !(local && end) : !(local || end));
    /* Its status is wiped through the port of the answers, and its note is one of its own. */
    u1 noting = t->note && !self->note_sent;
    u1 ends = all && !noting && !(t->over && (in->answer.valid || self->orphan));
    u3 source = t->status == STATUS_SEQUENCE ? (u3)EVENT_SSID_DREQ : (u3)EVENT_SSID_SRSP;

    self->out.event = (struct nic_event){
        .valid = posts,
        .queue = (u10)(where.data >> 4),
        .ptag = (nic_ptag)(where.data >> 14),
        .word = local ? event_word(0, EVENT_SSID_SREQ, data.data)
                      : event_word(t->status, source, data.data),
    };
    self->out.note = notice_of(self, lost ? (u4)0 : wants, (nic_ptag)(where.data >> 14),
                               self->reports && noting && !local && !in->note_taken);
    self->note_sent = (self->note_sent || in->note_taken) && !ends;
    self->end_posted = (self->end_posted || (posts && !local)) && !ends;
    self->local_posted = (self->local_posted || (posts && local)) && !ends;
    self->out.count |= COUNT(SSID_EVENT_LOST, ends && lost) |
                       COUNT(SSID_CORRECTED, ends && (data.corrected || where.corrected)) |
                       COUNT(SSID_ENDED, ends && t->over) |
                       COUNT(SSID_FAILED, ends && t->over && fails);
    return (struct reporting){posts, ends, ends && t->over, lost || (fails && wants == 0)};
}

/* The next of the lists, when nothing is being reported. */
static inline void report_next(struct ssid *self)
{
    const struct ssid_over *over = &self->over.out.front;
    struct ssid_closed of_over = {.id = over->id,
                                  .local = 0,
                                  .over = !over->note,
                                  .note = over->note,
                                  .status = over->status};

    self->reports = self->closed.out.valid || self->over.out.valid;
    self->report = self->closed.out.valid ? self->closed.out.front : of_over;
    self->report_data = self->cold_data[self->report.id];
    self->report_where = self->cold_where[self->report.id];
    self->report_to = self->cold_to[self->report.id];
}

/* An id that is spent, or was stale long enough, is free again, and its channel hears of it; the value is that id. */
static inline struct ssid_free_list_in release(struct ssid *self, const struct reporting *done,
                                               const struct ssid_in *in)
{
    const struct ssid_stale *stale = &self->stale.out.front;
    u1 timed_out = self->report.status == STATUS_TIMEOUT;
    u1 spent = done->frees && !timed_out;
    u1 rested = self->stale.out.valid && (u3)(self->epoch - stale->epoch) >= 3;
    u1 revives = rested && !done->frees && !self->orphan && !in->wipe.valid;
    ssid_id id = done->frees ? self->report.id : stale->id;
    u1 wipes = in->wipe.valid && in->wipe.index < NIC_SSIDS;
    u1 frees = spent || revives;
    u1 turn = self->gone[id];

    self->out.done = (struct channel_note){
        .valid = frees || self->orphan,
        .channel = channel_of_place(frees ? self->channel[id] : self->orphan_place),
        .failed = spent ? done->failed : (revives ? stale->failed : (u1)1),
        .status = spent     ? self->report.status
                  : revives ? (nic_status_field)STATUS_TIMEOUT
                            : (nic_status_field)STATUS_UNCORRECTABLE,
    };
    if (in->wipe.valid) {
        self->gone[(ssid_id)in->wipe.index] = 0;
    } else if (frees) {
        self->gone[id] = !turn;
    }
    return (struct ssid_free_list_in){
        .push = wipes || frees,
        .word = in->wipe.valid ? (ssid_id)in->wipe.index : id,
    };
}

/* A transfer whose transaction has failed need not go on: an answer says so, or what the stream refused. */
static inline void tell_fault(struct ssid *self, const struct ssid_in *in, const struct ssid_op *op)
{
    u1 answered = in->answer.valid && in->answer.status != 0;
    u1 refused = op->kind == SSID_REFUSED;
    nic_place place = answered ? self->channel[(ssid_id)in->answer.ssid] : op->place;

    self->out.fault = (struct channel_fault){answered || refused, channel_of_place(place)};
}

#endif
