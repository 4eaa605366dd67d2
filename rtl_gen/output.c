// SPDX-License-Identifier: Apache-2.0
/*
 * output.c - the files of a run appear all together or not at all.
 *
 * Emitters write into memory; when every stage has succeeded the files are written into the -o
 * directory under temporary names and then renamed. Signals wait for that short moment, so that
 * an interrupted run leaves either the old files or the new ones.
 */
#include "front.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct output {
    const char *name;
    FILE *stream;
    char *text;
    size_t size;
};

static struct output **output;
static unsigned n_outputs;

FILE *output_open(const char *name)
{
    struct output *o = arena(sizeof *o);
    o->name = format("%s", name);
    o->stream = open_memstream(&o->text, &o->size);
    if (!o->stream) {
        fprintf(stderr, "rtlgen: error: cannot hold the output file %s in memory\n", name);
        exit(1);
    }
    PUSH(output, n_outputs, o);
    return o->stream;
}

/* mkdir -p */
static bool make_directory(const char *path)
{
    char *part = format("%s", path);
    for (char *s = part + 1; *s; s++) {
        if (*s != '/')
            continue;
        *s = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return false;
        *s = '/';
    }
    struct stat st;
    if (mkdir(part, 0777) == 0)
        return true;
    if (errno == EEXIST && stat(part, &st) == 0 && !S_ISDIR(st.st_mode))
        errno = ENOTDIR;
    else if (errno == EEXIST)
        return true;
    return false;
}

static const char *temporary(const struct options *opt, const struct output *o)
{
    return format("%s/.%s.%ld", opt->out_dir, o->name, (long)getpid());
}

static bool write_file(const char *path, const struct output *o)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return false;
    bool good = fwrite(o->text, 1, o->size, f) == o->size;
    return fclose(f) == 0 && good;
}

static const char * final(const struct options *opt, const struct output *o)
{
    return format("%s/%s", opt->out_dir, o->name);
}

static bool write_all(const struct options *opt)
{
    for (unsigned i = 0; i < n_outputs; i++)
        if (!write_file(temporary(opt, output[i]), output[i]))
            return false;
    for (unsigned i = 0; i < n_outputs; i++) {
        if (rename(temporary(opt, output[i]), final(opt, output[i])) == 0)
            continue;
        int why = errno;
        while (i-- > 0)
            unlink(final(opt, output[i]));
        errno = why;
        return false;
    }
    return true;
}

bool output_commit(const struct options *opt)
{
    bool good = true;
    for (unsigned i = 0; i < n_outputs; i++)
        good &= fclose(output[i]->stream) == 0;

    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    good = good && make_directory(opt->out_dir) && write_all(opt);
    if (!good) {
        diag_error((struct loc){0}, NULL, "cannot write into %s: %s", opt->out_dir,
                   strerror(errno));
        for (unsigned i = 0; i < n_outputs; i++)
            unlink(temporary(opt, output[i]));
    }
    sigprocmask(SIG_SETMASK, &before, NULL);

    for (unsigned i = 0; i < n_outputs; i++)
        free(output[i]->text);
    n_outputs = 0;
    return good;
}
