// SPDX-License-Identifier: Apache-2.0
/*
 * declare.h - between the parts of the declare stage.
 */
#ifndef DECLARE_H
#define DECLARE_H

#include "front/front.h"

#include <clang-c/Index.h>

/* declare.c */
enum role { ROLE_NONE, ROLE_MODULE, ROLE_RESET, ROLE_KEEP };

/* A function with one of the annotations, as seen in one or more files. */
struct function {
    enum role role;
    const char *name;
    struct loc loc;     /* of the body, or else of the first declaration */
    const char *self;   /* module, reset: tag of the struct it works on, or "" */
    CXCursor first;     /* declaration seen */
    CXCursor body;      /* clang_getNullCursor() when there is none */
    const char *source; /* file on the command line that has the body */
};

/* What the file with an instance sees of the child's struct. */
struct view {
    CXCursor type;
    const struct function *of;
    struct module *seen; /* name, self, inst */
    struct loc loc;      /* of the struct there */
};

struct declared {
    const char *prefix;  /* see struct options */
    const char *package; /* see struct options */
    const char *machine; /* the head comment of the file with `struct hls_machine;`, or NULL */
    CXIndex index;
    CXTranslationUnit *tu;
    unsigned n_tu;
    struct function *function;
    unsigned n_functions;
    struct view *view;
    unsigned n_views, depth; /* of views within each other */
};

/* Instances or structs within each other. */
#define MOST_LEVELS 256

const char *text_of(CXString s); /* copied into the arena and disposed */
struct loc loc_of(CXCursor c);
const struct function *function_on(const struct declared *d, enum role role, const char *tag);
CXType pointee_record(CXType pointer); /* the struct behind a pointer; kind Invalid if it is none */
const char *tag_of(CXType record);     /* "" without a tag */

/* declare_layout.c */
/* Fills m->self or m->in and (self) m->inst from the struct. False after a diagnostic. */
bool layout_self(struct module *m, CXType record, struct declared *d);
bool layout_in(struct module *m, CXType record, struct declared *d);
/* The parameters and the result of a keep function. */
bool layout_keep(struct module *m, CXCursor function);

/* declare_record.c */
/* The struct with its members as the C nests them; `type` is the name of its type. Its layout is known to be good. */
const struct record *record_of(CXType type, const char *name);

/* declare_package.c */
/* Fills design->port_type. */
void find_port_types(struct design *design);

/* declare_helper.c */
/* Fills design->helper. */
void find_helpers(const struct declared *d, struct design *design);

/* declare_constants.c */
/* Fills design->constants, of which all modules know. */
void find_constants(const struct declared *d, struct design *design);

/* declare_type.c */
/* Width, sign and enumerators of a scalar; false after a diagnostic at `leaf->loc`. */
bool scalar_type(CXType type, struct leaf *leaf);

/* declare_comments.c */
const char *comment_of_field(CXCursor field);       /* NULL for none */
const char *comment_of_function(CXCursor function); /* or else the one at the head of its file */
const char *comment_of_helper(CXCursor function);
const char *head_comment(CXCursor c); /* of the file that it is in, or NULL */
const char *licence_of(CXCursor c);   /* of that file: its SPDX identifier, or NULL */

/* declare_header.c */
const char *header_of(CXCursor record, const char *tag);

/* declare_names.c */
/* Keywords, reserved names, two things of one name. */
bool names_check(const struct module *m);

#endif
