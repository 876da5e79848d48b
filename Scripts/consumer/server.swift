// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetPostgres

// Someone else's server whose accounts are in PostgreSQL. Here no database answers.
do {
    _ = try await PostgresAccounts.open(PostgresConfiguration("host=/nowhere/at/all user=app"))
    print("A server answers in a folder that does not exist.")
} catch {
    print("\(error)")
}
