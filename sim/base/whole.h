// SPDX-License-Identifier: Apache-2.0
/*
 * whole.h - files that appear whole or not at all, for the programs of sim/ and tb/: reports, plots, tables.
 *
 * A regular file is written beside its place and renamed when it is complete; a link leads to the file that is
 * replaced. Anything else (a device, a pipe, our own standard output) is written to, never replaced. Folders are not
 * made, but for build/reports, where reports go that nobody has asked for by name.
 *
 * All in the header, because sim/ and tb/ are compiled in many sets. Functions that return false have set errno.
 */
#ifndef SIM_WHOLE_H
#define SIM_WHOLE_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct whole {
    FILE *stream;
    bool own;                                 /* stdout or stderr: not to be closed */
    char path[PATH_MAX], part[PATH_MAX + 32]; /* part is empty if we write to path itself */
};

/* The folder of a path, "." if it names none. */
static inline void whole_folder(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = '\0';
}

static inline bool whole_error(int error)
{
    errno = error;
    return false;
}

/* Makes a folder and those around it, as far as they are missing. */
static inline bool whole_make_folder(const char *path)
{
    char folder[PATH_MAX];
    if (strlen(path) >= PATH_MAX)
        return whole_error(ENAMETOOLONG);
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = folder; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        (void)mkdir(folder, 0777);
    }
    return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

/* Which of our own streams the file is, or NULL. */
static inline FILE *whole_own(const struct stat *file)
{
    FILE *const own[] = {stdout, stderr};
    for (int i = 0; i < 2; i++) {
        struct stat s;
        if (fstat(fileno(own[i]), &s) == 0 && s.st_dev == file->st_dev && s.st_ino == file->st_ino)
            return own[i];
    }
    return NULL;
}

/* Whether a file can be written there, to be asked before hours of work. */
static inline bool whole_possible(const char *path)
{
    char folder[PATH_MAX];
    struct stat s;
    if (strlen(path) >= PATH_MAX)
        return whole_error(ENAMETOOLONG);
    whole_folder(path, folder);
    if (strcmp(folder, "build/reports") == 0)
        (void)whole_make_folder(folder);
    if (stat(path, &s) != 0) {
        if (errno != ENOENT || stat(folder, &s) != 0)
            return false;
        return S_ISDIR(s.st_mode) ? access(folder, W_OK | X_OK) == 0 : whole_error(ENOTDIR);
    }
    if (S_ISDIR(s.st_mode))
        return whole_error(EISDIR);
    if (whole_own(&s))
        return true;
    return access(S_ISREG(s.st_mode) ? folder : path, W_OK) == 0;
}

/* A device or pipe; one that nobody has opened to read after three seconds is an error, not a long wait. */
static inline FILE *whole_through(const char *path)
{
    int file = -1;
    errno = ENXIO;
    for (int tries = 0; tries < 30 && file < 0 && errno == ENXIO; tries++) {
        if (tries > 0)
            usleep(100000);
        file = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    }
    FILE *stream = NULL;
    if (file >= 0 && fcntl(file, F_SETFL, 0) == 0)
        stream = fdopen(file, "w");
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

/* Begins a file: what it shall hold goes into stream. */
static inline bool whole_open(struct whole *w, const char *path)
{
    struct stat s;
    w->stream = NULL;
    w->part[0] = '\0';
    if (!whole_possible(path))
        return false;
    snprintf(w->path, sizeof w->path, "%s", path);
    if (stat(path, &s) == 0) {
        w->stream = whole_own(&s);
        w->own = w->stream != NULL;
        if (!w->own && !S_ISREG(s.st_mode))
            w->stream = whole_through(path);
        if (w->stream || !S_ISREG(s.st_mode))
            return w->stream != NULL;
        if (!realpath(path, w->path))
            return false;
    }
    snprintf(w->part, sizeof w->part, "%s.%ld.part", w->path, (long)getpid());
    w->own = false;
    w->stream = fopen(w->part, "w");
    return w->stream != NULL;
}

/* Ends it: in its place if `good` and nothing failed, else nothing is left. */
static inline bool whole_close(struct whole *w, bool good)
{
    good &= !ferror(w->stream);
    good &= (w->own ? fflush(w->stream) : fclose(w->stream)) == 0;
    if (w->part[0] && (!good || rename(w->part, w->path) != 0)) {
        const int error = errno;
        (void)remove(w->part);
        return whole_error(error);
    }
    return good;
}

/* A text and the end of its last line. */
static inline bool whole_write(const char *path, const char *text)
{
    struct whole w;
    if (!whole_open(&w, path))
        return false;
    const bool good = fprintf(w.stream, "%s\n", text) > 0;
    return whole_close(&w, good);
}

/* The exit status of a program, which fails if what it has printed could not be written. */
static inline int whole_status(bool good)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return good ? EXIT_SUCCESS : EXIT_FAILURE;
    fprintf(stderr, "%s: cannot write to standard output: %s\n", program_invocation_short_name,
            strerror(errno));
    return EXIT_FAILURE;
}

#endif
