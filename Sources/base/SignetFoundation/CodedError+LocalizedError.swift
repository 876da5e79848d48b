// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import SignetBase

/// Makes `localizedDescription`, which alerts show, the error's sentence for people. Without this
/// module it is "The operation could not be completed". Nothing is translated. For a log, take the
/// `fullCode` and the description: in most domains it begins with the code, for JSON it does not.
extension CodedError: LocalizedError {
    /// The message; for JSON, with its place in the text.
    public var errorDescription: String? {
        description.hasSuffix(message) ? message : description
    }
}
