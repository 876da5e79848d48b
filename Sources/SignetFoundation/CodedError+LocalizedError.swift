// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import SignetPlatform

/// Makes `localizedDescription`, which most frameworks log, the error's code and sentence. Without
/// this module it is "The operation could not be completed". Nothing is translated.
extension CodedError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
