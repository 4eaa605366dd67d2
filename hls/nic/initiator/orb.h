// SPDX-License-Identifier: Apache-2.0
/*
 * orb.h - output request buffer: each request gets a tag and is remembered until it is answered or given up.
 *
 * Tags: free + outstanding + answered, whose data or flag is being written + in quarantine = NIC_TAGS. A tag's generation
 * is one more at each use, modulo 4; an answer fits if its tag is outstanding in that generation.
 */
#ifndef ORB_H
#define ORB_H

#include "common/beat/beat_queue.h"
#include "common/beat/beat_valve.h"
#include "nic/initiator/orb_entries.h"

/* Bits of out.count; the class of errors in brackets. */
enum orb_count {
    ORB_REQUESTS = 0,  /* requests sent [INFORMATIONAL] */
    ORB_RESPONSES = 1, /* responses that fit [INFORMATIONAL] */
    ORB_UNKNOWN =
        2, /* responses that fit no request: late, twice; or behind a memory that stands still [UNKNOWN_TRANSACTION] */
    ORB_MISFIT = 3,    /* of another kind or length than the request wants [TRANSACTION] */
    ORB_MISROUTED = 4, /* responses for another node [CRITICAL] */
    ORB_TIMEOUT = 5,   /* requests without answer for 1 to 2 epochs [TRANSIENT] */
    ORB_HEAD_LOST = 6, /* responses whose head has a double-bit error [CRITICAL] */
    ORB_LOST = 7,      /* requests whose local beat, or entry, has a double-bit error [CRITICAL] */
    ORB_CORRECTED = 8, /* one in an entry, or in the queue of responses [CORRECTABLE_MEMORY] */
    ORB_COUNTS = 9,
};

struct orb_in {
    struct beat request;
    struct beat response;
    u1 room_request;            /* netlink */
    u1 room_local;              /* rat_local */
    struct npt_context refused; /* rat_local: a write of ours that does not happen */
    struct mem_done done;       /* a write of ours that happened, or failed */
    struct nic_wipe wipe;
    struct nic_config config;
};

struct orb_out {
    struct beat forward; /* request, with tag, generation and our node, without local beats */
    struct beat local;   /* data and flags of gets: PUTs to a local segment */
    struct ssid_answer answer;
    struct tag_back back;
    u1 room; /* a request may begin, as far as netlink goes, */
    u3 tags; /* and if it has one of these: so many are free, 7: or more */
    u1 room_response;
    u1 idle; /* every tag is free */
    uint(ORB_COUNTS) count;
    nic_info info;        /* the head of a response that is wrong */
    nic_amount brought;   /* bytes of data of the response that began to be written */
    struct nic_time time; /* of the response that fits */
};

/* Of a tag: which use of it this is, whose, and when it began. */
struct orb_given {
    nic_gen gen;
    u2 epoch;
    uint(NIC_SSID_LOG2) ssid;
    u1 bte;                   /* a block transfer sent it, or: */
    uint(NIC_FMA_LOG2) place; /* the descriptor that did */
    u1 end;                   /* it is an END */
};

/* What happens to a tag two clocks after its entry is read. */
enum orb_kind {
    ORB_NOTHING,
    ORB_HEAD, /* a response begins */
    ORB_END,  /* its write is done or refused */
    ORB_FLAG, /* its flag is to be written */
    ORB_SCRUB /* is it too old? */
};

struct orb_op {
    enum orb_kind kind;
    orb_tag tag;
    nic_status_field status;
};

/* Of a tag whose response came: its flag is being written, with a status; the target did not count it. */
struct orb_flagged {
    u1 sent;
    nic_status_field status;
    u1 noted;
};

/* A tag that is judged, beside entries.out, and the beat of a response; any of both may be of nothing. */
struct orb_case {
    struct orb_op op;
    struct beat beat;
    u1 unsent; /* its request came in while the entry was read (orb_coming): nothing answers it yet, and the entry is not its own */
};

/* Where a tag goes that was judged, if it ended. */
struct orb_tags {
    orb_tag tag;
    u1 bte;
    uint(NIC_FMA_LOG2) place; /* whose request it was */
    u1 flags;                 /* to the list of flags */
    u1 frees;
    u1 rests;                /* in quarantine */
    nic_status_field status; /* that its flag says */
};

struct orb {
    struct orb_out out;
    struct beat_valve valve;
    struct beat_queue responses;
    struct orb_free_list free;
    struct orb_quarantine quarantine;
    struct orb_refusals refusals;
    struct orb_flags flags;
    struct orb_entries entries;

    /* The request that is coming in. */
    u1 awaits_local; /* its local beat is next */
    orb_tag tag;

    /* Answers: what to do, and the response beat and the entry that were read in the clock before; a clock later, decoded. */
    struct orb_op op;
    struct beat beat;
    u1 unsent; /* its request was coming in: the entry is not its own */
    struct orb_case judged;
    struct orb_tags ended;
    u1 inside; /* of the response whose beats are being taken a tail is still to come */
    u3 left;   /* data beats still to be handed on; the others of their packet are dropped */
    u1 flag;   /* the data beat of a flag is next, with this status */
    nic_status_field flag_status;
    uint(NIC_DATA_LOG2 + 1) writes; /* to local memory, under way */

    u3 epoch; /* that is now */
    orb_tag scrub;
    u8 waited; /* clocks since it was read */

    HLS_LUTRAM(1) struct orb_given given[NIC_TAGS];     /* judged, or the tag that is wiped */
    HLS_LUTRAM(2) nic_gen returned[NIC_TAGS];           /* judged; the tag that is given */
    HLS_LUTRAM(1) struct orb_flagged flagged[NIC_TAGS]; /* judged */
};

HLS_RESET void orb_reset(struct orb *self);
HLS_MODULE void orb(struct orb *self, const struct orb_in *in);

#endif
