// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetCrypto
import SignetSignIn
import TestPrograms
import TestSupport
import Testing

/// The configuration of a FIPS provider for libcrypto, which SIGNET_FIPS_CONF names.
private let fipsConfiguration = ProcessInfo.processInfo.environment["SIGNET_FIPS_CONF"]

/// Two nodes of a pool on one PostgreSQL: one with libcrypto's default provider, one with the FIPS
/// provider (make test-debian13).
@Suite(
    "Passwords of a pool with a FIPS provider",
    .enabled(if: PostgresServer.isExpected, "\(PostgresServer.absence)"),
    .enabled(
        if: fipsConfiguration != nil,
        "SIGNET_FIPS_CONF names no configuration of a FIPS provider (make test-debian13)"))
struct PasswordPoolTests {
    @Test("A hundred sign-ins on both nodes in turn succeed; a hash that FIPS cannot read is told")
    func alternating() async throws {
        let place = try PostgresServer.shared().place()
        let database = try await place.open()
        let old = try await PasswordHasher(.scrypt(logCost: 8)).hash(try Password("12345678"))
        let users = (0..<10).map { "user\($0)" } + ["late"]
        try await database.transaction { (transaction) throws(AccountError) in
            for user in users {
                try await AccountUsers.add(user, in: transaction)
                try await StoredPasswords.set(old, of: user, in: transaction)
            }
        }

        // The pool's target is PBKDF2 before any node has a FIPS provider.
        for user in users.dropLast() { #expect(try signIn(user, place, fips: false) == "upgraded") }
        #expect(try await unreadable(database) == 1)
        for step in 0..<100 {
            let user = users[step / 2 % 10]
            #expect(try signIn(user, place, fips: step % 2 == 0) == "right", "sign-in \(step)")
        }

        #expect(try signIn("late", place, fips: true) == "unsupportedPasswordHash")
        #expect(try run("set-password", "late", place, fips: true) == "set")
        #expect(try signIn("late", place, fips: true) == "right")
        #expect(try signIn("late", place, fips: false) == "right")
        #expect(try await unreadable(database) == 0)
    }

    private func unreadable(_ database: any AccountDatabase) async throws -> Int {
        try await database.read { (transaction) throws(AccountError) in
            try await StoredPasswords.countWithoutPBKDF2(in: transaction)
        }
    }

    private func signIn(_ user: String, _ place: AccountPlace, fips: Bool) throws -> String {
        try run("sign-in", user, place, fips: fips)
    }

    private func run(
        _ command: String, _ user: String, _ place: AccountPlace, fips: Bool
    ) throws -> String {
        var environment = ProcessInfo.processInfo.environment
        environment["OPENSSL_CONF"] = fips ? fipsConfiguration : nil
        let outcome = try ChildProgram.run(
            BuiltProgram.path("account-worker"), [command, place.text, user, "12345678"],
            environment: environment)
        return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
