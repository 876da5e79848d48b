// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetVault

/// A program that writes and exits, as most do: nothing is closed or released.
enum Leaving {
    static func run(_ path: String, _ keyFile: String, _ text: String) throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        try vault.write { try $0.set(text, for: ItemKey(service: "example.com", account: "a")) }
        Line.write("kept")
        withExtendedLifetime(vault) { exit(0) }
    }
}

extension Leaving {
    /// Exports, and stands still in the middle until it is killed or told to go on.
    static func export(_ path: String, _ keyFile: String, to output: String) async throws {
        let vault = try FileVault.open(at: path, options: VaultWorker.options)
        try vault.unlock(with: KeyFileUnlock(path: keyFile))
        let export = VaultExport(from: vault, to: output, with: KeyFileUnlock(path: keyFile))
        _ = try await export.run { done, _ in
            guard done > 0 else { return }
            Line.write("exporting")
            _ = readLine()
        }
        Line.write("exported")
    }
}
