// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import TestSupport
import Testing

@Suite("A database restored to an earlier moment", .serialized)
struct RestoredBackupTests {
    private static let tables: [(copy: SQLStatement, clear: SQLStatement, back: SQLStatement)] = [
        (
            "CREATE TABLE kept_codes AS SELECT * FROM signet_codes", "DELETE FROM signet_codes",
            "INSERT INTO signet_codes SELECT * FROM kept_codes"
        ),
        (
            "CREATE TABLE kept_factors AS SELECT * FROM signet_second_factors",
            "DELETE FROM signet_second_factors",
            "INSERT INTO signet_second_factors SELECT * FROM kept_factors"
        ),
        (
            "CREATE TABLE kept_recovery AS SELECT * FROM signet_recovery_codes",
            "DELETE FROM signet_recovery_codes",
            "INSERT INTO signet_recovery_codes SELECT * FROM kept_recovery"
        ),
        (
            "CREATE TABLE kept_limits AS SELECT * FROM signet_limits",
            "DELETE FROM signet_limits", "INSERT INTO signet_limits SELECT * FROM kept_limits"
        ),
    ]

    @Test("What expired stays expired, and what was used up since works once more")
    func usedUp() async throws {
        let moments = try Moments()
        let start = try await moments.after(0)
        try await start.add("ann")
        let hotp = try HOTP()
        let factors = SecondFactors(start, secret: try .test())
        try await factors.add(.hotp(hotp), for: "ann")
        let recovery = try await factors.confirm(try hotp.code(at: 0), for: "ann")
        let code = try await CodeScene(start).code().code
        for table in Self.tables { try await start.run(table.copy) }

        #expect(try await CodeScene(start).verify(code) == nil)
        try await factors.verify(try hotp.code(at: 1), for: "ann")
        try await factors.recover(recovery[0].exposedText, for: "ann")

        let later = try await moments.after(300_000)
        for table in Self.tables {
            try await later.run(table.clear)
            try await later.run(table.back)
        }
        // A code has its own lifetime. ACCOUNT-DATABASES.md describes all the rest.
        #expect(try await CodeScene(later).verify(code)?.code == .wrongCode)
        let restored = SecondFactors(later, secret: try .test())
        try await restored.verify(try hotp.code(at: 1), for: "ann")
        #expect(try await restored.recover(recovery[0].exposedText, for: "ann") == 9)
        await moments.close()
    }
}
