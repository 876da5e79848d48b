// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetPlatform

extension StoreError {
    /// A key file that cannot be read or written: never an absent item.
    static func file(_ failure: SystemFailure) -> StoreError {
        StoreError(.unavailable, failure.sentence)
    }

    /// No new key takes the place of one that is not found: it would open nothing.
    package static func missingKeyFile(_ path: String) -> StoreError {
        StoreError(
            .missingKeyFile,
            "There is no key file at \(SystemFailure.quoted(path)). Put it back, or name the right one: "
                + "a new key does not open the vault.")
    }
}

extension SystemFailure {
    /// The description as a sentence of its own.
    var sentence: String {
        let text = "\(self)"
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
