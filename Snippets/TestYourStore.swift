// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetAccountsTesting
import SignetSessionTesting
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

// A server of sessions whose next answer is lost, under the code that stays signed in.
let clock = ManualClock()
let server = InMemorySessionServer(reuse: .repeatsAnswer, clock: clock.source)
let manager = try SessionManager(
    store: InMemoryStore(clock: clock.source), service: "api.example", backend: server,
    clock: clock.source)
try await server.sendCode(to: "ada@example.org")
let code = server.code(sentTo: "ada@example.org") ?? ""
try await manager.adopt(server.signIn(withCode: code, sentTo: "ada@example.org"))
clock.advance(by: .seconds(3600))
server.failCall(1, with: SessionError(.unreachable, "The connection broke."), moment: .after)
_ = try? await manager.accessToken()
clock.advance(by: .seconds(60))
print(server.user(of: try await manager.accessToken()) ?? "signed out")
