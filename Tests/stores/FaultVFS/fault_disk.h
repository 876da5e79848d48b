// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// What a disk would hold if the power went now: the durable content of each file, and what was done since its last sync.
#ifndef FAULT_DISK_H
#define FAULT_DISK_H

#include <stdint.h>

// Something that was done to a file and not synced.
typedef enum { PENDING_WRITE, PENDING_TRUNCATE, PENDING_DELETE, PENDING_CREATE } pending_kind;

typedef struct pending {
    pending_kind kind;
    uint64_t order;         // across all files of a world
    int64_t offset;         // of a write; the new size, of a truncation
    int64_t length;         // of a write
    unsigned char *bytes;   // of a write
    struct pending *next;
} pending;

// Bytes that grow; a gap that is written over is zeros.
typedef struct {
    unsigned char *bytes;
    int64_t count;
    int64_t capacity;
} content;

typedef struct node {
    char *path;
    int is_database;
    int handles;            // open ones
    int is_there;           // for those who look now
    int is_durable;         // whether the name is on the disk
    unsigned mode;
    content durable;
    pending *first;
    pending *last;
    struct node *next;
} node;

typedef struct {
    node *nodes;
    uint64_t order;
    uint64_t lost;
} disk;

// All of these return 0, or -1 without memory.
node *disk_find(disk *disk, const char *path);
node *disk_add(disk *disk, const char *path, int is_database, int is_durable);
int disk_note_write(disk *disk, node *node, const void *bytes, int64_t length, int64_t offset);
int disk_note(disk *disk, node *node, pending_kind kind, int64_t size);

// Everything done to the file so far is durable, its existence included.
int disk_sync(node *node);
int content_write(content *content, const void *bytes, int64_t length, int64_t offset);

// A file that is not open and of which nothing is pending need not be remembered.
void disk_forget_idle(disk *disk);
void disk_forget_all(disk *disk);

// Puts into the real folder what a power cut leaves (a policy of fault_vfs.h).
int disk_cut(disk *disk, int policy, uint64_t seed);

#endif
