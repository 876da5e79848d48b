// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLiteBridge
import SignetVault
import TestSupport
import Testing

extension FileVault {
    /// Keeps items whose values are their accounts.
    func keep(_ accounts: String...) throws {
        for account in accounts {
            try set(SecretValue(account), for: ItemKey(account), details: nil)
        }
    }
}

extension VaultFolder {
    /// Copies a vault's file without its log.
    func copyAlone(_ name: String = "vault") throws -> String {
        let copy = "copy-\(UUID().uuidString)"
        try FileManager.default.copyItem(atPath: file(name), toPath: file(copy))
        return copy
    }

    /// What the file alone holds; it must be whole.
    func accountsAlone(_ name: String = "vault") throws -> Set<String> {
        let copy = try another(try copyAlone(name))
        defer { copy.close() }
        #expect(try copy.verify().findings.isEmpty)
        return Set(try copy.allItems().map(\.key.account))
    }

    func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file(name)))
    }

    /// A vault whose file holds `old`, and whose log also holds `accounts`, under their own names,
    /// as a killed process leaves them.
    func makeUncheckpointed(_ accounts: [String], as name: String) throws {
        let vault = try vault("origin")
        try vault.keep("old")
        vault.close()
        try leave(accounts, on: "origin", as: name)
    }

    /// Copies a vault with what is now written to it in its log, and removes the original.
    func leave(_ accounts: [String], on origin: String, as name: String) throws {
        // A current reader: nothing written later can be checkpointed.
        let reader = try SQLiteConnection(
            path: URL(fileURLWithPath: file(origin)).resolvingSymlinksInPath().path,
            access: .readWrite, busyTimeoutMilliseconds: 600_000)
        try reader.setCheckpointsOnClose(false)
        let statement = try reader.prepare("SELECT count(*) FROM item")
        _ = try statement.step()
        let writer = try another(origin)
        for account in accounts { try writer.keep(account) }
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: file(origin) + suffix, toPath: file(name) + suffix)
        }
        try statement.reset()
        reader.close()
        writer.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file(origin) + suffix)
        }
    }

    /// Puts a vault with its log under another name.
    func put(_ vault: Data, _ log: Data, as name: String) {
        for (name, bytes) in [(name, vault), (name + "-wal", log)] {
            #expect(
                FileManager.default.createFile(
                    atPath: file(name), contents: bytes, attributes: [.posixPermissions: 0o600]))
        }
    }
}
