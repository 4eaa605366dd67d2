// SPDX-License-Identifier: Apache-2.0
/*
 * lines.h - text files of a torus: lines of words, # begins a remark.
 */
#ifndef SIM_BGL_LINES_H
#define SIM_BGL_LINES_H

#include <stdio.h>

#include "sim/bgl/fast/shape.h"

struct lines {
    const char *path;
    FILE *file;
    char *line;
    size_t size;
    unsigned number;
};

/* What fails ends the program with one line. */
struct lines lines_open(const char *path);

/* The next line with a word in it, without its remark; NULL behind the last. */
char *lines_next(struct lines *l);
void lines_close(struct lines *l);

/* Ends the program: path, line and why. */
void lines_wrong(const struct lines *l, const char *why) __attribute__((noreturn));

/* Words of a line, which is cut up; how many there are, and the first `most` of them. */
unsigned lines_words(char *line, char **word, unsigned most);

/* X,Y,Z; false if it is no node of this torus. The text is cut up. */
bool lines_place(const struct shape *s, char *text, struct place *p);

#endif
