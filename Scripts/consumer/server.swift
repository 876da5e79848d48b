// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPostgres

// A server of somebody else's whose accounts are in PostgreSQL: here nobody answers.
do {
    _ = try await PostgresAccounts.open(PostgresConfiguration("host=/nowhere/at/all user=app"))
    print("Somebody answers in a folder that is not there.")
} catch {
    print("\(error)")
}
