// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "fault_disk.h"

#include <stdlib.h>
#include <string.h>

int content_write(content *content, const void *bytes, int64_t length, int64_t offset) {
    int64_t end = offset + length;
    if (end > content->capacity) {
        int64_t capacity = end * 2 + 4096;
        unsigned char *grown = realloc(content->bytes, (size_t)capacity);
        if (grown == NULL) return -1;
        content->bytes = grown;
        content->capacity = capacity;
    }
    if (offset > content->count) memset(content->bytes + content->count, 0, (size_t)(offset - content->count));
    if (length > 0) memcpy(content->bytes + offset, bytes, (size_t)length);
    if (end > content->count) content->count = end;
    return 0;
}

static void pending_free(node *node) {
    while (node->first != NULL) {
        pending *next = node->first->next;
        free(node->first->bytes);
        free(node->first);
        node->first = next;
    }
    node->last = NULL;
}

static void node_free(node *node) {
    pending_free(node);
    free(node->durable.bytes);
    free(node->path);
    free(node);
}

node *disk_find(disk *disk, const char *path) {
    for (node *node = disk->nodes; node != NULL; node = node->next) {
        if (strcmp(node->path, path) == 0) return node;
    }
    return NULL;
}

node *disk_add(disk *disk, const char *path, int is_database, int is_durable) {
    node *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->path = strdup(path);
    if (made->path == NULL) {
        free(made);
        return NULL;
    }
    made->is_database = is_database;
    made->is_there = is_durable;
    made->is_durable = is_durable;
    made->mode = 0600;
    made->next = disk->nodes;
    disk->nodes = made;
    return made;
}

static pending *pending_add(disk *disk, node *node, pending_kind kind) {
    pending *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->kind = kind;
    made->order = ++disk->order;
    if (node->last == NULL) {
        node->first = made;
    } else {
        node->last->next = made;
    }
    node->last = made;
    return made;
}

int disk_note_write(disk *disk, node *node, const void *bytes, int64_t length, int64_t offset) {
    unsigned char *copy = malloc(length > 0 ? (size_t)length : 1);
    if (copy == NULL) return -1;
    memcpy(copy, bytes, (size_t)length);
    pending *made = pending_add(disk, node, PENDING_WRITE);
    if (made == NULL) {
        free(copy);
        return -1;
    }
    made->bytes = copy;
    made->length = length;
    made->offset = offset;
    return 0;
}

int disk_note(disk *disk, node *node, pending_kind kind, int64_t size) {
    pending *made = pending_add(disk, node, kind);
    if (made == NULL) return -1;
    made->offset = size;
    if (kind == PENDING_DELETE) node->is_there = 0;
    if (kind == PENDING_CREATE) node->is_there = 1;
    return 0;
}

int disk_sync(node *node) {
    for (pending *one = node->first; one != NULL; one = one->next) {
        switch (one->kind) {
        case PENDING_WRITE:
            if (content_write(&node->durable, one->bytes, one->length, one->offset) != 0) return -1;
            break;
        case PENDING_TRUNCATE:
            if (one->offset < node->durable.count) node->durable.count = one->offset;
            break;
        case PENDING_DELETE:
        case PENDING_CREATE:
            node->durable.count = 0;
            break;
        }
    }
    pending_free(node);
    node->is_durable = node->is_there;
    return 0;
}

void disk_forget_idle(disk *disk) {
    node **link = &disk->nodes;
    while (*link != NULL) {
        node *node = *link;
        if (node->handles == 0 && node->first == NULL) {
            *link = node->next;
            node_free(node);
        } else {
            link = &node->next;
        }
    }
}

void disk_forget_all(disk *disk) {
    while (disk->nodes != NULL) {
        node *next = disk->nodes->next;
        node_free(disk->nodes);
        disk->nodes = next;
    }
}
