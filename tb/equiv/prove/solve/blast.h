// SPDX-License-Identifier: Apache-2.0
/*
 * blast.h - words as bits.
 */
#ifndef PROVE_BLAST_H
#define PROVE_BLAST_H

#include "terms/term.h"

/*
 * An equal term that is a concatenation of bits, each made of and, not, exclusive or and choices of bits only. What
 * they are made of in the end: bits of symbols, of words of memories, of quotients.
 */
term blast(term t);

#endif
