// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault

/// The file of a vault with three items, and copies of it that are changed.
struct VaultFixture: Sendable {
    static let shared = Result { try VaultFixture() }

    let items: [(key: ItemKey, value: [UInt8])]
    private let original: [UInt8]
    private static let method = RawKeyUnlock(
        SecretKey(copying: [UInt8](repeating: 3, count: 32)))

    private init() throws {
        let items = (1...3).map { number in
            (
                key: ItemKey(service: "example.com", account: "a\(number)"),
                value: [UInt8](repeating: UInt8(number), count: number * 40)
            )
        }
        original = try Self.inFolder { folder in
            let file = folder.appendingPathComponent("vault")
            let vault = try FileVault.create(at: file.path, with: Self.method)
            try vault.write { writer in
                for item in items {
                    try writer.set(SecretValue(bytes: item.value), for: item.key)
                }
            }
            vault.close()
            return [UInt8](try Data(contentsOf: file))
        }
        self.items = items
    }

    /// Opens a copy in which each four bytes of `edits` replace one: page, place in it and value.
    func withVault<Value>(_ edits: [UInt8], _ body: (FileVault) throws -> Value) throws -> Value {
        var bytes = original
        for start in stride(from: 0, to: edits.count - edits.count % 4, by: 4) {
            let place = Int(edits[start]) << 12 | Int(edits[start + 1]) << 8 | Int(edits[start + 2])
            bytes[place % bytes.count] = edits[start + 3]
        }
        return try Self.inFolder { folder in
            let file = folder.appendingPathComponent("vault").path
            _ = FileManager.default.createFile(
                atPath: file, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
            let vault = try FileVault.open(at: file)
            defer { vault.close() }
            try vault.unlock(with: Self.method)
            return try body(vault)
        }
    }

    /// A folder of this user alone, which is removed afterwards.
    private static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
