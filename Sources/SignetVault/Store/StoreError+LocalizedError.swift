// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

// Here and not in SignetFoundation, which then would link SQLite: this library links Foundation
// already.
extension StoreError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}
