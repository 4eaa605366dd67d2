// SPDX-License-Identifier: Apache-2.0
/*
 * output.c - the files of a run appear all together or not at all.
 *
 * Emitters write into memory; when every stage has succeeded the files are written into the -o
 * directory under temporary names, the files of an earlier run are kept under others, and only then
 * each new one is renamed. When one of that fails, what was there before is put back. Signals wait for
 * that short moment, so that an interrupted run leaves either the old files or the new ones.
 */
#include "base/output.h"
#include "base/diag.h"
#include "base/util.h"

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
    bool placed; /* under its name */
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

/* ---- from temporary names to the right ones -------------------------------------------------- */

static const char *path_of(const struct options *opt, const struct output *o)
{
    return format("%s/%s", opt->out_dir, o->name);
}

/* Short, so that it is possible wherever the right name is; `what` is new or old. */
static const char *temporary(const struct options *opt, unsigned i, const char *what)
{
    return format("%s/.rtlgen.%ld.%u.%s", opt->out_dir, (long)getpid(), i, what);
}

static bool fail(const struct output *o, int why)
{
    diag_error((struct loc){0}, NULL, "cannot write %s: %s", o->name, strerror(why));
    return false;
}

static bool write_file(const char *path, const struct output *o)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return fail(o, errno);
    bool good = fwrite(o->text, 1, o->size, f) == o->size && fflush(f) == 0;
    int why = errno;
    if (fclose(f) != 0 && good) {
        good = false;
        why = errno;
    }
    return good || fail(o, why);
}

/* Only a file, or a link to whatever it be, is replaced: no folder, FIFO or device. */
static bool can_replace(const struct options *opt, const struct output *o)
{
    struct stat st;
    if (lstat(path_of(opt, o), &st) != 0)
        return errno == ENOENT || fail(o, errno);
    if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
        return true;
    diag_error((struct loc){0}, "move it away", "cannot write %s: %s is there", o->name,
               S_ISDIR(st.st_mode) ? "a folder" : "something that is no file");
    return false;
}

/* A second name for the file of an earlier run; where links are impossible, its only one. */
static bool keep_old(const struct options *opt, unsigned i)
{
    const char *path = path_of(opt, output[i]), *old = temporary(opt, i, "old");
    return link(path, old) == 0 || errno == ENOENT || rename(path, old) == 0 ||
           fail(output[i], errno);
}

/* Files that had a predecessor have it again, new ones are gone. */
static void put_back(const struct options *opt)
{
    for (unsigned i = 0; i < n_outputs; i++)
        if (rename(temporary(opt, i, "old"), path_of(opt, output[i])) != 0 && output[i]->placed)
            unlink(path_of(opt, output[i]));
}

static bool place_all(const struct options *opt)
{
    for (unsigned i = 0; i < n_outputs; i++)
        if (!can_replace(opt, output[i]))
            return false;
    for (unsigned i = 0; i < n_outputs; i++)
        if (!write_file(temporary(opt, i, "new"), output[i]))
            return false;
    for (unsigned i = 0; i < n_outputs; i++)
        if (!keep_old(opt, i))
            return false;
    for (unsigned i = 0; i < n_outputs; i++) {
        if (rename(temporary(opt, i, "new"), path_of(opt, output[i])) != 0)
            return fail(output[i], errno);
        output[i]->placed = true;
    }
    return true;
}

static bool write_all(const struct options *opt)
{
    if (!make_directory(opt->out_dir)) {
        diag_error((struct loc){0}, NULL, "cannot write into %s: %s", opt->out_dir,
                   strerror(errno));
        return false;
    }
    bool good = place_all(opt);
    if (!good)
        put_back(opt);
    for (unsigned i = 0; i < n_outputs; i++) {
        unlink(temporary(opt, i, "new"));
        unlink(temporary(opt, i, "old"));
    }
    return good;
}

bool output_commit(const struct options *opt)
{
    bool good = true;
    for (unsigned i = 0; i < n_outputs; i++)
        good &= fclose(output[i]->stream) == 0 || fail(output[i], errno);

    sigset_t all, before;
    sigfillset(&all);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error like a full disk */
    sigprocmask(SIG_BLOCK, &all, &before);
    good = good && write_all(opt);
    sigprocmask(SIG_SETMASK, &before, NULL);

    for (unsigned i = 0; i < n_outputs; i++)
        free(output[i]->text);
    n_outputs = 0;
    return good;
}

bool output_printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    diag_error((struct loc){0}, NULL, "cannot write to standard output: %s", strerror(errno));
    return false;
}
