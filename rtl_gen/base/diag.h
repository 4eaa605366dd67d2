// SPDX-License-Identifier: Apache-2.0
/*
 * diag.h - errors a user can act on.
 */
#ifndef DIAG_H
#define DIAG_H

struct loc {
    const char *file; /* as given to clang, or NULL when unknown */
    unsigned line, col;
    const char *in; /* the function, where somebody asked; or NULL */
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
