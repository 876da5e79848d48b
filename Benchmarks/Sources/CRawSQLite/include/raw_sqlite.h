// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The system's SQLite with nothing around it: the rows that a vault writes, in the same tables,
// with the same pragmas and as durable, but of random bytes. No cryptography, no reading before
// writing, no checks: a floor for the vault.
//
// One thread at a time. Functions that return an int give 1 for success and 0 for everything else.
#ifndef RAW_SQLITE_H
#define RAW_SQLITE_H

#include <stddef.h>
#include <stdint.h>

// The version text of the SQLite that is loaded.
const char *raw_sqlite_version(void);

typedef struct raw_store raw_store;
// Makes the database; the path must not exist. `meta_count` and `value_count` are the lengths of a
// sealed item's two parts.
raw_store *raw_store_new(const char *path, size_t meta_count, size_t value_count);
void raw_store_free(raw_store *store);

int raw_store_begin(raw_store *store);
// Writes the item's row and its value's, new or in place of those that are there. `value` is the
// number of the value's row.
int raw_store_put(raw_store *store, const uint8_t id[32], const uint8_t group[16], int64_t value);
// Deletes both rows.
int raw_store_delete(raw_store *store, const uint8_t id[32], int64_t value);
// Writes the buckets of the items that were put, and the state, and commits.
int raw_store_commit(raw_store *store);
// Copies the log into the database and cuts it off, as closing it would.
int raw_store_checkpoint(raw_store *store);

// Finds the item and copies its two parts to `buffer`, which has room for both. 0 also when it is
// absent.
int raw_store_get(raw_store *store, const uint8_t id[32], uint8_t *buffer);
// Reads the item rows of a group, without values; returns how many there are, or -1.
int raw_store_list(raw_store *store, const uint8_t group[16], uint8_t *buffer);

#endif
