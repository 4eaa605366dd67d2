// SPDX-License-Identifier: Apache-2.0
/*
 * diag.h - errors a user can act on.
 */
#ifndef DIAG_H
#define DIAG_H

/* A function where it is called: all calls of it from one other are one. */
struct call {
    const char *name;
    struct call *up;           /* the function that calls it; NULL: the module's own */
    struct call *inner, *next; /* the last one that it calls, the one before of the same caller */
    unsigned order;            /* in which they are met */
    unsigned subject;          /* plan/subject.c */
};

struct loc {
    const char *file; /* as given to clang, or NULL when unknown */
    unsigned line, col;
    struct call *in; /* where the module's function was followed; or NULL */
};

/*
 * file:line:col: error: what is wrong
 *     source line
 *         ^
 * advice (a "help:" line; NULL for none). Returns to the caller, who goes on or gives up;
 * diag_errors() counts. A note names a second place.
 */
void diag_error(struct loc loc, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diag_warning(struct loc loc, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note(struct loc loc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
unsigned diag_errors(void);

#endif
