// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault

/// Opens a vault that may not exist yet, at the same moment as others do, and writes its own item.
enum Opening {
    static func run(_ path: String, _ keyFile: String, _ name: String) throws {
        let vault = try FileVault.openOrCreate(
            at: path, with: KeyFileUnlock(path: keyFile), options: VaultWorker.options)
        try vault.write { try $0.set(name, for: ItemKey(service: "example.com", account: name)) }
        Line.write("vault \(vault.id)")
        vault.close()
    }
}
