// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "fault_world.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint_fast64_t worlds_made;

fault_world *fault_world_create(void) {
    if (sqlite3_initialize() != SQLITE_OK) return NULL;
    fault_world *world = calloc(1, sizeof *world);
    if (world == NULL) return NULL;
    world->real = sqlite3_vfs_find(NULL);
    uint64_t number = atomic_fetch_add(&worlds_made, 1) + 1;
    snprintf(world->name, sizeof world->name, "signet-fault-%llu", (unsigned long long)number);
    pthread_mutex_init(&world->lock, NULL);
    fault_vfs_fill(world);
    if (sqlite3_vfs_register(&world->vfs, 0) != SQLITE_OK) {
        pthread_mutex_destroy(&world->lock);
        free(world);
        return NULL;
    }
    return world;
}

const char *fault_world_name(const fault_world *world) { return world->name; }

static void free_world(fault_world *world) {
    disk_forget_all(&world->disk);
    pthread_mutex_destroy(&world->lock);
    free(world);
}

void fault_world_destroy(fault_world *world) {
    if (world == NULL) return;
    sqlite3_vfs_unregister(&world->vfs);
    pthread_mutex_lock(&world->lock);
    world->is_destroyed = 1;
    int is_idle = world->files == 0;
    pthread_mutex_unlock(&world->lock);
    if (is_idle) free_world(world);
}

void fault_world_release_file(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    world->files--;
    int is_last = world->is_destroyed && world->files == 0;
    pthread_mutex_unlock(&world->lock);
    if (is_last) free_world(world);
}

uint64_t fault_world_count(fault_world *world, int operations) {
    uint64_t sum = 0;
    pthread_mutex_lock(&world->lock);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (operations & (1 << kind)) sum += world->counts[kind];
    }
    pthread_mutex_unlock(&world->lock);
    return sum;
}

static void order(fault_world *world, int operations, uint64_t n, int fault, int for_good, int policy, uint64_t seed) {
    pthread_mutex_lock(&world->lock);
    world->operations = operations;
    world->n = n;
    world->seen = 0;
    world->fault = fault;
    world->for_good = for_good;
    world->policy = policy;
    world->seed = seed;
    pthread_mutex_unlock(&world->lock);
}

void fault_world_arm(fault_world *world, int operations, uint64_t n, int fault, int for_good) {
    order(world, operations, n, fault, for_good, 0, 0);
}

void fault_world_arm_cut(fault_world *world, int operations, uint64_t n, int policy, uint64_t seed) {
    order(world, operations, n, 0, 0, policy, seed);
}

static const char *const kind_names[KIND_COUNT] = {"write", "sync", "truncate", "delete", "create", "read"};

int fault_world_judge(fault_world *world, int operation, const char *path, int64_t length, int64_t offset) {
    int kind = 0;
    while (kind < KIND_COUNT - 1 && operation != 1 << kind) kind++;
    world->counts[kind]++;
    if (world->n == 0 || (world->operations & operation) == 0) return 0;
    world->seen++;
    if (world->seen != world->n && !(world->for_good && world->seen > world->n)) return 0;
    world->carried_out++;
    const char *suffix = strrchr(path, '-');
    int is_beside = suffix != NULL && (strcmp(suffix, "-wal") == 0 || strcmp(suffix, "-journal") == 0);
    snprintf(
        world->last_fault, sizeof world->last_fault, "%s %lld at %lld of %s", kind_names[kind], (long long)length,
        (long long)offset, is_beside ? suffix : "the database");
    return world->policy != 0 ? CUT : world->fault;
}

void fault_world_lose_power(fault_world *world, int policy, uint64_t seed) {
    if (world->is_off) return;
    world->is_off = 1;
    world->power++;
    disk_cut(&world->disk, policy, seed);
}

void fault_world_power_cut(fault_world *world, int policy, uint64_t seed) {
    pthread_mutex_lock(&world->lock);
    fault_world_lose_power(world, policy, seed);
    pthread_mutex_unlock(&world->lock);
}

int fault_world_is_off(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    int is_off = world->is_off;
    pthread_mutex_unlock(&world->lock);
    return is_off;
}

void fault_world_power_on(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    // Handles of the old age point to their nodes no more: they are dead (see fault_vfs.c).
    if (world->is_off) disk_forget_all(&world->disk);
    world->is_off = 0;
    world->n = 0;
    pthread_mutex_unlock(&world->lock);
}

uint64_t fault_world_lost_bytes(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    uint64_t lost = world->disk.lost;
    pthread_mutex_unlock(&world->lock);
    return lost;
}

void fault_world_reset(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    memset(world->counts, 0, sizeof world->counts);
    world->n = 0;
    world->seen = 0;
    world->carried_out = 0;
    world->last_fault[0] = 0;
    pthread_mutex_unlock(&world->lock);
}

uint64_t fault_world_fault_count(fault_world *world) {
    pthread_mutex_lock(&world->lock);
    uint64_t count = world->carried_out;
    pthread_mutex_unlock(&world->lock);
    return count;
}

void fault_world_last_fault(fault_world *world, char *text, int capacity) {
    if (capacity <= 0) return;
    pthread_mutex_lock(&world->lock);
    snprintf(text, (size_t)capacity, "%s", world->last_fault);
    pthread_mutex_unlock(&world->lock);
}
