// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetCrypto
package import SignetVault

/// A private folder for one test's vaults, removed when the test releases it.
package final class VaultFolder: Sendable {
    package let path: String

    package init() throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "signet-\(UUID().uuidString)"
            ).path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a vault in it.
    package func file(_ name: String = "vault") -> String { "\(path)/\(name)" }

    /// A new vault that opens with `key(1)`.
    package func vault(_ name: String = "vault", _ options: VaultOptions = .longWaiting) throws
        -> FileVault
    {
        try FileVault.create(at: file(name), with: Self.key(1), options: options)
    }

    /// The same vault through another object, unlocked, as another process would have it.
    package func another(_ name: String = "vault", _ options: VaultOptions = .longWaiting) throws
        -> FileVault
    {
        let vault = try FileVault.open(at: file(name), options: options)
        try vault.unlock(with: Self.key(1))
        return vault
    }

    /// An unlock method without a derivation.
    package static func key(_ number: UInt8) -> RawKeyUnlock {
        RawKeyUnlock(SecretKey(copying: [UInt8](repeating: number, count: 32)))
    }

    /// An attacker with write access: SQL on the vault behind its back.
    package func tamper(_ name: String = "vault", _ statements: String...) throws {
        let connection = try SQLiteConnection(
            path: try realPath(of: name), access: .readWrite, busyTimeoutMilliseconds: 600_000)
        for statement in statements { try connection.execute(statement) }
        connection.close()
    }

    /// The first integer that a query gives.
    package func number(_ query: String, in name: String = "vault") throws -> Int64? {
        let connection = try SQLiteConnection(
            path: try realPath(of: name), access: .readWrite, busyTimeoutMilliseconds: 600_000)
        defer { connection.close() }
        let statement = try connection.prepare(query)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first text that a query gives.
    package func text(_ query: String, in name: String = "vault") throws -> String? {
        let connection = try SQLiteConnection(
            path: try realPath(of: name), access: .readWrite, busyTimeoutMilliseconds: 600_000)
        defer { connection.close() }
        let statement = try connection.prepare(query)
        return try statement.step() ? statement.text(0) : nil
    }

    private func realPath(of name: String) throws -> String {
        URL(fileURLWithPath: file(name)).resolvingSymlinksInPath().path
    }
}

extension ItemKey {
    /// An item of one service.
    package init(_ account: String) { self.init(service: "example.com", account: account) }
}

extension SecretValue {
    package var text: String {
        withExposedBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}

extension VaultOptions {
    /// Waits for others as long as any test may take: a busy machine is not the vault's fault.
    package static var longWaiting: VaultOptions {
        var options = VaultOptions()
        options.busyTimeoutMilliseconds = 600_000
        return options
    }

    package init(level: ReadLevel) {
        self = .longWaiting
        readLevel = level
    }
}
