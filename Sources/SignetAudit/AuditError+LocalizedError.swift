// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

extension AuditError: LocalizedError {
    /// The code and the sentence.
    public var errorDescription: String? { description }
}
