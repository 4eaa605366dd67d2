// SPDX-License-Identifier: Apache-2.0
//
// ucx_ugni.c - what UCX 1.13.1's ugni transport leaves unsaid, said when it is loaded (LD_PRELOAD); its sources and its build stay as they are.
//
// UCP of that version works over none of ugni's transports, whatever the NIC:
// - each transport gives libuct a table of internal operations; ugni gives null, and UCP calls through it as soon as an endpoint is made. UCX mended
//   this in its other transports (openucx/ucx pull request 7521, issue 8054): they give the base's table, and so does this.
// - a transport over which others connect must have callbacks that its progress calls. The one of datagrams has them, but names only those that come at
//   any time.
// - the memory domain says that it can allocate 0 bytes, for it allocates none itself; UCX's tests take that for the size of their buffers and skip all
//   puts, gets and active messages of a size.
// And an endpoint of mailboxes that is destroyed waits until what it has sent is over, without a look at the queue that says so: it waits for ever if its
// owner has not seen the last event, on any NIC.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <uct/api/uct.h>

/// UCX's constructor of an interface's base; the pointers after `internal_ops` are its memory domain, worker, parameters and configuration.
ucs_status_t uct_base_iface_t_init(void *self, void *type, unsigned *count, void *ops,
                                   void *internal_ops, void *domain, void *worker,
                                   const void *params, const void *config);

/// The library's own function of this name.
static void *real(const char *name)
{
    void *const found = dlsym(RTLD_NEXT, name);

    if (found == NULL)
        abort();
    return found;
}

/// Of the transport of mailboxes.
static void (*destroy)(uct_ep_h ep);

static void destroy_when_over(uct_ep_h ep)
{
    while (ep->iface->ops.ep_flush(ep, 0, NULL) != UCS_OK)
        ep->iface->ops.iface_progress(ep->iface);
    destroy(ep);
}

ucs_status_t uct_base_iface_t_init(void *self, void *type, unsigned *count, void *ops,
                                   void *internal_ops, void *domain, void *worker,
                                   const void *params, const void *config)
{
    ucs_status_t (*const init)(void *, void *, unsigned *, void *, void *, void *, void *,
                               const void *, const void *) = real("uct_base_iface_t_init");

    if (internal_ops != NULL)
        return init(self, type, count, ops, internal_ops, domain, worker, params, config);
    uct_iface_ops_t ours = *(const uct_iface_ops_t *)ops;
    if (ours.ep_connect_to_ep != NULL) {
        destroy = ours.ep_destroy;
        ours.ep_destroy = destroy_when_over;
    }
    return init(self, type, count, &ours, real("uct_base_iface_internal_ops"), domain, worker,
                params, config);
}

/// Bytes that a test may have in its buffers: with UCX's 2.5 to 1, 400 KB of each transfer.
enum { BUFFERS = 1 << 20 };

ucs_status_t uct_md_query(uct_md_h domain, uct_md_attr_t *attributes)
{
    ucs_status_t (*const query)(uct_md_h, uct_md_attr_t *) = real("uct_md_query");
    const ucs_status_t status = query(domain, attributes);

    if (status == UCS_OK && attributes->cap.max_alloc == 0)
        attributes->cap.max_alloc = BUFFERS;
    return status;
}

ucs_status_t uct_iface_query(uct_iface_h iface, uct_iface_attr_t *attributes)
{
    ucs_status_t (*const query)(uct_iface_h, uct_iface_attr_t *) = real("uct_iface_query");
    const ucs_status_t status = query(iface, attributes);

    if (status == UCS_OK && (attributes->cap.flags & UCT_IFACE_FLAG_CB_ASYNC))
        attributes->cap.flags |= UCT_IFACE_FLAG_CB_SYNC;
    return status;
}
