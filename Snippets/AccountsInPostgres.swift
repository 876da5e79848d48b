// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetPostgres

func open() async throws -> PostgresAccounts {
    var configuration = try PostgresConfiguration(
        "postgresql://app@db.example.com/accounts?sslrootcert=/etc/ssl/certs/ca-certificates.crt")
    configuration.schema = "accounts"
    return try await PostgresAccounts.open(configuration)
}

// Printing a configuration shows nothing. The password may also come from PGPASSWORD or PGPASSFILE.
let configuration = try PostgresConfiguration(
    host: "db.example.com", database: "accounts", user: "app", password: "…")
print(configuration)
