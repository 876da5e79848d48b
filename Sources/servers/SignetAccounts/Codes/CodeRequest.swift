// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One request for a code, and the client that it belongs to.
///
/// A request belongs to the client of an earlier request for the same destination and purpose if it
/// shows that one's challenge. A request that shows none is another client's, whatever its address.
public struct CodeRequest: Sendable, Hashable {
    /// Names this request's code.
    public let challenge: CodeChallenge
    /// The challenge of the client's first request: the same for all requests of one client, as
    /// long as each comes within an hour after the end of the code whose challenge it shows.
    public let client: CodeChallenge
}
