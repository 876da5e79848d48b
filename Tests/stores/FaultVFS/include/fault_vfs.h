// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// A disk that fails, for tests: an sqlite3_vfs on top of the default one.
//
// A world is one such disk with a VFS name of its own. Worlds share nothing, so that tests may run side by side in one
// process; within a world any number of connections and threads may work. Other processes do not see a world's faults,
// and their writes are not known to it. Give `fault_world_name` to SQLite as the VFS of a connection.
//
//     fault_world *world = fault_world_create();
//     fault_world_arm_cut(world, FAULT_ON_ANY, 7, FAULT_CUT_KEEP_SOME, 42);
//     ... work until the first error, close the connections ...
//     fault_world_power_cut(world, FAULT_CUT_KEEP_SOME, 42);   // does nothing if operation 7 was reached
//     ... open the files again, through the default VFS or, after fault_world_power_on, through this one ...
//     fault_world_destroy(world);
//
// What is under watch: databases, their -wal and their -journal files. Temporary files pass through. The -shm file is
// not on the disk as far as a power cut is concerned: it goes.
//
// What is on the disk: what a file held when it was first opened in this world, and what was synced since. A sync makes
// the whole file durable, and its existence. A deletion is durable when SQLite asks for it (syncDir), else it may be undone by a
// power cut, as may a creation, a truncation, growth and every write. Nothing is really synced: only the world's own
// memory decides what survives, so that the tests take no longer than they must.
//
// What is not modelled: an order between the files of one folder that a real file system would keep (a power cut here
// may do worse than a real one), renames (a file that was renamed is another file), and errors of reading that return
// wrong data.
#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdint.h>

typedef struct fault_world fault_world;

// A new disk, or null without memory. Its name stays valid until it is destroyed.
fault_world *fault_world_create(void);
const char *fault_world_name(const fault_world *world);

// Takes the VFS away. Connections that are still open go on; the last of their files takes the world along.
void fault_world_destroy(fault_world *world);

// Kinds of operations, to be joined with |. Each is counted when it is asked for, whether it succeeds or not; on databases,
// -wal and -journal files together.
enum {
    FAULT_ON_WRITE = 1,     // xWrite
    FAULT_ON_SYNC = 2,      // xSync
    FAULT_ON_TRUNCATE = 4,  // xTruncate
    FAULT_ON_DELETE = 8,    // xDelete
    FAULT_ON_CREATE = 16,   // xOpen of a file that is not there
    FAULT_ON_READ = 32,     // xRead; not among FAULT_ON_ANY, because it changes nothing on the disk
    FAULT_ON_ANY = 31
};

// How many operations of these kinds there were since the world began, or since fault_world_reset.
uint64_t fault_world_count(fault_world *world, int operations);

// What happens to an operation.
enum {
    // Nothing is done. SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE, _DELETE, _READ; SQLITE_CANTOPEN for a creation.
    FAULT_FAIL = 1,
    // The disk is full: SQLITE_FULL for a write, nothing of it done; like FAULT_FAIL for the others.
    FAULT_FULL = 2,
    // The first half of a write is done, then the disk is full: SQLITE_FULL; like FAULT_FAIL for the others.
    FAULT_SHORT = 3,
    // A lie: reported as done, and not done. Only for a sync, which then makes nothing durable; the others are done.
    FAULT_LIE = 4
};

// Lets the n-th operation (from 1, counted from this call on) of the kinds given fail; with `for_good`, all of these
// kinds from then on. One order at a time: a new one replaces the old one, and n = 0 takes it away.
void fault_world_arm(fault_world *world, int operations, uint64_t n, int fault, int for_good);

// What a power cut leaves of what was not synced. `seed` makes chance repeatable.
enum {
    // Nothing.
    FAULT_CUT_LOSE_ALL = 1,
    // Any sectors of 512 bytes, of each write for itself. What is lost in the new part of a file is zeros or garbage. Of the
    // creations, deletions and truncations of each file, the first few.
    FAULT_CUT_KEEP_SOME = 2,
    // All operations up to one of them, in their order across all files, and nothing after it.
    FAULT_CUT_KEEP_FIRST = 3,
    // Everything, but of the last write only its beginning, or only its end, to any byte.
    FAULT_CUT_TEAR_LAST = 4,
    // Everything: no more than a process that was killed.
    FAULT_CUT_KEEP_ALL = 5
};

// Cuts the power while the n-th operation of the kinds given is under way: it takes part as one that was not synced. A sync
// is one that did not come to its end.
void fault_world_arm_cut(fault_world *world, int operations, uint64_t n, int policy, uint64_t seed);

// Cuts the power now, unless it is off. The files in the real folder become what the disk would hold: new files under
// the old names, so that connections that are still open do no harm. From now on every operation of every connection of this world
// fails with an SQLITE_IOERR; closing works.
void fault_world_power_cut(fault_world *world, int policy, uint64_t seed);

// Whether the power is off, by an order or by a call.
int fault_world_is_off(fault_world *world);

// Turns the power on: what is in the real files is what is on the disk. Connections from before stay dead.
void fault_world_power_on(fault_world *world);

// Bytes of writes that the last power cut has thrown away, in whole or in part. 0 says that it cut nothing.
uint64_t fault_world_lost_bytes(fault_world *world);

// Counts start at 0 again and no order stands; what is durable stays what it is.
void fault_world_reset(fault_world *world);

// How many orders were carried out: 0 says that n was never reached.
uint64_t fault_world_fault_count(fault_world *world);

// The last operation that an order was carried out on, as "write 4096 at 32 of -wal", into a buffer of the caller's; empty
// where there was none.
void fault_world_last_fault(fault_world *world, char *text, int capacity);

#endif
