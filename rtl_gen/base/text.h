// SPDX-License-Identifier: Apache-2.0
/*
 * text.h - lines of Verilog and C, never wider than 100 columns.
 */
#ifndef TEXT_H
#define TEXT_H

#include "base/diag.h"

#include <stddef.h>

struct text {
    char *s;
    size_t n, size;
};

/*
 * In a line, \v is a space where the line may be broken, \t one where it rather should be (after a
 * comma), \f one where an overlong line is broken first, and \001 marks the column where
 * continuation lines start.
 */
#define SOFT  "\v"
#define COMMA ",\t"
#define NEXT  "\t" /* behind a statement */
#define CHAIN "\f"
#define ALIGN "\001"

void put(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One line, broken if need be; the comment follows where it fits. */
void put_line(struct text *t, unsigned indent, const char *line, const char *comment);
/* Words as // comment lines. */
void put_comment(struct text *t, unsigned indent, const char *words);
/* The line on one row, without marks. */
char *flat(const char *line);
unsigned flat_length(const char *line);
/* "file.c:12", or NULL when unknown. */
const char *place(struct loc loc);
const char *base_name(const char *path);
/* For the inside of a Verilog, C or JSON string. */
char *escaped(const char *s);

#endif
