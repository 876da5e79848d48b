// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// A world: a disk, a VFS, and the order to let something fail.
#ifndef FAULT_WORLD_H
#define FAULT_WORLD_H

#include "fault_disk.h"
#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>

enum { KIND_COUNT = 6 };

struct fault_world {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    char name[40];
    pthread_mutex_t lock;   // around everything below
    disk disk;
    uint64_t power;         // grows at each power cut: a handle of an earlier age is dead
    int is_off;
    int files;              // open ones, those that are not under watch included
    int is_destroyed;       // only open files still need it
    uint64_t counts[KIND_COUNT];
    // The order: let the n-th of these operations fail, or cut the power at it.
    int operations;
    uint64_t n;
    uint64_t seen;
    int fault;              // 0 for a power cut
    int for_good;
    int policy;
    uint64_t seed;
    uint64_t carried_out;
    char last_fault[128];
};

// What is to happen to an operation: 0, a fault, or CUT. Counts it. The lock is held.
enum { CUT = 100 };
int fault_world_judge(fault_world *world, int operation, const char *path, int64_t length, int64_t offset);

// The power goes, by the order that stands. The lock is held.
void fault_world_lose_power(fault_world *world, int policy, uint64_t seed);

// A file was closed. Frees a world that was destroyed, once its last file is gone.
void fault_world_release_file(fault_world *world);

// Fills in the functions of the VFS.
void fault_vfs_fill(fault_world *world);

#endif
