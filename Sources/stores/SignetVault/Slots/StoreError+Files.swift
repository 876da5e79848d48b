// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension StoreError {
    /// The error for a key file that cannot be read or written. It never means an absent item.
    static func file(_ failure: SystemFailure) -> StoreError {
        StoreError(.unavailable, "\(sentence: failure)")
    }

    /// The error for a missing key file. A new key must not replace it: that would open nothing.
    package static func missingKeyFile(_ path: String) -> StoreError {
        StoreError(
            .missingKeyFile,
            "There is no key file at \(path: path). Put it back, or name the right one: "
                + "a new key does not open the vault.")
    }
}
