// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The VFS and its files: each operation is counted, judged, done on the real file, and noted as not synced.

#include "fault_world.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// An open file; the real one lies behind it in the same allocation.
typedef struct {
    sqlite3_file base;
    fault_world *world;
    node *node;             // null for files that are not under watch
    uint64_t power;         // the age in which it was opened
} fault_file;

static sqlite3_file *real_file(sqlite3_file *file) { return (sqlite3_file *)((fault_file *)file + 1); }

static fault_world *world_of(sqlite3_vfs *vfs) { return (fault_world *)vfs->pAppData; }

// Takes the lock of a file's world. Whether the file is dead: opened before a power cut.
static int enter(fault_file *file) {
    pthread_mutex_lock(&file->world->lock);
    return file->power != file->world->power || file->world->is_off;
}

static int leave(fault_file *file, int status) {
    pthread_mutex_unlock(&file->world->lock);
    return status;
}

static int is_dead(fault_file *file) { return leave(file, enter(file)); }

// ---- Files

static int close_file(sqlite3_file *base) {
    fault_file *file = (fault_file *)base;
    // A file that was opened before a power cut has lost its node: only one opened after it has one.
    enter(file);
    if (file->node != NULL && file->power == file->world->power) {
        file->node->handles--;
        disk_forget_idle(&file->world->disk);
    }
    leave(file, 0);
    int status = real_file(base)->pMethods->xClose(real_file(base));
    fault_world_release_file(file->world);
    return status;
}

static int read_file(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    fault_file *file = (fault_file *)base;
    if (enter(file)) return leave(file, SQLITE_IOERR_READ);
    if (file->node != NULL) {
        int fault = fault_world_judge(file->world, FAULT_ON_READ, file->node->path, count, offset);
        if (fault == CUT) fault_world_lose_power(file->world, file->world->policy, file->world->seed);
        if (fault != 0 && fault != FAULT_LIE) return leave(file, SQLITE_IOERR_READ);
    }
    leave(file, 0);
    return real_file(base)->pMethods->xRead(real_file(base), bytes, count, offset);
}

// Writes a part and notes it. The lock is held.
static int write_and_note(fault_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *real = real_file(&file->base);
    int status = real->pMethods->xWrite(real, bytes, count, offset);
    if (status != SQLITE_OK || file->node == NULL) return status;
    return disk_note_write(&file->world->disk, file->node, bytes, count, offset) == 0 ? SQLITE_OK : SQLITE_IOERR_NOMEM;
}

static int write_file(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    fault_file *file = (fault_file *)base;
    if (enter(file)) return leave(file, SQLITE_IOERR_WRITE);
    int fault = 0;
    if (file->node != NULL) {
        fault = fault_world_judge(file->world, FAULT_ON_WRITE, file->node->path, count, offset);
    }
    switch (fault) {
    case FAULT_FAIL: return leave(file, SQLITE_IOERR_WRITE);
    case FAULT_FULL: return leave(file, SQLITE_FULL);
    case FAULT_SHORT:
        write_and_note(file, bytes, count / 2, offset);
        return leave(file, SQLITE_FULL);
    case CUT:
        write_and_note(file, bytes, count, offset);
        fault_world_lose_power(file->world, file->world->policy, file->world->seed);
        return leave(file, SQLITE_IOERR_WRITE);
    default: return leave(file, write_and_note(file, bytes, count, offset));
    }
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
    fault_file *file = (fault_file *)base;
    if (enter(file)) return leave(file, SQLITE_IOERR_TRUNCATE);
    int fault = 0;
    if (file->node != NULL) fault = fault_world_judge(file->world, FAULT_ON_TRUNCATE, file->node->path, 0, size);
    if (fault != 0 && fault != FAULT_LIE && fault != CUT) return leave(file, SQLITE_IOERR_TRUNCATE);
    int status = real_file(base)->pMethods->xTruncate(real_file(base), size);
    if (status == SQLITE_OK && file->node != NULL
        && disk_note(&file->world->disk, file->node, PENDING_TRUNCATE, size) != 0) {
        status = SQLITE_IOERR_NOMEM;
    }
    if (fault == CUT) {
        fault_world_lose_power(file->world, file->world->policy, file->world->seed);
        status = SQLITE_IOERR_TRUNCATE;
    }
    return leave(file, status);
}

static int sync_file(sqlite3_file *base, int flags) {
    fault_file *file = (fault_file *)base;
    if (enter(file)) return leave(file, SQLITE_IOERR_FSYNC);
    if (file->node == NULL) return leave(file, real_file(base)->pMethods->xSync(real_file(base), flags));
    switch (fault_world_judge(file->world, FAULT_ON_SYNC, file->node->path, 0, 0)) {
    case 0: return leave(file, disk_sync(file->node) == 0 ? SQLITE_OK : SQLITE_IOERR_NOMEM);
    case FAULT_LIE: return leave(file, SQLITE_OK);
    case CUT:
        fault_world_lose_power(file->world, file->world->policy, file->world->seed);
        return leave(file, SQLITE_IOERR_FSYNC);
    default: return leave(file, SQLITE_IOERR_FSYNC);
    }
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
    if (is_dead((fault_file *)base)) return SQLITE_IOERR_FSTAT;
    return real_file(base)->pMethods->xFileSize(real_file(base), size);
}

static int lock_file(sqlite3_file *base, int level) {
    if (is_dead((fault_file *)base)) return SQLITE_IOERR_LOCK;
    return real_file(base)->pMethods->xLock(real_file(base), level);
}

static int unlock_file(sqlite3_file *base, int level) {
    return real_file(base)->pMethods->xUnlock(real_file(base), level);
}

static int check_reserved_lock(sqlite3_file *base, int *is_reserved) {
    if (is_dead((fault_file *)base)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    return real_file(base)->pMethods->xCheckReservedLock(real_file(base), is_reserved);
}

static int control_file(sqlite3_file *base, int operation, void *argument) {
    // Hints to grow a file would be writes that nothing counts.
    if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
    return real_file(base)->pMethods->xFileControl(real_file(base), operation, argument);
}

static int sector_size(sqlite3_file *base) { return real_file(base)->pMethods->xSectorSize(real_file(base)); }

static int device_characteristics(sqlite3_file *base) {
    return real_file(base)->pMethods->xDeviceCharacteristics(real_file(base));
}

static int map_index(sqlite3_file *base, int page, int size, int extend, void volatile **address) {
    if (is_dead((fault_file *)base)) return SQLITE_IOERR_SHMMAP;
    return real_file(base)->pMethods->xShmMap(real_file(base), page, size, extend, address);
}

static int lock_index(sqlite3_file *base, int offset, int n, int flags) {
    if ((flags & SQLITE_SHM_LOCK) && is_dead((fault_file *)base)) return SQLITE_IOERR_SHMLOCK;
    return real_file(base)->pMethods->xShmLock(real_file(base), offset, n, flags);
}

static void index_barrier(sqlite3_file *base) { real_file(base)->pMethods->xShmBarrier(real_file(base)); }

static int unmap_index(sqlite3_file *base, int removes) {
    // The file of that name may be a later one's.
    if (is_dead((fault_file *)base)) removes = 0;
    return real_file(base)->pMethods->xShmUnmap(real_file(base), removes);
}

// Version 2: without xFetch, so that every read comes by.
static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = size_of_file,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_index,
    .xShmLock = lock_index,
    .xShmBarrier = index_barrier,
    .xShmUnmap = unmap_index,
};

// ---- The VFS

// What a file that is new to this world holds is on the disk. Read through SQLite's own descriptor: to open and close
// another one would drop the locks of this process.
static int take_content(fault_file *file, const char *path) {
    sqlite3_file *real = real_file(&file->base);
    struct stat status;
    if (stat(path, &status) == 0) file->node->mode = status.st_mode & 07777;
    sqlite3_int64 size = 0;
    int code = real->pMethods->xFileSize(real, &size);
    unsigned char part[65536];
    for (sqlite3_int64 at = 0; code == SQLITE_OK && at < size;) {
        int count = size - at < (sqlite3_int64)sizeof part ? (int)(size - at) : (int)sizeof part;
        code = real->pMethods->xRead(real, part, count, at);
        if (code == SQLITE_OK && content_write(&file->node->durable, part, count, at) != 0) code = SQLITE_NOMEM;
        at += count;
    }
    return code;
}

// Opens a file under watch. The lock is held.
static int open_watched(fault_file *file, const char *path, int flags, int *given_flags) {
    fault_world *world = file->world;
    if (world->is_off) return SQLITE_CANTOPEN;
    struct stat status;
    int is_new = (flags & SQLITE_OPEN_CREATE) != 0 && lstat(path, &status) != 0;
    int fault = is_new ? fault_world_judge(world, FAULT_ON_CREATE, path, 0, 0) : 0;
    if (fault != 0 && fault != FAULT_LIE && fault != CUT) return SQLITE_CANTOPEN;
    sqlite3_file *real = real_file(&file->base);
    int code = world->real->xOpen(world->real, path, real, flags, given_flags);
    if (code != SQLITE_OK) return code;
    node *known = disk_find(&world->disk, path);
    file->node = known;
    if (known == NULL) {
        file->node = disk_add(&world->disk, path, (flags & SQLITE_OPEN_MAIN_DB) != 0, !is_new);
        code = file->node == NULL ? SQLITE_NOMEM : take_content(file, path);
    }
    if (code == SQLITE_OK && is_new && disk_note(&world->disk, file->node, PENDING_CREATE, 0) != 0) {
        code = SQLITE_NOMEM;
    }
    if (fault == CUT) {
        fault_world_lose_power(world, world->policy, world->seed);
        code = SQLITE_CANTOPEN;
    }
    if (code != SQLITE_OK) {
        real->pMethods->xClose(real);
        return code;
    }
    file->node->handles++;
    return SQLITE_OK;
}

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *given_flags) {
    fault_world *world = world_of(vfs);
    fault_file *file = (fault_file *)base;
    memset(file, 0, sizeof *file);
    file->world = world;
    int watched = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
    int code;
    pthread_mutex_lock(&world->lock);
    file->power = world->power;
    if (path == NULL || (flags & watched) == 0) {
        code = world->real->xOpen(world->real, path, real_file(base), flags, given_flags);
    } else {
        code = open_watched(file, path, flags, given_flags);
    }
    // Without methods SQLite does not close it.
    if (code == SQLITE_OK) {
        file->base.pMethods = &methods;
        world->files++;
    }
    pthread_mutex_unlock(&world->lock);
    return code;
}

// Remembers a file that no one has open, so that its deletion can be undone. SQLite closes its logs before it deletes them.
// Only for those: no one holds a lock on them that closing a descriptor would drop. The lock is held.
static node *remember(fault_world *world, const char *path) {
    const char *suffix = strrchr(path, '-');
    if (suffix == NULL || (strcmp(suffix, "-wal") != 0 && strcmp(suffix, "-journal") != 0)) return NULL;
    FILE *stream = fopen(path, "rbe");
    if (stream == NULL) return NULL;
    node *made = disk_add(&world->disk, path, 0, 1);
    unsigned char part[65536];
    size_t count;
    while (made != NULL && (count = fread(part, 1, sizeof part, stream)) > 0) {
        if (content_write(&made->durable, part, (int64_t)count, made->durable.count) != 0) break;
    }
    fclose(stream);
    return made;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int is_durable) {
    fault_world *world = world_of(vfs);
    pthread_mutex_lock(&world->lock);
    int code = SQLITE_IOERR_DELETE;
    if (!world->is_off) {
        struct stat status;
        int is_there = lstat(path, &status) == 0;
        int fault = is_there ? fault_world_judge(world, FAULT_ON_DELETE, path, 0, 0) : 0;
        if (fault == 0 || fault == FAULT_LIE || fault == CUT) {
            node *known = disk_find(&world->disk, path);
            if (known == NULL && is_there) known = remember(world, path);
            code = world->real->xDelete(world->real, path, 0);
            if (code == SQLITE_OK && known != NULL) {
                disk_note(&world->disk, known, PENDING_DELETE, 0);
                if (is_durable && fault == 0) disk_sync(known);
            }
        }
        if (fault == CUT) {
            fault_world_lose_power(world, world->policy, world->seed);
            code = SQLITE_IOERR_DELETE;
        }
    }
    pthread_mutex_unlock(&world->lock);
    return code;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
    if (fault_world_is_off(world_of(vfs))) return SQLITE_IOERR_ACCESS;
    return world_of(vfs)->real->xAccess(world_of(vfs)->real, path, flags, answer);
}

static int full_path(sqlite3_vfs *vfs, const char *path, int count, char *full) {
    return world_of(vfs)->real->xFullPathname(world_of(vfs)->real, path, count, full);
}

static void *open_library(sqlite3_vfs *vfs, const char *path) {
    (void)vfs;
    (void)path;
    return NULL;
}

static void library_error(sqlite3_vfs *vfs, int count, char *text) {
    (void)vfs;
    if (count > 0) text[0] = 0;
}

static void (*library_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
    (void)vfs;
    (void)library;
    (void)name;
    return NULL;
}

static void close_library(sqlite3_vfs *vfs, void *library) {
    (void)vfs;
    (void)library;
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    return world_of(vfs)->real->xRandomness(world_of(vfs)->real, count, bytes);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
    return world_of(vfs)->real->xSleep(world_of(vfs)->real, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *now) {
    return world_of(vfs)->real->xCurrentTime(world_of(vfs)->real, now);
}

static int last_error(sqlite3_vfs *vfs, int count, char *text) {
    return world_of(vfs)->real->xGetLastError(world_of(vfs)->real, count, text);
}

static int current_time_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *now) {
    return world_of(vfs)->real->xCurrentTimeInt64(world_of(vfs)->real, now);
}

void fault_vfs_fill(fault_world *world) {
    world->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(fault_file) + world->real->szOsFile,
        .mxPathname = world->real->mxPathname,
        .zName = world->name,
        .pAppData = world,
        .xOpen = open_file,
        .xDelete = delete_file,
        .xAccess = access_file,
        .xFullPathname = full_path,
        .xDlOpen = open_library,
        .xDlError = library_error,
        .xDlSym = library_symbol,
        .xDlClose = close_library,
        .xRandomness = randomness,
        .xSleep = sleep_for,
        .xCurrentTime = current_time,
        .xGetLastError = last_error,
        .xCurrentTimeInt64 = current_time_milliseconds,
    };
}
