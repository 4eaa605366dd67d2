// SPDX-License-Identifier: Apache-2.0
/*
 * front.h - C files to LLVM IR as clang generates it, before any pass.
 */
#ifndef PROVE_FRONT_H
#define PROVE_FRONT_H

#include <llvm-c/Core.h>

/* flags end with NULL. The IR is kept in memory; clang's own messages go to standard error. */
LLVMModuleRef front_compile(const char *file, const char *const *flags);

#endif
