// SPDX-License-Identifier: Apache-2.0
/* states.c - see states.h. */
#include "tb/equiv/lockstep/states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/base/info.h"
#include "tb/base/packed.h"

/* Of a transition by the numbers of its states: M.json has it, and how often it was taken. */
struct taken {
    bool listed;
    uint64_t times;
};

struct process {
    const cJSON *json;
    unsigned lsb, width, n, now; /* now: the number of its state, n: of none */
    uint64_t *value;
    const cJSON **state;
    uint64_t *clocks; /* by state */
    struct taken *taken;
};

struct states {
    unsigned n;
    struct process *process;
};

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return p;
}

static unsigned by_name(const struct process *p, const char *name)
{
    unsigned i = 0;
    while (i < p->n && strcmp(info_text(p->state[i], "name"), name) != 0)
        i++;
    return i;
}

static unsigned state_now(const struct process *p, const uint32_t *state)
{
    const uint64_t value = bits_get(state, p->lsb, p->width);
    unsigned i = 0;
    while (i < p->n && p->value[i] != value)
        i++;
    return i;
}

static void open_process(struct process *p, const cJSON *json)
{
    const cJSON *states = info_list(json, "states"), *item, *to;
    unsigned i = 0;
    *p = (struct process){.json = json,
                          .lsb = info_number(json, "lsb"),
                          .width = info_number(json, "width"),
                          .n = (unsigned)cJSON_GetArraySize(states)};
    p->value = allocate(p->n, sizeof *p->value);
    p->state = allocate(p->n, sizeof *p->state);
    p->clocks = allocate(p->n, sizeof *p->clocks);
    p->taken = allocate((size_t)p->n * p->n, sizeof *p->taken);
    cJSON_ArrayForEach(item, states)
    {
        p->value[i] = info_number(item, "value");
        p->state[i++] = item;
    }
    for (i = 0; i < p->n; i++)
        cJSON_ArrayForEach(to, info_list(p->state[i], "to"))
            p->taken[i * p->n + by_name(p, to->valuestring)]
                .listed = true;
}

struct states *states_new(const cJSON *info)
{
    struct states *s = allocate(1, sizeof *s);
    const cJSON *list = info_list(info, "processes"), *item;
    unsigned n = 0;
    s->n = (unsigned)cJSON_GetArraySize(list);
    s->process = allocate(s->n, sizeof *s->process);
    cJSON_ArrayForEach(item, list) open_process(&s->process[n++], item);
    return s;
}

void states_free(struct states *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        struct process *p = &s->process[i];
        free(p->value);
        free((void *)p->state);
        free(p->clocks);
        free(p->taken);
    }
    free(s->process);
    free(s);
}

void states_reset(struct states *s, const uint32_t *state)
{
    for (unsigned i = 0; i < s->n; i++)
        s->process[i].now = state_now(&s->process[i], state);
}

void states_clock(struct states *s, const uint32_t *state)
{
    for (unsigned i = 0; i < s->n; i++) {
        struct process *p = &s->process[i];
        const unsigned next = state_now(p, state);
        if (p->now < p->n)
            p->clocks[p->now]++;
        if (p->now < p->n && next < p->n)
            p->taken[p->now * p->n + next].times++;
        p->now = next;
    }
}

/* "lane[1].at" */
static void print_name(FILE *f, const struct process *p)
{
    const char *c = info_text(p->json, "c"), *open = strstr(c, "[]");
    if (open == NULL)
        fputs(c, f);
    else
        fprintf(f, "%.*s[%u]%s", (int)(open - c), c, info_number(p->json, "element"), open + 2);
}

void states_say(const struct states *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct process *p = &s->process[i];
        if (p->now == p->n)
            continue;
        fputs("# ", stderr);
        print_name(stderr, p);
        fprintf(stderr, " is %s (%s:%u)\n", info_text(p->state[p->now], "name"),
                info_text(p->state[p->now], "file"), info_number(p->state[p->now], "line"));
    }
}

static unsigned states_taken(const struct process *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->n; i++)
        n += p->clocks[i] > 0;
    return n;
}

static unsigned transitions(const struct process *p, bool taken)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->n * p->n; i++)
        n += (p->taken[i].listed || p->taken[i].times) && (!taken || p->taken[i].times);
    return n;
}

static void print_missed(const struct process *p)
{
    const char *before = "; never:";
    for (unsigned i = 0; i < p->n; i++)
        if (p->clocks[i] == 0) {
            printf("%s %s", before, info_text(p->state[i], "name"));
            before = ",";
        }
    for (unsigned i = 0; i < p->n * p->n; i++)
        if (p->taken[i].listed && !p->taken[i].times && p->clocks[i / p->n]) {
            printf("%s %s to %s", before, info_text(p->state[i / p->n], "name"),
                   info_text(p->state[i % p->n], "name"));
            before = ",";
        }
}

void states_print(const struct states *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct process *p = &s->process[i];
        fputs("# process ", stdout);
        print_name(stdout, p);
        printf(": %u of %u states, %u of %u transitions", states_taken(p), p->n,
               transitions(p, true), transitions(p, false));
        print_missed(p);
        putchar('\n');
    }
}

void states_add_to(const struct states *s, cJSON *report)
{
    cJSON *list = cJSON_AddArrayToObject(report, "processes");
    for (unsigned i = 0; i < s->n; i++) {
        const struct process *p = &s->process[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "c", info_text(p->json, "c"));
        cJSON_AddNumberToObject(o, "element", info_number(p->json, "element"));
        cJSON *states = cJSON_AddObjectToObject(o, "states");
        cJSON *pairs = cJSON_AddObjectToObject(o, "transitions");
        for (unsigned k = 0; k < p->n; k++)
            cJSON_AddNumberToObject(states, info_text(p->state[k], "name"), (double)p->clocks[k]);
        for (unsigned k = 0; k < p->n * p->n; k++) {
            char name[512];
            if (!p->taken[k].listed && !p->taken[k].times)
                continue;
            snprintf(name, sizeof name, "%s to %s", info_text(p->state[k / p->n], "name"),
                     info_text(p->state[k % p->n], "name"));
            cJSON_AddNumberToObject(pairs, name, (double)p->taken[k].times);
        }
        cJSON_AddItemToArray(list, o);
    }
}
