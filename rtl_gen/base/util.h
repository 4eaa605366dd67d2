// SPDX-License-Identifier: Apache-2.0
/*
 * util.h - memory that is never freed, strings, growing arrays, tables by name.
 */
#ifndef UTIL_H
#define UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void *arena(size_t bytes);   /* zeroed, lives until exit */
void *scratch(size_t bytes); /* zeroed, lives until scratch_end() */
void scratch_end(void);
void *resized(void *old, size_t bytes); /* realloc() that never fails; the caller frees */
char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* in the arena */

void *freed(void *old); /* what resized() gave; NULL */

/* Append one element to a growing array, PUSH(list, n_list, value), or to one in scratch memory. */
void *grow(void *(*from)(size_t), void *list, unsigned n, size_t element);
#define PUSH(list, n, ...)                                                                         \
    ((list) = grow(arena, (list), (n), sizeof *(list)), (list)[(n)++] = (__VA_ARGS__))
#define PUSH_SCRATCH(list, n, ...)                                                                 \
    ((list) = grow(scratch, (list), (n), sizeof *(list)), (list)[(n)++] = (__VA_ARGS__))

/*
 * Append to a list of work that is taken from its end again, PUSH_WORK(list, n, room, value): nothing here
 * calls itself as deep as a design is. The caller frees it, or keeps it for the next time.
 */
#define PUSH_WORK(list, n, room, ...)                                                              \
    ((list) = (n) < (room)                                                                         \
                  ? (list)                                                                         \
                  : resized((list), ((room) = (room) ? 2 * (room) : 16) * sizeof *(list)),         \
     (list)[(n)++] = (__VA_ARGS__))

/* What is kept under a name. */
struct names {
    struct name_entry *entry; /* open addressing; at most half full */
    unsigned n, size;
};

void *names_find(const struct names *t, const char *name); /* NULL: nothing */
/* The name lives as long as the table; value is not NULL. */
void names_set(struct names *t, const char *name, void *value);

#endif
