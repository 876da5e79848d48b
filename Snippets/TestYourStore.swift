// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetAccountsTesting
import SignetVault
import SignetVaultTesting

// Checks every promise of a store against your own. In a test suite, make each check a test.
let failures = await StoreConformance.failures(of: InMemoryStore())
print(failures.isEmpty ? "keeps all promises" : "\(failures)")

// A store that fails on purpose, under the code that uses it.
let faulty = FaultyStore(InMemoryStore())
faulty.failCall(1, with: .locked)
do {
    _ = try await faulty.get(.token(service: "api.example.com", account: "alice"))
} catch {
    print(error.kind)
}

// The same for an engine of SignetAccounts.
let database = try await SQLiteAccounts.inMemory()
for check in AccountDatabaseChecks.engine { try await check.run(on: database) }
