// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "raw_accounts.h"

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NOW "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int good(PGresult *result, int rows) {
    ExecStatusType status = PQresultStatus(result);
    int is_good = (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) && (rows < 0 || PQntuples(result) == rows);
    if (!is_good) fprintf(stderr, "%s\n", PQresultErrorMessage(result));
    PQclear(result);
    return is_good;
}

long long raw_postgres_rotations(const char *connection, const char *schema, int number, int count) {
    const char *texts[3] = {
        "UPDATE signet_sessions SET current_hash = $1, second_hash = NULL, refreshed_at = " NOW
        " WHERE family_hash = $2 AND (current_hash = $3 OR second_hash = $3) AND " NOW " < refreshed_at + $4 AND " NOW
        " < begun_at + $5 RETURNING id, user_id, device, begun_at, refreshed_at",
        "DELETE FROM signet_used_refresh_tokens WHERE session_id = $1 AND (" NOW
        " >= used_at + $2 OR used_at >= " NOW " + $2)",
        "INSERT INTO signet_used_refresh_tokens (session_id, hash, used_at, sealed_successor)"
        " VALUES ($1, $2, " NOW ", $3)"};
    const char *names[3] = {"a", "b", "c"};
    char name[32], text[512];
    unsigned char family[32] = {0}, current[32] = {0}, next[32] = {0}, sealed[80] = {7};
    int64_t idle = htobe64(604800000LL), absolute = htobe64(7776000000LL), grace = htobe64(10000);
    int binary[5] = {1, 1, 1, 1, 1}, lengths[5] = {32, 32, 32, 8, 8};
    long long taken = -1;
    snprintf(name, sizeof name, "raw-%d", number);
    memcpy(family, &number, sizeof number);
    family[31] = 1;
    PGconn *database = PQconnectdb(connection);
    if (PQstatus(database) != CONNECTION_OK) goto end;
    snprintf(text, sizeof text, "SET search_path = %s", schema);
    if (!good(PQexec(database, text), -1)) goto end;
    snprintf(text, sizeof text,
             "INSERT INTO signet_sessions VALUES ('%s', 'user', NULL, $1, $2, " NOW ", " NOW ")", name);
    const char *first[2] = {(char *)family, (char *)current};
    if (!good(PQexecParams(database, text, 2, 0, first, lengths, binary, 1), -1)) goto end;
    for (int i = 0; i < 3; i++)
        if (!good(PQprepare(database, names[i], texts[i], 0, 0), -1)) goto end;
    long long start = now();
    for (int i = 1; i <= count; i++) {
        memcpy(next, &i, sizeof i);
        const char *update[5] = {(char *)next, (char *)family, (char *)current, (char *)&idle, (char *)&absolute};
        const char *drop[2] = {name, (char *)&grace};
        const char *keep[3] = {name, (char *)current, (char *)sealed};
        int drop_lengths[2] = {(int)strlen(name), 8}, keep_lengths[3] = {(int)strlen(name), 32, 80};
        if (!good(PQexecParams(database, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", 0, 0, 0, 0, 0, 1), -1)) goto end;
        if (!good(PQexecPrepared(database, "a", 5, update, lengths, binary, 1), 1)) goto end;
        if (!good(PQexecPrepared(database, "b", 2, drop, drop_lengths, binary, 1), -1)) goto end;
        if (!good(PQexecPrepared(database, "c", 3, keep, keep_lengths, binary, 1), -1)) goto end;
        if (!good(PQexecParams(database, "COMMIT", 0, 0, 0, 0, 0, 1), -1)) goto end;
        memcpy(current, next, 32);
    }
    taken = now() - start;
end:
    PQfinish(database);
    return taken;
}
