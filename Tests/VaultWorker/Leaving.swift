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
