// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import SignetPlatform

/// `localizedDescription`, which most frameworks log, is what the error says of itself: its code
/// and a sentence. Without this module it is "The operation could not be completed". Nothing is
/// translated.
extension CodedError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
