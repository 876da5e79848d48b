// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemBridge

extension StoreError {
    /// A key file that cannot be read or written: never an absent item.
    static func file(_ failure: SystemFailure) -> StoreError { StoreError(.unavailable, failure.sentence) }
}

extension SystemFailure {
    var isTooLarge: Bool { errno == EFBIG }
    var isNameTaken: Bool { errno == EEXIST }

    /// The description as a sentence of its own.
    var sentence: String {
        let text = "\(self)"
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
