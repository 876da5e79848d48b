// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "raw_accounts.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NOW "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int run(sqlite3_stmt *statement) {
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {}
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : -1;
}

long long raw_sqlite_rotations(const char *path, int number, int count) {
    sqlite3 *database = 0;
    sqlite3_stmt *steps[5] = {0};
    const char *texts[5] = {
        "BEGIN IMMEDIATE",
        "UPDATE signet_sessions SET current_hash = ?1, second_hash = NULL, refreshed_at = " NOW
        " WHERE family_hash = ?2 AND (current_hash = ?3 OR second_hash = ?3) AND " NOW " < refreshed_at + ?4 AND " NOW
        " < begun_at + ?5 RETURNING id, user_id, device, begun_at, refreshed_at",
        "DELETE FROM signet_used_refresh_tokens WHERE session_id = ?1 AND (" NOW
        " >= used_at + ?2 OR used_at >= " NOW " + ?2)",
        "INSERT INTO signet_used_refresh_tokens (session_id, hash, used_at, sealed_successor)"
        " VALUES (?1, ?2, " NOW ", ?3)",
        "COMMIT"};
    char name[32], text[512];
    unsigned char family[32] = {0}, current[32] = {0}, next[32] = {0}, sealed[80] = {7};
    long long taken = -1;
    snprintf(name, sizeof name, "raw-%d", number);
    memcpy(family, &number, sizeof number);
    if (sqlite3_open(path, &database) != SQLITE_OK) goto end;
    sqlite3_busy_timeout(database, 60000);
    sqlite3_exec(database, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON", 0, 0, 0);
    snprintf(text, sizeof text,
             "INSERT INTO signet_sessions VALUES ('%s', 'user', NULL, ?1, ?2, " NOW ", " NOW ", NULL)", name);
    if (sqlite3_prepare_v2(database, text, -1, &steps[0], 0) != SQLITE_OK) goto end;
    sqlite3_bind_blob(steps[0], 1, family, 32, SQLITE_STATIC);
    sqlite3_bind_blob(steps[0], 2, current, 32, SQLITE_STATIC);
    if (run(steps[0])) goto end;
    sqlite3_finalize(steps[0]);
    for (int i = 0; i < 5; i++)
        if (sqlite3_prepare_v2(database, texts[i], -1, &steps[i], 0) != SQLITE_OK) goto end;
    long long start = now();
    for (int i = 1; i <= count; i++) {
        memcpy(next, &i, sizeof i);
        if (run(steps[0])) goto end;
        sqlite3_bind_blob(steps[1], 1, next, 32, SQLITE_TRANSIENT);
        sqlite3_bind_blob(steps[1], 2, family, 32, SQLITE_TRANSIENT);
        sqlite3_bind_blob(steps[1], 3, current, 32, SQLITE_TRANSIENT);
        sqlite3_bind_int64(steps[1], 4, 604800000LL);
        sqlite3_bind_int64(steps[1], 5, 7776000000LL);
        if (run(steps[1]) || sqlite3_changes(database) != 1) goto end;
        sqlite3_bind_text(steps[2], 1, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_int64(steps[2], 2, 10000);
        if (run(steps[2])) goto end;
        sqlite3_bind_text(steps[3], 1, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_blob(steps[3], 2, current, 32, SQLITE_TRANSIENT);
        sqlite3_bind_blob(steps[3], 3, sealed, 80, SQLITE_TRANSIENT);
        if (run(steps[3]) || run(steps[4])) goto end;
        memcpy(current, next, 32);
    }
    taken = now() - start;
end:
    for (int i = 0; i < 5; i++) sqlite3_finalize(steps[i]);
    sqlite3_close(database);
    return taken;
}
