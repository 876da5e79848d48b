// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what Swift cannot reach by itself: each wrapper says why it is here.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic. Every option used here takes a number and tells the setting that is in force after it.
static inline int csqlite_configure(sqlite3 *database, int option, int value, int *in_force) {
    return sqlite3_db_config(database, option, value, in_force);
}

// SQLITE_TRANSIENT is a function pointer with the value -1. And a null pointer would bind NULL: an empty blob is a
// blob, and keeps its type.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (bytes == 0 || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The same for text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    if (text == 0) text = "";
    return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
