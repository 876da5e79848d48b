// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault

extension VaultKeys {
    /// A ring of chosen keys, which only sealing them as rows allows.
    static func known(
        names: SecretKey, sums: SecretKey = FormatSample.key(4),
        data: SecretKey = FormatSample.key(2),
        root: RootKeys
    ) throws -> VaultKeys {
        let rows = try [("N", names), ("S", sums), ("D", data)].map { purpose, key in
            let named = try VaultKey(key, vaultID: root.vaultID)
            let sealed = try FormatSample.seal(
                Array(purpose.utf8) + FormatSample.exposed(key), .ring, subject: named.id,
                generation: 0,
                with: root.wrap)
            return try RingRow(keyID: named.id, sealed: sealed)
        }
        return try VaultKeys(opening: rows, with: root)
    }
}
