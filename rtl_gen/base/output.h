// SPDX-License-Identifier: Apache-2.0
/*
 * output.h - where output goes.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/options.h"

#include <stdio.h>

/*
 * output.c: files appear all together or not at all. output_open gives a stream for the file
 * `name` (without directory) that is held in memory; do not close it. output_commit writes them
 * into opt->out_dir under temporary names and renames them when all are written; what it finds there
 * stays as it is when one of them cannot be.
 */
FILE *output_open(const char *name);
bool output_commit(const struct options *opt);
/* Whether all that went to standard output arrived; false after a diagnostic. */
bool output_printed(void);

#endif
