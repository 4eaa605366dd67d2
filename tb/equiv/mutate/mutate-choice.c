// SPDX-License-Identifier: Apache-2.0
/*
 * mutate-choice.c - what the Verilog of mutate-rtl.sh asks over DPI: which mutant it is, and whether its memories get errors.
 */
#include <stdlib.h>

int mutate_number(void);
int mutate_noise(void);

/* Environment MUTANT: a line of the list, 0 without it: no mutant. */
int mutate_number(void)
{
    const char *number = getenv("MUTANT");
    return number ? atoi(number) : 0;
}

/* Environment NOISE. */
int mutate_noise(void)
{
    return getenv("NOISE") != NULL;
}
