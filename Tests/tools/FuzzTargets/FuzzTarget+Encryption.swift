// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension FuzzTarget {
    /// Decisions: a receiver, algorithms, what is changed in the header, the key or a part, and the
    /// plaintext. The token is encrypted with the known key, so that the code behind the tag runs.
    /// What opens is what was encrypted, with the algorithms of the key.
    static let jwe = FuzzTarget(
        "jwe", seeds: try EncryptionFixture.shared.get().seeds
    ) { input in
        let fixture = try hold("keys are made") { try EncryptionFixture.shared.get() }
        let made = try hold("a token is made") { try EncryptedCase(input, fixture: fixture) }
        return try made.isAccepted()
    }
}
