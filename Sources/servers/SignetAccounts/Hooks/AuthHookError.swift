// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// An error for GoTrue's client, from the work of a hook: the status that it gets, and a sentence
/// for the person.
///
/// ```swift
/// throw AuthHookError("We send no codes to this country.", status: 422)
/// ```
public struct AuthHookError: Error {
    /// The sentence, which reaches whoever signs in.
    public let message: ErrorMessage
    /// The status, 400 to 599. Any other counts as 500.
    public let status: Int

    /// An error.
    public init(_ message: ErrorMessage, status: Int) {
        self.message = message
        self.status = status
    }
}
