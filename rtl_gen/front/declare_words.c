// SPDX-License-Identifier: Apache-2.0
/*
 * declare_words.c - words that tools keep for themselves, by tool and version.
 */
#include "front/declare.h"
#include "front/front.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
/*
 * Keywords of Verilog (IEEE 1364-2005) and SystemVerilog (IEEE 1800-2017) that C leaves free, and the classes of
 * SystemVerilog's std package. `wone`, `wreal`: also of Icarus 11 (lexor_keyword.gperf). Yosys 0.23 has none beside them
 * (verilog_lexer.l).
 */
static const char *const verilog[] = {
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert",
    "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "buf",
    "bufif0", "bufif1", "byte", "casex", "casez", "cell", "chandle", "checker", "class",
    "clocking", "cmos", "config", "constraint", "context", "cover", "covergroup", "coverpoint",
    "cross", "deassign", "defparam", "design", "disable", "dist", "edge", "end", "endcase",
    "endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate",
    "endgroup", "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram",
    "endproperty", "endsequence", "endspecify", "endtable", "endtask", "event", "eventually",
    "expect", "export", "extends", "final", "first_match", "force", "foreach", "forever",
    "fork", "forkjoin", "function", "generate", "genvar", "global", "highz0", "highz1", "iff",
    "ifnone", "ignore_bins", "illegal_bins", "implements", "implies", "import", "incdir",
    "include", "initial", "inout", "input", "inside", "instance", "integer", "interconnect",
    "interface", "intersect", "join", "join_any", "join_none", "large", "let", "liblist",
    "library", "local", "localparam", "logic", "longint", "macromodule", "mailbox", "matches",
    "medium", "modport", "module", "nand", "negedge", "nettype", "new", "nexttime", "nmos",
    "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package",
    "packed", "parameter", "pmos", "posedge", "primitive", "priority", "process", "program",
    "property", "protected", "pull0", "pull1", "pulldown", "pullup", "pulsestyle_ondetect",
    "pulsestyle_onevent", "pure", "rand", "randc", "randcase", "randsequence", "rcmos", "real",
    "realtime", "ref", "reg", "reject_on", "release", "repeat", "rnmos", "rpmos", "rtran",
    "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with",
    "scalared", "semaphore", "sequence", "shortint", "shortreal", "showcancelled", "small",
    "soft", "solve", "specify", "specparam", "std", "string", "strong", "strong0", "strong1",
    "super", "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged",
    "task", "this", "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0",
    "tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type", "unique", "unique0",
    "until", "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "wait",
    "wait_order", "wand", "weak", "weak0", "weak1", "wildcard", "wire", "with", "within",
    "wone", "wor", "wreal", "xnor", "xor",
};

/*
 * Keywords of C++ 20; what Verilator 5.006 does not take as a port or as a net that it makes public (warning SYMRSVDWORD,
 * V3LanguageWords.h); methods of its models, and the types of their ports (verilated_types.h): all are names in one C++ class.
 */
static const char *const verilator[] = {
    "CData", "EData", "IData", "QData", "SData", "WData", "abort", "and_eq", "asm", "atClone",
    "atomic_cancel", "atomic_commit", "atomic_noexcept", "bit_vector", "bitand", "bitor",
    "catch", "cdecl", "char16_t", "char32_t", "char8_t", "co_await", "co_return", "co_yield",
    "compl", "complex", "concept", "const_cast", "const_iterator", "consteval", "constinit",
    "contextp", "decltype", "delete", "deque", "dynamic_cast", "eval", "eval_end_step",
    "eval_step", "eventsPending", "explicit", "far", "friend", "hierName", "huge", "int16_t",
    "int32_t", "int64_t", "int8_t", "interrupt", "iterator", "list", "map", "modelName",
    "multimap", "multiset", "mutable", "name", "namespace", "near", "nextTimeSlot", "noexcept",
    "not_eq", "operator", "or_eq", "override", "pair", "pascal", "prepareClone", "private",
    "public", "queue", "reference", "reinterpret_cast", "requires", "rootp", "sc_clock",
    "sc_in", "sc_inout", "sc_out", "sc_signal", "sensitive", "sensitive_neg", "sensitive_pos",
    "set", "size_t", "stack", "static_cast", "synchronized", "template", "threads", "throw",
    "trace", "traceConfig", "traceCapable", "try", "type_info", "typeid", "typename", "uint16_t", "uint32_t",
    "uint64_t", "uint8_t", "using", "vector", "vlSymsp", "wchar_t", "xor_eq",
};

/*
 * Macros without arguments where g++ 12 compiles a model of Verilator 5.006 with the GNU C library 2.36:
 * `g++ -std=gnu++17 -dM -E` of verilated.h, verilated_threads.h, verilated_dpi.h, verilated_fst_c.h, verilated_vcd_c.h.
 */
static const char *const macros[] = {
    "ADJ_ESTERROR", "ADJ_FREQUENCY", "ADJ_MAXERROR", "ADJ_MICRO", "ADJ_NANO", "ADJ_OFFSET",
    "ADJ_OFFSET_SINGLESHOT", "ADJ_OFFSET_SS_READ", "ADJ_SETOFFSET", "ADJ_STATUS", "ADJ_TAI",
    "ADJ_TICK", "ADJ_TIMECONST", "AIO_PRIO_DELTA_MAX", "ATOMIC_BOOL_LOCK_FREE",
    "ATOMIC_CHAR16_T_LOCK_FREE", "ATOMIC_CHAR32_T_LOCK_FREE", "ATOMIC_CHAR_LOCK_FREE",
    "ATOMIC_FLAG_INIT", "ATOMIC_INT_LOCK_FREE", "ATOMIC_LLONG_LOCK_FREE",
    "ATOMIC_LONG_LOCK_FREE", "ATOMIC_POINTER_LOCK_FREE", "ATOMIC_SHORT_LOCK_FREE",
    "ATOMIC_WCHAR_T_LOCK_FREE", "BC_BASE_MAX", "BC_DIM_MAX", "BC_SCALE_MAX", "BC_STRING_MAX",
    "BIG_ENDIAN", "BOOL_MAX", "BOOL_WIDTH", "BUFSIZ", "BYTE_ORDER", "CHARCLASS_NAME_MAX",
    "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "CHAR_WIDTH", "CLOCKS_PER_SEC", "CLOCK_BOOTTIME",
    "CLOCK_BOOTTIME_ALARM", "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_COARSE", "CLOCK_MONOTONIC_RAW",
    "CLOCK_PROCESS_CPUTIME_ID", "CLOCK_REALTIME", "CLOCK_REALTIME_ALARM",
    "CLOCK_REALTIME_COARSE", "CLOCK_TAI", "CLOCK_THREAD_CPUTIME_ID", "CLONE_CHILD_CLEARTID",
    "CLONE_CHILD_SETTID", "CLONE_DETACHED", "CLONE_FILES", "CLONE_FS", "CLONE_IO",
    "CLONE_NEWCGROUP", "CLONE_NEWIPC", "CLONE_NEWNET", "CLONE_NEWNS", "CLONE_NEWPID",
    "CLONE_NEWTIME", "CLONE_NEWUSER", "CLONE_NEWUTS", "CLONE_PARENT", "CLONE_PARENT_SETTID",
    "CLONE_PIDFD", "CLONE_PTRACE", "CLONE_SETTLS", "CLONE_SIGHAND", "CLONE_SYSVSEM",
    "CLONE_THREAD", "CLONE_UNTRACED", "CLONE_VFORK", "CLONE_VM", "CLOSE_RANGE_CLOEXEC",
    "CLOSE_RANGE_UNSHARE", "COLL_WEIGHTS_MAX", "CPU_SETSIZE", "CSIGNAL", "DELAYTIMER_MAX",
    "DPI_DLLESPEC", "DPI_DLLISPEC", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV",
    "EAFNOSUPPORT", "EAGAIN", "EALREADY", "EBADE", "EBADF", "EBADFD", "EBADMSG", "EBADR",
    "EBADRQC", "EBADSLT", "EBFONT", "EBUSY", "ECANCELED", "ECHILD", "ECHRNG", "ECOMM",
    "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ",
    "EDOM", "EDOTDOT", "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH",
    "EHWPOISON", "EIDRM", "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN",
    "EISDIR", "EISNAM", "EKEYEXPIRED", "EKEYREJECTED", "EKEYREVOKED", "EL2HLT", "EL2NSYNC",
    "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD", "ELIBEXEC", "ELIBMAX", "ELIBSCN", "ELNRNG",
    "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG",
    "ENAVAIL", "ENETDOWN", "ENETRESET", "ENETUNREACH", "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI",
    "ENODATA", "ENODEV", "ENOENT", "ENOEXEC", "ENOKEY", "ENOLCK", "ENOLINK", "ENOMEDIUM",
    "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT", "ENOSPC", "ENOSR", "ENOSTR",
    "ENOSYS", "ENOTBLK", "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM", "ENOTRECOVERABLE",
    "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF", "EOPNOTSUPP", "EOVERFLOW",
    "EOWNERDEAD", "EPERM", "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT", "EPROTOTYPE",
    "ERANGE", "EREMCHG", "EREMOTE", "EREMOTEIO", "ERESTART", "ERFKILL", "EROFS", "ESHUTDOWN",
    "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE", "ESTRPIPE", "ETIME", "ETIMEDOUT",
    "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK", "EXDEV", "EXFULL",
    "EXIT_FAILURE", "EXIT_SUCCESS", "EXPR_NEST_MAX", "FAR", "FD_SETSIZE", "FILENAME_MAX",
    "FOPEN_MAX", "FP_ILOGB0", "FP_ILOGBNAN", "FP_INFINITE", "FP_INT_DOWNWARD",
    "FP_INT_TONEAREST", "FP_INT_TONEARESTFROMZERO", "FP_INT_TOWARDZERO", "FP_INT_UPWARD",
    "FP_LLOGB0", "FP_LLOGBNAN", "FP_NAN", "FP_NORMAL", "FP_SUBNORMAL", "FP_ZERO", "FST_API_H",
    "FST_RDLOAD", "F_LOCK", "F_OK", "F_TEST", "F_TLOCK", "F_ULOCK", "HOST_NAME_MAX", "HUGE_VAL",
    "HUGE_VALF", "HUGE_VALL", "HUGE_VAL_F128", "HUGE_VAL_F32", "HUGE_VAL_F32X", "HUGE_VAL_F64",
    "HUGE_VAL_F64X", "INCLUDED_SVDPI", "INFINITY", "INT16_MAX", "INT16_MIN", "INT16_WIDTH",
    "INT32_MAX", "INT32_MIN", "INT32_WIDTH", "INT64_MAX", "INT64_MIN", "INT64_WIDTH",
    "INT8_MAX", "INT8_MIN", "INT8_WIDTH", "INTMAX_MAX", "INTMAX_MIN", "INTMAX_WIDTH",
    "INTPTR_MAX", "INTPTR_MIN", "INTPTR_WIDTH", "INT_FAST16_MAX", "INT_FAST16_MIN",
    "INT_FAST16_WIDTH", "INT_FAST32_MAX", "INT_FAST32_MIN", "INT_FAST32_WIDTH",
    "INT_FAST64_MAX", "INT_FAST64_MIN", "INT_FAST64_WIDTH", "INT_FAST8_MAX", "INT_FAST8_MIN",
    "INT_FAST8_WIDTH", "INT_LEAST16_MAX", "INT_LEAST16_MIN", "INT_LEAST16_WIDTH",
    "INT_LEAST32_MAX", "INT_LEAST32_MIN", "INT_LEAST32_WIDTH", "INT_LEAST64_MAX",
    "INT_LEAST64_MIN", "INT_LEAST64_WIDTH", "INT_LEAST8_MAX", "INT_LEAST8_MIN",
    "INT_LEAST8_WIDTH", "INT_MAX", "INT_MIN", "INT_WIDTH", "IOV_MAX", "LC_ADDRESS",
    "LC_ADDRESS_MASK", "LC_ALL", "LC_ALL_MASK", "LC_COLLATE", "LC_COLLATE_MASK", "LC_CTYPE",
    "LC_CTYPE_MASK", "LC_GLOBAL_LOCALE", "LC_IDENTIFICATION", "LC_IDENTIFICATION_MASK",
    "LC_MEASUREMENT", "LC_MEASUREMENT_MASK", "LC_MESSAGES", "LC_MESSAGES_MASK", "LC_MONETARY",
    "LC_MONETARY_MASK", "LC_NAME", "LC_NAME_MASK", "LC_NUMERIC", "LC_NUMERIC_MASK", "LC_PAPER",
    "LC_PAPER_MASK", "LC_TELEPHONE", "LC_TELEPHONE_MASK", "LC_TIME", "LC_TIME_MASK", "LINE_MAX",
    "LITTLE_ENDIAN", "LLONG_MAX", "LLONG_MIN", "LLONG_WIDTH", "LOGIN_NAME_MAX", "LONG_BIT",
    "LONG_LONG_MAX", "LONG_LONG_MIN", "LONG_MAX", "LONG_MIN", "LONG_WIDTH", "L_INCR", "L_SET",
    "L_XTND", "L_ctermid", "L_cuserid", "L_tmpnam", "MATH_ERREXCEPT", "MATH_ERRNO", "MAXFLOAT",
    "MAX_CANON", "MAX_INPUT", "MAX_MEM_LEVEL", "MAX_WBITS", "MB_CUR_MAX", "MB_LEN_MAX",
    "MOD_CLKA", "MOD_CLKB", "MOD_ESTERROR", "MOD_FREQUENCY", "MOD_MAXERROR", "MOD_MICRO",
    "MOD_NANO", "MOD_OFFSET", "MOD_STATUS", "MOD_TAI", "MOD_TIMECONST", "MQ_PRIO_MAX", "M_1_PI",
    "M_1_PIf", "M_1_PIf128", "M_1_PIf32", "M_1_PIf32x", "M_1_PIf64", "M_1_PIf64x", "M_1_PIl",
    "M_2_PI", "M_2_PIf", "M_2_PIf128", "M_2_PIf32", "M_2_PIf32x", "M_2_PIf64", "M_2_PIf64x",
    "M_2_PIl", "M_2_SQRTPI", "M_2_SQRTPIf", "M_2_SQRTPIf128", "M_2_SQRTPIf32", "M_2_SQRTPIf32x",
    "M_2_SQRTPIf64", "M_2_SQRTPIf64x", "M_2_SQRTPIl", "M_E", "M_Ef", "M_Ef128", "M_Ef32",
    "M_Ef32x", "M_Ef64", "M_Ef64x", "M_El", "M_LN10", "M_LN10f", "M_LN10f128", "M_LN10f32",
    "M_LN10f32x", "M_LN10f64", "M_LN10f64x", "M_LN10l", "M_LN2", "M_LN2f", "M_LN2f128",
    "M_LN2f32", "M_LN2f32x", "M_LN2f64", "M_LN2f64x", "M_LN2l", "M_LOG10E", "M_LOG10Ef",
    "M_LOG10Ef128", "M_LOG10Ef32", "M_LOG10Ef32x", "M_LOG10Ef64", "M_LOG10Ef64x", "M_LOG10El",
    "M_LOG2E", "M_LOG2Ef", "M_LOG2Ef128", "M_LOG2Ef32", "M_LOG2Ef32x", "M_LOG2Ef64",
    "M_LOG2Ef64x", "M_LOG2El", "M_PI", "M_PI_2", "M_PI_2f", "M_PI_2f128", "M_PI_2f32",
    "M_PI_2f32x", "M_PI_2f64", "M_PI_2f64x", "M_PI_2l", "M_PI_4", "M_PI_4f", "M_PI_4f128",
    "M_PI_4f32", "M_PI_4f32x", "M_PI_4f64", "M_PI_4f64x", "M_PI_4l", "M_PIf", "M_PIf128",
    "M_PIf32", "M_PIf32x", "M_PIf64", "M_PIf64x", "M_PIl", "M_SQRT1_2", "M_SQRT1_2f",
    "M_SQRT1_2f128", "M_SQRT1_2f32", "M_SQRT1_2f32x", "M_SQRT1_2f64", "M_SQRT1_2f64x",
    "M_SQRT1_2l", "M_SQRT2", "M_SQRT2f", "M_SQRT2f128", "M_SQRT2f32", "M_SQRT2f32x",
    "M_SQRT2f64", "M_SQRT2f64x", "M_SQRT2l", "NAME_MAX", "NAN", "NFDBITS", "NGROUPS_MAX",
    "NL_ARGMAX", "NL_LANGMAX", "NL_MSGMAX", "NL_NMAX", "NL_SETMAX", "NL_TEXTMAX", "NULL",
    "NZERO", "PATH_MAX", "PDP_ENDIAN", "PIPE_BUF", "PRIX16", "PRIX32", "PRIX64", "PRIX8",
    "PRIXFAST16", "PRIXFAST32", "PRIXFAST64", "PRIXFAST8", "PRIXLEAST16", "PRIXLEAST32",
    "PRIXLEAST64", "PRIXLEAST8", "PRIXMAX", "PRIXPTR", "PRId16", "PRId32", "PRId64", "PRId8",
    "PRIdFAST16", "PRIdFAST32", "PRIdFAST64", "PRIdFAST8", "PRIdLEAST16", "PRIdLEAST32",
    "PRIdLEAST64", "PRIdLEAST8", "PRIdMAX", "PRIdPTR", "PRIi16", "PRIi32", "PRIi64", "PRIi8",
    "PRIiFAST16", "PRIiFAST32", "PRIiFAST64", "PRIiFAST8", "PRIiLEAST16", "PRIiLEAST32",
    "PRIiLEAST64", "PRIiLEAST8", "PRIiMAX", "PRIiPTR", "PRIo16", "PRIo32", "PRIo64", "PRIo8",
    "PRIoFAST16", "PRIoFAST32", "PRIoFAST64", "PRIoFAST8", "PRIoLEAST16", "PRIoLEAST32",
    "PRIoLEAST64", "PRIoLEAST8", "PRIoMAX", "PRIoPTR", "PRIu16", "PRIu32", "PRIu64", "PRIu8",
    "PRIuFAST16", "PRIuFAST32", "PRIuFAST64", "PRIuFAST8", "PRIuLEAST16", "PRIuLEAST32",
    "PRIuLEAST64", "PRIuLEAST8", "PRIuMAX", "PRIuPTR", "PRIx16", "PRIx32", "PRIx64", "PRIx8",
    "PRIxFAST16", "PRIxFAST32", "PRIxFAST64", "PRIxFAST8", "PRIxLEAST16", "PRIxLEAST32",
    "PRIxLEAST64", "PRIxLEAST8", "PRIxMAX", "PRIxPTR", "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_ATTR_NO_SIGMASK_NP", "PTHREAD_BARRIER_SERIAL_THREAD", "PTHREAD_CANCELED",
    "PTHREAD_CANCEL_ASYNCHRONOUS", "PTHREAD_CANCEL_DEFERRED", "PTHREAD_CANCEL_DISABLE",
    "PTHREAD_CANCEL_ENABLE", "PTHREAD_COND_INITIALIZER", "PTHREAD_CREATE_DETACHED",
    "PTHREAD_CREATE_JOINABLE", "PTHREAD_DESTRUCTOR_ITERATIONS",
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", "PTHREAD_EXPLICIT_SCHED",
    "PTHREAD_INHERIT_SCHED", "PTHREAD_KEYS_MAX", "PTHREAD_MUTEX_INITIALIZER",
    "PTHREAD_ONCE_INIT", "PTHREAD_PROCESS_PRIVATE", "PTHREAD_PROCESS_SHARED",
    "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", "PTHREAD_RWLOCK_INITIALIZER",
    "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP", "PTHREAD_SCOPE_PROCESS",
    "PTHREAD_SCOPE_SYSTEM", "PTHREAD_STACK_MIN", "PTRDIFF_MAX", "PTRDIFF_MIN", "PTRDIFF_WIDTH",
    "P_tmpdir", "RAND_MAX", "RENAME_EXCHANGE", "RENAME_NOREPLACE", "RENAME_WHITEOUT",
    "RE_DUP_MAX", "RTSIG_MAX", "R_OK", "SCHAR_MAX", "SCHAR_MIN", "SCHAR_WIDTH", "SCHED_BATCH",
    "SCHED_DEADLINE", "SCHED_FIFO", "SCHED_IDLE", "SCHED_ISO", "SCHED_OTHER",
    "SCHED_RESET_ON_FORK", "SCHED_RR", "SCNd16", "SCNd32", "SCNd64", "SCNd8", "SCNdFAST16",
    "SCNdFAST32", "SCNdFAST64", "SCNdFAST8", "SCNdLEAST16", "SCNdLEAST32", "SCNdLEAST64",
    "SCNdLEAST8", "SCNdMAX", "SCNdPTR", "SCNi16", "SCNi32", "SCNi64", "SCNi8", "SCNiFAST16",
    "SCNiFAST32", "SCNiFAST64", "SCNiFAST8", "SCNiLEAST16", "SCNiLEAST32", "SCNiLEAST64",
    "SCNiLEAST8", "SCNiMAX", "SCNiPTR", "SCNo16", "SCNo32", "SCNo64", "SCNo8", "SCNoFAST16",
    "SCNoFAST32", "SCNoFAST64", "SCNoFAST8", "SCNoLEAST16", "SCNoLEAST32", "SCNoLEAST64",
    "SCNoLEAST8", "SCNoMAX", "SCNoPTR", "SCNu16", "SCNu32", "SCNu64", "SCNu8", "SCNuFAST16",
    "SCNuFAST32", "SCNuFAST64", "SCNuFAST8", "SCNuLEAST16", "SCNuLEAST32", "SCNuLEAST64",
    "SCNuLEAST8", "SCNuMAX", "SCNuPTR", "SCNx16", "SCNx32", "SCNx64", "SCNx8", "SCNxFAST16",
    "SCNxFAST32", "SCNxFAST64", "SCNxFAST8", "SCNxLEAST16", "SCNxLEAST32", "SCNxLEAST64",
    "SCNxLEAST8", "SCNxMAX", "SCNxPTR", "SEEK_CUR", "SEEK_DATA", "SEEK_END", "SEEK_HOLE",
    "SEEK_SET", "SEM_VALUE_MAX", "SHRT_MAX", "SHRT_MIN", "SHRT_WIDTH", "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN", "SIG_ATOMIC_WIDTH", "SIZE_MAX", "SIZE_WIDTH", "SNAN", "SNANF", "SNANF128",
    "SNANF32", "SNANF32X", "SNANF64", "SNANF64X", "SNANL", "SSIZE_MAX", "STA_CLK",
    "STA_CLOCKERR", "STA_DEL", "STA_FLL", "STA_FREQHOLD", "STA_INS", "STA_MODE", "STA_NANO",
    "STA_PLL", "STA_PPSERROR", "STA_PPSFREQ", "STA_PPSJITTER", "STA_PPSSIGNAL", "STA_PPSTIME",
    "STA_PPSWANDER", "STA_RONLY", "STA_UNSYNC", "STDC", "STDERR_FILENO", "STDIN_FILENO",
    "STDOUT_FILENO", "TIMER_ABSTIME", "TIME_UTC", "TMP_MAX", "TTY_NAME_MAX", "UCHAR_MAX",
    "UCHAR_WIDTH", "UINT16_MAX", "UINT16_WIDTH", "UINT32_MAX", "UINT32_WIDTH", "UINT64_MAX",
    "UINT64_WIDTH", "UINT8_MAX", "UINT8_WIDTH", "UINTMAX_MAX", "UINTMAX_WIDTH", "UINTPTR_MAX",
    "UINTPTR_WIDTH", "UINT_FAST16_MAX", "UINT_FAST16_WIDTH", "UINT_FAST32_MAX",
    "UINT_FAST32_WIDTH", "UINT_FAST64_MAX", "UINT_FAST64_WIDTH", "UINT_FAST8_MAX",
    "UINT_FAST8_WIDTH", "UINT_LEAST16_MAX", "UINT_LEAST16_WIDTH", "UINT_LEAST32_MAX",
    "UINT_LEAST32_WIDTH", "UINT_LEAST64_MAX", "UINT_LEAST64_WIDTH", "UINT_LEAST8_MAX",
    "UINT_LEAST8_WIDTH", "UINT_MAX", "UINT_WIDTH", "ULLONG_MAX", "ULLONG_WIDTH",
    "ULONG_LONG_MAX", "ULONG_MAX", "ULONG_WIDTH", "USHRT_MAX", "USHRT_WIDTH",
    "VERILATOR_PRODUCT", "VERILATOR_VERILATEDOS_H_", "VERILATOR_VERILATED_COV_H_",
    "VERILATOR_VERILATED_DPI_H_", "VERILATOR_VERILATED_FST_C_H_",
    "VERILATOR_VERILATED_FUNCS_H_", "VERILATOR_VERILATED_H_", "VERILATOR_VERILATED_SAVE_C_H_",
    "VERILATOR_VERILATED_SYM_PROPS_H_", "VERILATOR_VERILATED_THREADS_H_",
    "VERILATOR_VERILATED_TRACE_DEFS_H_", "VERILATOR_VERILATED_TRACE_H_",
    "VERILATOR_VERILATED_TYPES_H_", "VERILATOR_VERILATED_VCD_C_H_", "VERILATOR_VERSION",
    "VERILATOR_VERSION_INTEGER", "VPI_VECVAL", "WCHAR_MAX", "WCHAR_MIN", "WCHAR_WIDTH",
    "WCONTINUED", "WEOF", "WEXITED", "WINT_MAX", "WINT_MIN", "WINT_WIDTH", "WNOHANG", "WNOWAIT",
    "WORD_BIT", "WSTOPPED", "WUNTRACED", "W_OK", "XATTR_LIST_MAX", "XATTR_NAME_MAX",
    "XATTR_SIZE_MAX", "X_OK", "ZCONF_H", "ZEXPORT", "ZEXPORTVA", "ZEXTERN", "ZLIB_H",
    "ZLIB_VERNUM", "ZLIB_VERSION", "ZLIB_VER_MAJOR", "ZLIB_VER_MINOR", "ZLIB_VER_REVISION",
    "ZLIB_VER_SUBREVISION", "Z_ASCII", "Z_BEST_COMPRESSION", "Z_BEST_SPEED", "Z_BINARY",
    "Z_BLOCK", "Z_BUF_ERROR", "Z_DATA_ERROR", "Z_DEFAULT_COMPRESSION", "Z_DEFAULT_STRATEGY",
    "Z_DEFLATED", "Z_ERRNO", "Z_FILTERED", "Z_FINISH", "Z_FIXED", "Z_FULL_FLUSH",
    "Z_HAVE_STDARG_H", "Z_HAVE_UNISTD_H", "Z_HUFFMAN_ONLY", "Z_LARGE64", "Z_LFS64",
    "Z_MEM_ERROR", "Z_NEED_DICT", "Z_NO_COMPRESSION", "Z_NO_FLUSH", "Z_NULL", "Z_OK",
    "Z_PARTIAL_FLUSH", "Z_RLE", "Z_STREAM_END", "Z_STREAM_ERROR", "Z_SYNC_FLUSH", "Z_TEXT",
    "Z_TREES", "Z_U4", "Z_UNKNOWN", "Z_VERSION_ERROR", "errno", "linux", "math_errhandling",
    "sched_priority", "stderr", "stdin", "stdout", "sv_0", "sv_1", "sv_x", "sv_z", "unix",
    "vl_unique_ptr", "vl_unordered_map", "vl_unordered_set", "z_const", "z_off64_t", "z_off_t",
    "zlib_version",
};

/* Reserved words of VHDL (IEEE 1076-2008), in any case. */
static const char *const vhdl[] = {
    "access", "after", "alias", "all", "and", "architecture", "array", "assert", "assume",
    "assume_guarantee", "attribute", "begin", "block", "body", "buffer", "bus", "case",
    "component", "configuration", "constant", "context", "cover", "default", "disconnect",
    "downto", "else", "elsif", "end", "entity", "exit", "fairness", "file", "for", "force",
    "function", "generate", "generic", "group", "guarded", "if", "impure", "in", "inertial",
    "inout", "is", "label", "library", "linkage", "literal", "loop", "map", "mod", "nand",
    "new", "next", "nor", "not", "null", "of", "on", "open", "or", "others", "out", "package",
    "parameter", "port", "postponed", "procedure", "process", "property", "protected", "pure",
    "range", "record", "register", "reject", "release", "rem", "report", "restrict",
    "restrict_guarantee", "return", "rol", "ror", "select", "sequence", "severity", "shared",
    "signal", "sla", "sll", "sra", "srl", "strong", "subtype", "then", "to", "transport",
    "type", "unaffected", "units", "until", "use", "variable", "vmode", "vprop", "vunit",
    "wait", "when", "while", "with", "xnor", "xor",
};
/* clang-format on */

static bool among(const char *const *words, size_t n, const char *name,
                  int (*compare)(const char *, const char *))
{
    for (size_t i = 0; i < n; i++)
        if (compare(words[i], name) == 0)
            return true;
    return false;
}
#define AMONG(words, name, compare) among(words, sizeof(words) / sizeof *(words), name, compare)

bool verilog_keyword(const char *name)
{
    return AMONG(verilog, name, strcmp);
}

bool verilator_word(const char *name)
{
    return AMONG(verilator, name, strcmp);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

bool model_word(const char *name)
{
    return AMONG(macros, name, strcmp) || begins(name, "VL_") || begins(name, "Verilated") ||
           (begins(name, "Vl") && isupper((unsigned char)name[2]));
}

bool vhdl_word(const char *name)
{
    return AMONG(vhdl, name, strcasecmp);
}
