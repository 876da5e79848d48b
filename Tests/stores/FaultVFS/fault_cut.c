// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The moment the power goes: what was not synced is thrown away, in part or in whole.

#include "fault_disk.h"
#include "fault_vfs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

// SplitMix64: the same numbers on every run.
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// The choices of one power cut.
typedef struct {
    int policy;
    uint64_t random;
    uint64_t last_kept;     // KEEP_FIRST: the order of the last operation that stays
    uint64_t torn;          // TEAR_LAST: the order of the write that is torn
    unsigned chance;        // KEEP_SOME: of 8 sectors so many stay
    int is_garbage;         // what lost sectors in the new part of a file hold
    uint64_t lost;
} cut;

// Room that a lost sector leaves behind when the file has grown over it.
static int fill(content *content, int64_t from, int64_t to, cut *cut) {
    for (int64_t at = from; at < to; at++) {
        unsigned char byte = cut->is_garbage ? (unsigned char)next_random(&cut->random) : 0;
        if (content_write(content, &byte, 1, at) != 0) return -1;
    }
    return 0;
}

static int write_part(content *content, const pending *write, int64_t from, int64_t to, cut *cut) {
    if (from >= to) return 0;
    if (write->offset + from > content->count && fill(content, content->count, write->offset + from, cut) != 0) {
        return -1;
    }
    return content_write(content, write->bytes + from, to - from, write->offset + from);
}

static int keep_some_sectors(content *content, const pending *write, cut *cut) {
    int64_t from = 0;
    while (from < write->length) {
        // To the next boundary of a sector of the file, not of the write.
        int64_t to = from + SECTOR - (write->offset + from) % SECTOR;
        if (to > write->length) to = write->length;
        if (next_random(&cut->random) % 8 < cut->chance) {
            if (write_part(content, write, from, to, cut) != 0) return -1;
        } else {
            cut->lost += (uint64_t)(to - from);
        }
        from = to;
    }
    return 0;
}

static int tear(content *content, const pending *write, cut *cut) {
    int64_t at = (int64_t)(next_random(&cut->random) % (uint64_t)(write->length > 0 ? write->length : 1));
    int is_beginning = (int)(next_random(&cut->random) & 1);
    cut->lost += (uint64_t)(is_beginning ? write->length - at : at);
    return is_beginning ? write_part(content, write, 0, at, cut) : write_part(content, write, at, write->length, cut);
}

// How many creations, deletions and truncations of a file stay: they reach the disk in their order.
static uint64_t names_kept(const node *node, cut *cut) {
    uint64_t count = 0;
    for (const pending *one = node->first; one != NULL; one = one->next) count += one->kind != PENDING_WRITE;
    return cut->policy == FAULT_CUT_KEEP_SOME ? next_random(&cut->random) % (count + 1) : count;
}

// What the disk holds of one file.
static int outcome(const node *node, cut *cut, content *content, int *is_there) {
    *is_there = node->is_durable;
    if (content_write(content, node->durable.bytes, node->durable.count, 0) != 0) return -1;
    uint64_t names = names_kept(node, cut);
    int64_t reached = content->count;
    int is_other_file = 0;  // the creation of the file that is written to was lost
    for (const pending *one = node->first; one != NULL; one = one->next) {
        int is_name = one->kind != PENDING_WRITE;
        int is_lost = cut->policy == FAULT_CUT_LOSE_ALL
            || (cut->policy == FAULT_CUT_KEEP_FIRST && one->order > cut->last_kept) || (is_name && names == 0);
        if (is_name && !is_lost) names--;
        if (is_lost || (is_other_file && !is_name)) {
            cut->lost += (uint64_t)one->length;
            if (one->kind == PENDING_CREATE || one->kind == PENDING_DELETE) is_other_file = 1;
            continue;
        }
        int status = 0;
        switch (one->kind) {
        case PENDING_DELETE:
            *is_there = 0;
            content->count = reached = 0;
            break;
        case PENDING_CREATE:
            *is_there = 1;
            content->count = reached = 0;
            break;
        case PENDING_TRUNCATE:
            if (one->offset < content->count) content->count = one->offset;
            reached = content->count;
            break;
        case PENDING_WRITE:
            if (one->offset + one->length > reached) reached = one->offset + one->length;
            if (cut->policy == FAULT_CUT_KEEP_SOME) {
                status = keep_some_sectors(content, one, cut);
            } else if (cut->policy == FAULT_CUT_TEAR_LAST && one->order == cut->torn) {
                status = tear(content, one, cut);
            } else {
                status = write_part(content, one, 0, one->length, cut);
            }
            break;
        }
        if (status != 0) return -1;
    }
    // The size may have reached the disk without what belongs there.
    if (cut->policy == FAULT_CUT_KEEP_SOME && reached > content->count && (next_random(&cut->random) & 1)) {
        return fill(content, content->count, reached, cut);
    }
    return 0;
}

// Makes a new file under the old name. A program that has the old one open keeps that.
static int replace_file(const node *node, const content *content) {
    size_t length = strlen(node->path) + 16;
    char *temporary = malloc(length);
    if (temporary == NULL) return -1;
    snprintf(temporary, length, "%s.cut", node->path);
    int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int status = file < 0 ? -1 : 0;
    for (int64_t done = 0; status == 0 && done < content->count;) {
        ssize_t count = write(file, content->bytes + done, (size_t)(content->count - done));
        if (count <= 0) status = -1;
        done += count;
    }
    if (file >= 0) {
        if (fchmod(file, node->mode) != 0) status = -1;
        if (close(file) != 0) status = -1;
    }
    if (status == 0) status = rename(temporary, node->path);
    if (status != 0) unlink(temporary);
    free(temporary);
    return status;
}

static void remove_index(const node *node) {
    size_t length = strlen(node->path) + 8;
    char *path = malloc(length);
    if (path == NULL) return;
    snprintf(path, length, "%s-shm", node->path);
    unlink(path);
    free(path);
}

// The orders of the last write and of the first and the last operation of a disk.
static void survey(const disk *disk, cut *cut) {
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    for (const node *node = disk->nodes; node != NULL; node = node->next) {
        for (const pending *one = node->first; one != NULL; one = one->next) {
            if (one->order < first) first = one->order;
            if (one->order > last) last = one->order;
            if (one->kind == PENDING_WRITE && one->order > cut->torn) cut->torn = one->order;
        }
    }
    if (last > 0) cut->last_kept = first - 1 + next_random(&cut->random) % (last - first + 2);
}

int disk_cut(disk *disk, int policy, uint64_t seed) {
    static const unsigned chances[] = {1, 4, 7};
    cut cut = {.policy = policy, .random = seed};
    cut.chance = chances[next_random(&cut.random) % 3];
    cut.is_garbage = (int)(next_random(&cut.random) & 1);
    survey(disk, &cut);
    int status = 0;
    for (const node *node = disk->nodes; node != NULL; node = node->next) {
        // Gone without our doing: renamed, or removed by the test. It is not ours to bring back.
        if (node->handles == 0 && node->is_there && access(node->path, F_OK) != 0) continue;
        content content = {0};
        int is_there = 0;
        if (outcome(node, &cut, &content, &is_there) != 0) {
            status = -1;
        } else if (is_there) {
            if (replace_file(node, &content) != 0) status = -1;
        } else {
            unlink(node->path);
        }
        if (node->is_database) remove_index(node);
        free(content.bytes);
    }
    disk->lost = cut.lost;
    return status;
}
