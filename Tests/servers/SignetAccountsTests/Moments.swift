// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetCrypto
import TestSupport

/// One database at moments that the test chooses: the same file through connections whose clock
/// stands still.
actor Moments {
    /// 2026, in milliseconds.
    static let start: Int64 = 1_780_000_000_000

    nonisolated let path: String
    private let folder: PrivateFolder
    private var open: [Int64: SQLiteAccounts] = [:]

    init() throws {
        folder = try PrivateFolder()
        path = folder.path + "/accounts.db"
    }

    /// The database, so many milliseconds after the start.
    func after(_ milliseconds: Int64) async throws -> SQLiteAccounts {
        if let known = open[milliseconds] { return known }
        for (time, other) in open where open.count >= 20 {
            await other.close()
            open[time] = nil
        }
        let database = try await SQLiteAccounts.open(
            at: path, busyTimeout: .seconds(60),
            dialect: .sqlite(at: Self.start + milliseconds))
        open[milliseconds] = database
        return database
    }

    func close() async {
        for database in open.values { await database.close() }
        open = [:]
    }
}

extension AccountSecret {
    static func test(_ byte: UInt8 = 1) throws -> AccountSecret {
        try AccountSecret(SecretKey(copying: [UInt8](repeating: byte, count: 32)))
    }
}

/// The error that a call ends with; nil where it succeeds.
func accountError<Value: Sendable>(
    of body: () async throws(AccountError) -> Value
) async -> AccountError? {
    do throws(AccountError) {
        _ = try await body()
        return nil
    } catch { return error }
}
