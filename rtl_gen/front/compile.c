// SPDX-License-Identifier: Apache-2.0
/*
 * compile.c - every file through clang -O0 to LLVM IR, without any LLVM pass.
 *
 * clang runs as a subprocess that writes bitcode into a pipe, so nothing is left behind by an
 * interrupted run; its warnings and errors go to our stderr unchanged. An error ends the run.
 */
#include "front/front.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What rtlgen adds to the compiler's own errors: each would be undefined or refused later. */
static const char *const fixed[] = {
    "clang-19",
    "-std=c23",
    "-O0",
    "-g",
    "-DHLS_RTLGEN",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-discard-value-names",
    "-fstrict-flex-arrays=3", /* the last array of a struct has bounds, too */
    /* of what is undefined: only what is not to be seen in the IR; a failed test becomes an assertion */
    "-fsanitize=shift-base,builtin,bool,unreachable",
    "-fsanitize-trap=all",
    "-emit-llvm",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Werror=uninitialized",
    "-Werror=sometimes-uninitialized",
    "-Werror=return-type",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=array-bounds",
    "-Werror=shift-count-overflow",
    "-Werror=shift-count-negative",
    "-Werror=division-by-zero",
    "-Werror=infinite-recursion",
    "-Werror=vla",
    "-c",
    "-o",
    "-",
};

static const char **command(const struct options *opt, const char *file)
{
    const char **argv = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        PUSH(argv, n, fixed[i]);
    for (unsigned i = 0; i < opt->n_include; i++)
        PUSH(argv, n, opt->include[i]);
    for (unsigned i = 0; i < opt->n_define; i++)
        PUSH(argv, n, opt->define[i]);
    PUSH(argv, n, "--");
    PUSH(argv, n, file);
    PUSH(argv, n, NULL);
    return argv;
}

static bool fail(const char *advice, const char *what)
{
    diag_error((struct loc){0}, advice, "%s: %s", what, strerror(errno));
    return false;
}

/*
 * Starts a program whose standard output is out; 0, or what is wrong. fork() would copy the page tables, of which the address
 * sanitizer has many.
 */
static int start(const char **argv, int out, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    int wrong = posix_spawnp(pid, argv[0], &actions, NULL, (char **)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return wrong;
}

static bool read_all(int fd, char **bytes, size_t *size)
{
    size_t room = 1 << 16;
    *bytes = resized(NULL, room);
    *size = 0;
    for (;;) {
        ssize_t n = read(fd, *bytes + *size, room - *size);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        *size += n > 0 ? (size_t)n : 0;
        if (*size == room)
            *bytes = resized(*bytes, room *= 2);
    }
}

/* Runs clang; its standard output ends up in *bytes, which the caller frees. */
static bool run(const char **argv, char **bytes, size_t *size)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return fail(NULL, "cannot make a pipe");
    pid_t pid;
    errno = start(argv, ends[1], &pid);
    if (errno != 0)
        return fail(errno == ENOENT ? "install the package clang-19" : NULL, "cannot run clang-19");
    close(ends[1]);
    bool good = read_all(ends[0], bytes, size);
    if (!good)
        fail(NULL, "cannot read what clang wrote");
    close(ends[0]);

    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return fail(NULL, "cannot wait for clang");
    if (WIFSIGNALED(status))
        diag_error((struct loc){0},
                   "nest less deeply what it reads, or give it more stack: ulimit -Hs",
                   "%s was ended by signal %d", argv[0], WTERMSIG(status));
    return good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool parse(LLVMContextRef context, const char *bytes, size_t size, struct unit *unit)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bytes, size, unit->file, false);
    bool good = !LLVMParseBitcodeInContext2(context, buffer, &unit->ir);
    if (good)
        LLVMSetIsNewDbgInfoFormat(unit->ir, false); /* llvm.dbg.declare as calls */
    else
        diag_error((struct loc){0}, "rtlgen reads the bitcode of clang 19",
                   "%s: cannot read what clang wrote", unit->file);
    LLVMDisposeMemoryBuffer(buffer);
    return good;
}

/* clang goes down a chain of else-ifs by calling itself: 20,000 of them take more than the usual 8 MB. */
static void enlarge_stack(void)
{
    struct rlimit stack;
    const rlim_t wanted = (rlim_t)1 << 30;
    setenv("LIBCLANG_NOTHREADS", "1", 1); /* its threads have 8 MB whatever the limit is */
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= wanted)
        return;
    stack.rlim_cur = stack.rlim_max < wanted ? stack.rlim_max : wanted;
    setrlimit(RLIMIT_STACK, &stack);
}

bool compile(const struct options *opt, struct unit *unit)
{
    enlarge_stack();
    LLVMContextRef context = LLVMContextCreate();
    bool good = true;
    for (unsigned i = 0; i < opt->n_file; i++) {
        char *bytes = NULL;
        size_t size = 0;
        unit[i] = (struct unit){.file = opt->file[i]};
        good &=
            run(command(opt, opt->file[i]), &bytes, &size) && parse(context, bytes, size, &unit[i]);
        freed(bytes);
    }
    return good;
}

void compile_end(struct unit *unit, unsigned n_units)
{
    LLVMContextRef context = LLVMGetModuleContext(unit[0].ir);
    for (unsigned i = 0; i < n_units; i++)
        LLVMDisposeModule(unit[i].ir);
    LLVMContextDispose(context);
}

void dump_compiled(FILE *f, const struct unit *unit, unsigned n_units)
{
    for (unsigned i = 0; i < n_units; i++) {
        char *text = LLVMPrintModuleToString(unit[i].ir);
        fputs(text, f);
        LLVMDisposeMessage(text);
    }
}
