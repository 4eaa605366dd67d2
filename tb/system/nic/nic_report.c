// SPDX-License-Identifier: Apache-2.0
/*
 * nic_report.c - reads a report, replaces keys, writes it; its folder is locked meanwhile.
 */
#include "tb/system/nic/nic_report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sim/base/whole.h"

enum { LARGEST = 1 << 20 };

/* What is there, or an empty object. */
static cJSON *read_object(const char *path)
{
    char *text = calloc(1, LARGEST);
    FILE *file = fopen(path, "r");
    cJSON *object = NULL;

    if (text != NULL && file != NULL && fread(text, 1, LARGEST - 1, file) > 0) {
        object = cJSON_Parse(text);
    }
    if (file != NULL) {
        fclose(file);
    }
    free(text);
    if (!cJSON_IsObject(object)) {
        cJSON_Delete(object);
        object = cJSON_CreateObject();
    }
    return object;
}

static int lock_folder(const char *path)
{
    char folder[PATH_MAX];
    int fd;

    whole_folder(path, folder);
    whole_make_folder(folder);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool nic_report_update(const char *path, cJSON *object)
{
    int lock = lock_folder(path);
    cJSON *all, *item;
    bool done;

    if (lock < 0) {
        fprintf(stderr, "%s: its folder cannot be locked: %s\n", path, strerror(errno));
        cJSON_Delete(object);
        return false;
    }
    all = read_object(path);
    while ((item = cJSON_DetachItemFromArray(object, 0)) != NULL) {
        cJSON_DeleteItemFromObjectCaseSensitive(all, item->string);
        cJSON_AddItemToObject(all, item->string, item);
    }
    cJSON_Delete(object);
    done = report_write(path, all);
    close(lock);
    return done;
}
