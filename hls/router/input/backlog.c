// SPDX-License-Identifier: Apache-2.0
/*
 * backlog.c - flits of an input on their way to each column, by class.
 */
#include "router/input/backlog.h"

HLS_RESET void backlog_reset(struct backlog *self)
{
    self->out = (struct backlog_out){};
    for (int i = 0; i < RTR_COLS; i++) {
        self->request[i] = 0;
        self->response[i] = 0;
    }
}

static inline backlog_count after(backlog_count count, u1 comes, u1 goes)
{
    backlog_count step = comes ? (backlog_count)1 : (backlog_count)-1;

    return comes != goes ? (backlog_count)(count + step) : count;
}

HLS_MODULE void backlog(struct backlog *self, const struct backlog_in *in)
{
    u1 responds = vc_responds(in->vc);
    rtr_cols requests = 0, responses = 0;

    for (int i = 0; i < RTR_COLS; i++) {
        backlog_count request = self->request[i], response = self->response[i];
        u1 comes = in->routed && in->col == i, goes = in->freed[i].valid;
        u1 responded = vc_responds(in->freed[i].vc);
        u1 both = request >= BACKLOG_BOTH && response >= BACKLOG_BOTH;

        requests |= (rtr_cols)((rtr_cols)(both || request >= BACKLOG_ONE) << i);
        responses |= (rtr_cols)((rtr_cols)(both || response >= BACKLOG_ONE) << i);
        if (hls_when(comes || goes)) {
            self->request[i] = after(request, comes && !responds, goes && !responded);
            self->response[i] = after(response, comes && responds, goes && responded);
        }
    }
    self->out.full_request = requests;
    self->out.full_response = responses;
}
