// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "raw_sqlite.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    id_count = 32,
    group_count = 16,
    key_id_count = 16,
    tag_count = 16,
    bucket_count = 84,
    state_count = 168,
    bucket_limit = 4096,
    noise_count = 1 << 20,
};

struct raw_store {
    sqlite3 *database;
    // As in the vault, reading has a connection of its own.
    sqlite3 *reading;
    sqlite3_stmt *begin, *commit, *put_item, *put_value, *put_bucket, *put_state, *delete_item, *delete_value, *get, *list;
    // Sealed parts are taken from anywhere in it: SQLite does not look at them.
    uint8_t *noise;
    size_t noise_place;
    size_t meta_count, value_count;
    int64_t generation;
    uint8_t key_id[key_id_count];
    uint16_t touched[bucket_limit];
    int touched_count;
    uint8_t is_touched[bucket_limit];
};

const char *raw_sqlite_version(void) { return sqlite3_libversion(); }

// The pragmas of Documentation/VAULT-FORMAT.md, and the vault's caches and length of the log.
#define PRAGMAS \
    "PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;PRAGMA trusted_schema=OFF;PRAGMA cell_size_check=ON;" \
    "PRAGMA mmap_size=0;PRAGMA temp_store=MEMORY;PRAGMA wal_autocheckpoint=2000;PRAGMA journal_size_limit=16777216;"

static const char *const set_up_reading = PRAGMAS "PRAGMA cache_size=-4096;";
// And the tables of the format.
static const char *const set_up =
    "PRAGMA page_size=4096;PRAGMA journal_mode=WAL;" PRAGMAS "PRAGMA cache_size=-16384;"
    "CREATE TABLE item(id BLOB PRIMARY KEY,grp BLOB NOT NULL,kid BLOB NOT NULL,gen INTEGER NOT NULL,v INTEGER NOT NULL,"
    "meta BLOB NOT NULL,vt BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX item_grp ON item(grp);"
    "CREATE TABLE val(v INTEGER PRIMARY KEY,b BLOB NOT NULL);"
    "CREATE TABLE bucket(n INTEGER PRIMARY KEY,b BLOB NOT NULL);"
    "CREATE TABLE state(k INTEGER PRIMARY KEY,b BLOB NOT NULL);";

static int prepare_on(sqlite3 *database, const char *sql, sqlite3_stmt **statement) {
    return sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

static int prepare(raw_store *store, const char *sql, sqlite3_stmt **statement) {
    return prepare_on(store->database, sql, statement);
}

raw_store *raw_store_new(const char *path, size_t meta_count, size_t value_count) {
    raw_store *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    store->meta_count = meta_count;
    store->value_count = value_count;
    store->noise = malloc(noise_count);
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE;
    if (store->noise && meta_count < noise_count && value_count < noise_count
        && sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK
        && sqlite3_exec(store->database, set_up, NULL, NULL, NULL) == SQLITE_OK
        && prepare(store, "BEGIN IMMEDIATE", &store->begin) && prepare(store, "COMMIT", &store->commit)
        && prepare(store,
            "INSERT INTO item(id,grp,kid,gen,v,meta,vt) VALUES(?,?,?,?,?,?,?) ON CONFLICT(id) DO UPDATE SET "
            "kid=excluded.kid,gen=excluded.gen,v=excluded.v,meta=excluded.meta,vt=excluded.vt",
            &store->put_item)
        && prepare(store, "INSERT INTO val(v,b) VALUES(?,?) ON CONFLICT(v) DO UPDATE SET b=excluded.b", &store->put_value)
        && prepare(store, "INSERT INTO bucket(n,b) VALUES(?,?) ON CONFLICT(n) DO UPDATE SET b=excluded.b",
            &store->put_bucket)
        && prepare(store, "INSERT INTO state(k,b) VALUES(1,?) ON CONFLICT(k) DO UPDATE SET b=excluded.b",
            &store->put_state)
        && prepare(store, "DELETE FROM item WHERE id=?", &store->delete_item)
        && prepare(store, "DELETE FROM val WHERE v=?", &store->delete_value)
        && sqlite3_open_v2(path, &store->reading, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_exec(store->reading, set_up_reading, NULL, NULL, NULL) == SQLITE_OK
        && prepare_on(store->reading, "SELECT meta,b FROM item JOIN val ON val.v=item.v WHERE id=?", &store->get)
        && prepare_on(store->reading, "SELECT meta FROM item WHERE grp=?", &store->list)) {
        sqlite3_randomness(noise_count, store->noise);
        sqlite3_randomness(sizeof store->key_id, store->key_id);
        return store;
    }
    raw_store_free(store);
    return NULL;
}

void raw_store_free(raw_store *store) {
    if (!store) return;
    sqlite3_stmt *const statements[] = {store->begin, store->commit, store->put_item, store->put_value, store->put_bucket,
        store->put_state, store->delete_item, store->delete_value, store->get, store->list};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) sqlite3_finalize(statements[i]);
    sqlite3_close(store->reading);
    sqlite3_close(store->database);
    free(store->noise);
    free(store);
}

static const uint8_t *noise(raw_store *store, size_t count) {
    store->noise_place = (store->noise_place + 4099) % (noise_count - count);
    return store->noise + store->noise_place;
}

static int blob(sqlite3_stmt *statement, int index, const uint8_t *bytes, size_t count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC) == SQLITE_OK;
}

static int run(sqlite3_stmt *statement) {
    const int status = sqlite3_step(statement);
    return (sqlite3_reset(statement) == SQLITE_OK) & (status == SQLITE_DONE);
}

int raw_store_begin(raw_store *store) {
    store->generation++;
    store->touched_count = 0;
    return run(store->begin);
}

static void touch(raw_store *store, const uint8_t *id) {
    const uint16_t n = (uint16_t)(id[0] << 4 | id[1] >> 4);
    if (store->is_touched[n]) return;
    store->is_touched[n] = 1;
    store->touched[store->touched_count++] = n;
}

int raw_store_put(raw_store *store, const uint8_t id[32], const uint8_t group[16], int64_t value) {
    touch(store, id);
    sqlite3_stmt *const item = store->put_item;
    const uint8_t *const sealed = noise(store, store->value_count);
    return blob(item, 1, id, id_count) && blob(item, 2, group, group_count) && blob(item, 3, store->key_id, key_id_count)
        && sqlite3_bind_int64(item, 4, store->generation) == SQLITE_OK && sqlite3_bind_int64(item, 5, value) == SQLITE_OK
        && blob(item, 6, noise(store, store->meta_count), store->meta_count)
        && blob(item, 7, sealed + store->value_count - tag_count, tag_count) && run(item)
        && sqlite3_bind_int64(store->put_value, 1, value) == SQLITE_OK
        && blob(store->put_value, 2, sealed, store->value_count) && run(store->put_value);
}

int raw_store_delete(raw_store *store, const uint8_t id[32], int64_t value) {
    touch(store, id);
    return blob(store->delete_item, 1, id, id_count) && run(store->delete_item)
        && sqlite3_bind_int64(store->delete_value, 1, value) == SQLITE_OK && run(store->delete_value);
}

int raw_store_commit(raw_store *store) {
    int works = 1;
    for (int i = 0; i < store->touched_count; i++) {
        const uint16_t n = store->touched[i];
        store->is_touched[n] = 0;
        works &= sqlite3_bind_int64(store->put_bucket, 1, n) == SQLITE_OK
            && blob(store->put_bucket, 2, noise(store, bucket_count), bucket_count) && run(store->put_bucket);
    }
    store->touched_count = 0;
    return works && blob(store->put_state, 1, noise(store, state_count), state_count) && run(store->put_state)
        && run(store->commit);
}

int raw_store_checkpoint(raw_store *store) {
    return sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK;
}

int raw_store_get(raw_store *store, const uint8_t id[32], uint8_t *buffer) {
    if (!blob(store->get, 1, id, id_count)) return 0;
    int works = sqlite3_step(store->get) == SQLITE_ROW
        && (size_t)sqlite3_column_bytes(store->get, 0) == store->meta_count
        && (size_t)sqlite3_column_bytes(store->get, 1) == store->value_count;
    if (works) {
        memcpy(buffer, sqlite3_column_blob(store->get, 0), store->meta_count);
        memcpy(buffer + store->meta_count, sqlite3_column_blob(store->get, 1), store->value_count);
    }
    return (sqlite3_reset(store->get) == SQLITE_OK) & works;
}

int raw_store_list(raw_store *store, const uint8_t group[16], uint8_t *buffer) {
    if (!blob(store->list, 1, group, group_count)) return -1;
    int count = 0;
    int status;
    while ((status = sqlite3_step(store->list)) == SQLITE_ROW) {
        if ((size_t)sqlite3_column_bytes(store->list, 0) != store->meta_count) break;
        memcpy(buffer, sqlite3_column_blob(store->list, 0), store->meta_count);
        count++;
    }
    return sqlite3_reset(store->list) == SQLITE_OK && status == SQLITE_DONE ? count : -1;
}
