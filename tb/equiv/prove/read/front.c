// SPDX-License-Identifier: Apache-2.0
/*
 * front.c - clang -O0 as a subprocess, its bitcode by way of a temporary file.
 */
#include "read/front.h"

#include "terms/arena.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_clang(const char *file, const char *const *flags, const char *out)
{
    const char **argv = NULL;
    unsigned n = 0;
    static const char *const fixed[] = {
        "clang-19", "-O0", "-w", "-emit-llvm", "-fno-discard-value-names", "-c"};
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        PUSH(argv, n, fixed[i]);
    for (; *flags; flags++)
        PUSH(argv, n, *flags);
    PUSH(argv, n, "-o");
    PUSH(argv, n, out);
    PUSH(argv, n, file);
    PUSH(argv, n, NULL);
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[0], (char **)argv);
        _exit(127);
    }
    int status = -1;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        unsupported("clang-19 does not compile %s", file);
}

LLVMModuleRef front_compile(const char *file, const char *const *flags)
{
    char name[] = "/tmp/prove-XXXXXX";
    char *message = NULL;
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    int fd = mkstemp(name);
    if (fd < 0)
        unsupported("cannot make a temporary file");
    close(fd);
    run_clang(file, flags, name);
    if (LLVMCreateMemoryBufferWithContentsOfFile(name, &buffer, &message) ||
        LLVMParseBitcode2(buffer, &module))
        unsupported("cannot read the bitcode of %s", file);
    unlink(name);
    return module;
}
