// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A request for a code, and the client that it belongs to.
///
/// A request belongs to the client of an earlier request for the same destination and purpose if it
/// shows the earlier request's challenge. A request that shows no challenge counts as a new
/// client's, whatever its address.
public struct CodeRequest: Sendable, Hashable {
    /// Names this request's code.
    public let challenge: CodeChallenge
    /// The challenge of the client's first request: the same for all requests of a client, as long
    /// as each comes within an hour after the end of the code whose challenge it shows.
    public let client: CodeChallenge
}
