// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetVault

/// Compacts a vault whose temporary files have no room: their disk is small, and the vault's is not.
enum FullTemporaries {
    private struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static let byteCount = 6_000_000

    static func run(disk: String, folder: String) throws {
        _ = unsafe setenv("SQLITE_TMPDIR", disk, 1)
        let method = try KeyFileUnlock.create(at: folder + "/key")
        let vault = try FileVault.create(
            at: folder + "/vault", with: method, options: VaultWorker.options)
        for name in ["a", "b", "c", "d"] {
            try vault.write { try $0.set(value(name), for: key(name)) }
        }
        try vault.write { try $0.remove(key("a")) }
        // Three are left: more than is copied into memory.
        do {
            let freed = try vault.compact()
            throw Failure("compacted 18 MB in memory: \(freed) bytes smaller")
        } catch let error as StoreError {
            guard error.code == .unavailable, error.message.contains("SQLITE_TMPDIR") else {
                throw error
            }
            Line.write("refused: \(error.message)")
        }
        guard try vault.verify().isClean else { throw Failure("damaged") }
        try vault.write { try $0.remove(key("b")) }
        let freed = try vault.compact()
        guard freed > 2 * byteCount, try vault.verify().isClean else {
            throw Failure("\(freed) bytes smaller")
        }
        vault.close()
        Line.write("compacted in memory: \(freed) bytes smaller")
    }

    private static func key(_ account: String) -> ItemKey {
        ItemKey(service: "full", account: account)
    }

    private static func value(_ letter: String) -> SecretValue {
        SecretValue(String(repeating: letter, count: byteCount))
    }
}
