// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what Swift cannot reach by itself: each wrapper says why it is here.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_db_config is variadic. Every option used here takes a number and reports the setting that is then in force.
static inline int csqlite_configure(sqlite3 *database, int option, int value, int *in_force) {
    return sqlite3_db_config(database, option, value, in_force);
}

// The system's error number for SQLITE_IOERR and its like. When a commit fails, sqlite3_system_errno has none, but the file
// that failed remembers it: the database, or its log, which can only be reached through a pointer.
static inline int csqlite_system_errno(sqlite3 *database) {
    int number = sqlite3_system_errno(database);
    sqlite3_file *log = 0;
    if (number == 0) sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
    if (number == 0) sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log != 0 && log->pMethods != 0) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
    return number;
}

// SQLITE_TRANSIENT is a function pointer with the value -1, which Swift does not import. An empty blob is bound without a
// pointer, because a null pointer would bind NULL and not a blob.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    if (bytes == 0 || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The same for a text in UTF-8.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    if (bytes == 0 || count == 0) return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

#endif
