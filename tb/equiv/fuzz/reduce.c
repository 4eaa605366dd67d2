// SPDX-License-Identifier: Apache-2.0
/*
 * reduce.c - fuzzreduce FILE.c COMMAND...: makes a program smaller while COMMAND... CANDIDATE.c
 * still exits with 0, and leaves the smallest in FILE.c.
 *
 * Works on text, knowing brackets and lines: runs of lines whose brackets close, blocks taken out
 * of their braces, parenthesised expressions put in place of the expression around them or
 * replaced by 0 or 1, elements of lists, numbers. Candidates that no longer compile are sorted
 * out by the command. Stops when a whole round finds nothing.
 */
#include "sim/base/args.h"
#include "sim/base/whole.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *text, **command;
static const char *file;
static char candidate[1024];
static unsigned tried, kept;

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "fuzzreduce: %s: %s\n", what, why);
    exit(1);
}

static void write_file(const char *name, const char *s)
{
    struct whole w;
    if (!whole_open(&w, name) || !whole_close(&w, fputs(s, w.stream) >= 0))
        fail(name, strerror(errno));
}

static bool still_fails(void)
{
    pid_t pid = fork();
    if (pid < 0)
        fail("fork", strerror(errno));
    if (pid == 0) {
        if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execvp(command[0], command);
        _exit(127);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            fail("wait", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        fail(command[0], "cannot be run");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Replaces text[from, to) by s, if the result is still interesting. */
static bool replace(size_t from, size_t to, const char *s)
{
    size_t length = strlen(text), n = strlen(s);
    char *next = malloc(length - (to - from) + n + 1);
    if (next == NULL)
        fail("memory", "none left");
    memcpy(next, text, from);
    memcpy(next + from, s, n);
    memcpy(next + from + n, text + to, length - to + 1);
    tried++;
    write_file(candidate, next);
    if (strcmp(next, text) == 0 || !still_fails()) {
        free(next);
        return false;
    }
    free(text);
    text = next;
    kept++;
    write_file(file, text);
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------- */

static size_t line_end(size_t at)
{
    size_t n = strcspn(text + at, "\n");
    return at + n + (text[at + n] == '\n');
}

/* The end of `lines` lines from `at`, if the brackets in them close; 0 otherwise. */
static size_t closed_lines(size_t at, unsigned lines)
{
    size_t end = at;
    int depth = 0;
    for (unsigned i = 0; i < lines && text[end]; i++)
        end = line_end(end);
    for (size_t i = at; i < end; i++) {
        depth += text[i] == '{' || text[i] == '(';
        depth -= text[i] == '}' || text[i] == ')';
        if (depth < 0)
            return 0;
    }
    return depth == 0 ? end : 0;
}

/* From an opening line to where its block closes: a function, a loop, an if with its else. */
static size_t block_end(size_t at)
{
    size_t end = line_end(at);
    int depth = 0;
    for (size_t i = at; text[i]; i++) {
        depth += text[i] == '{';
        depth -= text[i] == '}';
        if (depth < 0)
            return 0;
        if (depth == 0 && i + 1 >= end && memchr(text + at, '{', i - at))
            return line_end(i);
        if (i + 1 == end && depth == 0)
            end = line_end(end);
    }
    return 0;
}

static void drop_lines(unsigned lines)
{
    for (size_t at = 0; text[at];) {
        size_t end = closed_lines(at, lines);
        if (end > at && replace(at, end, ""))
            continue;
        at = line_end(at);
    }
}

static void drop_blocks(void)
{
    for (size_t at = 0; text[at];) {
        size_t first = line_end(at), end;
        bool opens = first > at + 1 && text[first - 2] == '{';
        if (opens && (end = block_end(at)) > at && replace(at, end, ""))
            continue;
        at = line_end(at);
    }
}

/* if (c) { body } becomes body. */
static void unwrap_blocks(void)
{
    for (size_t at = 0; text[at]; at = line_end(at)) {
        size_t first = line_end(at), end, close;
        if (first < at + 2 || text[first - 2] != '{' || text[at] != ' ' || !(end = block_end(at)))
            continue;
        for (close = end - 1; close > first && text[close] != '}'; close--)
            ;
        size_t body = close - first;
        char *inner = malloc(body + 1);
        if (inner == NULL)
            fail("memory", "none left");
        memcpy(inner, text + first, body);
        inner[body] = 0;
        replace(at, end, inner);
        free(inner);
    }
}

/* ---- expressions ----------------------------------------------------------------------------------- */

static size_t closing(size_t open)
{
    int depth = 0;
    for (size_t i = open; text[i] && text[i] != ';'; i++) {
        depth += text[i] == '(' || text[i] == '{';
        depth -= text[i] == ')' || text[i] == '}';
        if (depth == 0)
            return i;
    }
    return 0;
}

/* The end of an operand that begins here: a name with its members and subscripts, or a number. */
static size_t operand_end(size_t at)
{
    size_t i = at;
    while (isalnum((unsigned char)text[i]) || text[i] == '_' || text[i] == '.' ||
           strncmp(text + i, "->", 2) == 0 || text[i] == '[') {
        if (text[i] == '[') {
            int depth = 0;
            do {
                depth += text[i] == '[';
                depth -= text[i] == ']';
                i++;
            } while (depth && text[i]);
        } else {
            i += text[i] == '-' ? 2 : 1;
        }
    }
    return i;
}

/* Tries to put [from, to) in place of [begin, end). */
static bool hoist(size_t begin, size_t end, size_t from, size_t to)
{
    char *s = malloc(to - from + 1);
    if (s == NULL)
        fail("memory", "none left");
    memcpy(s, text + from, to - from);
    s[to - from] = 0;
    bool good = replace(begin, end, s);
    free(s);
    return good;
}

static bool simplify(size_t open, size_t close)
{
    static const char *const simple[] = {"0", "1"};
    for (unsigned i = 0; i < 2; i++)
        if (close - open > 1 && replace(open, close + 1, simple[i]))
            return true;
    for (size_t i = open + 1; i < close; i++) {
        size_t end;
        if (text[i] == '(' && (end = closing(i)) && end < close) {
            if (hoist(open, close + 1, i, end + 1))
                return true;
            i = end;
        } else if (isalnum((unsigned char)text[i]) && (end = operand_end(i)) <= close) {
            if (text[end] != '(' && hoist(open, close + 1, i, end))
                return true;
            i = end - 1;
        }
    }
    return false;
}

static void simplify_groups(void)
{
    for (size_t at = 0; text[at]; at++) {
        if (text[at] != '(')
            continue;
        for (size_t end = closing(at); end && text[at] == '(' && simplify(at, end);)
            end = closing(at);
    }
}

static void simplify_operands(void)
{
    for (size_t at = 1; text[at]; at++) {
        bool begins = (isalnum((unsigned char)text[at]) || text[at] == '_') &&
                      !isalnum((unsigned char)text[at - 1]) && text[at - 1] != '_' &&
                      text[at - 1] != '.' && text[at - 1] != '>';
        size_t end = begins ? operand_end(at) : at;
        char before = text[at - 1 - (text[at - 1] == ' ')];
        if (begins && end - at > 1 && strchr("=(,?:+-*/%&|^<>![", before) && !replace(at, end, "0"))
            replace(at, end, "1");
    }
}

/* ", x" out of lists; the dimension and the width of things. */
static void simplify_lists(void)
{
    for (size_t at = 0; text[at]; at++) {
        if (text[at] != ',')
            continue;
        size_t i = at + 1;
        int depth = 0;
        for (; text[i] && text[i] != '\n' && depth >= 0; i++) {
            depth += text[i] == '(' || text[i] == '{' || text[i] == '[';
            depth -= text[i] == ')' || text[i] == '}' || text[i] == ']';
            if (depth < 0 || (depth == 0 && text[i] == ','))
                break;
        }
        if (i > at + 1 && replace(at, i, "") && at > 0)
            at--;
    }
}

static void simplify_numbers(void)
{
    for (size_t at = 1; text[at]; at++) {
        if (!isdigit((unsigned char)text[at]) || isalnum((unsigned char)text[at - 1]) ||
            text[at - 1] == '_')
            continue;
        size_t end = at;
        while (isalnum((unsigned char)text[end]))
            end++;
        unsigned long long n = strtoull(text + at, NULL, 0);
        char s[32];
        snprintf(s, sizeof s, "%llu", n / 2);
        if (n > 3 && replace(at, end, s))
            at--;
    }
}

static void read_text(void)
{
    FILE *f = fopen(file, "rb");
    if (f == NULL)
        fail(file, strerror(errno));
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    text = size < 0 ? NULL : calloc(1, (size_t)size + 1);
    if (text == NULL || fread(text, 1, (size_t)size, f) != (size_t)size)
        fail(file, "cannot be read");
    fclose(f);
}

int main(int argc, char **argv)
{
    const struct args_option none = args_end();
    command = calloc((size_t)argc + 2, sizeof *command);
    if (command == NULL)
        fail("memory", "none left");
    const struct args args = {.about =
                                  "Makes FILE.c as short as COMMAND, with a file behind its words, "
                                  "still ends with status 0 for it. The first word is the file.",
                              .option = &none,
                              .word = "FILE.c COMMAND",
                              .words = (const char **)command,
                              .least = 2,
                              .most = (unsigned)argc};
    const unsigned words = args_read(&args, argc, argv);
    file = command[0];
    command++;
    command[words - 1] = candidate;
    const char *name = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    int folder = (int)(name - file);
    snprintf(candidate, sizeof candidate, "%.*stry", folder, file);
    if (!whole_make_folder(candidate))
        fail(candidate, strerror(errno));
    snprintf(candidate, sizeof candidate, "%.*stry/%s", folder, file, name);

    read_text();
    for (unsigned before = kept + 1; before != kept;) {
        before = kept;
        drop_blocks();
        for (unsigned lines = 32; lines > 0; lines /= 2)
            drop_lines(lines);
        unwrap_blocks();
        simplify_groups();
        simplify_operands();
        simplify_lists();
        simplify_numbers();
        printf("# %s: %zu bytes after %u tries\n", name, strlen(text), tried);
        fflush(stdout);
    }
    unlink(candidate);
    *strrchr(candidate, '/') = 0;
    rmdir(candidate);
    return 0;
}
