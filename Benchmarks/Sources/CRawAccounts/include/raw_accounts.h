// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// The statements of a rotation with nothing around them: the floor of `RefreshTokens.rotate`.
#ifndef RAW_ACCOUNTS_H
#define RAW_ACCOUNTS_H

// Nanoseconds for so many rotations of a session of its own, one after the other, on tables that are
// there; -1 when something failed. `number` tells the sessions of several threads apart.
long long raw_sqlite_rotations(const char *path, int number, int count);
long long raw_postgres_rotations(const char *connection, const char *schema, int number, int count);

#endif
