// SPDX-License-Identifier: Apache-2.0
/*
 * gnuplot.h - what gnuplot draws of a script, for the programs of sim/ and tb/.
 *
 * All in the header, as whole.h.
 */
#ifndef SIM_GNUPLOT_H
#define SIM_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Runs gnuplot on what `script` writes of `what`, and puts what it draws into a stream. It reads a file without a name and draws on its standard
 * output: no name of a file reaches it.
 */
static inline bool gnuplot_draw(void (*script)(FILE *, const void *), const void *what, FILE *to)
{
    char command[60], block[4096];
    size_t length;
    FILE *file = tmpfile();
    if (!file)
        return false;
    script(file, what);
    fflush(file);
    snprintf(command, sizeof command, "gnuplot /dev/fd/%d", fileno(file));
    FILE *gnuplot = popen(command, "r");
    while (gnuplot && (length = fread(block, 1, sizeof block, gnuplot)) > 0)
        fwrite(block, 1, length, to);
    const bool drawn = gnuplot && pclose(gnuplot) == 0;
    fclose(file);
    return drawn;
}

#endif
