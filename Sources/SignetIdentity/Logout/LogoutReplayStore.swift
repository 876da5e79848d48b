// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers received logout tokens, so a recorded one cannot end later sessions: a table that all
/// instances of a server share, or ``MemoryLogoutReplayStore``.
public protocol LogoutReplayStore: Sendable {
    /// Whether a name is kept and has not expired.
    ///
    /// - Parameter name: 43 characters of base64url, a hash of issuer and `jti`.
    func contains(_ name: String) async throws -> Bool

    /// Keeps a name, which may already be there, as durably as the server's other data.
    ///
    /// - Parameters:
    ///   - name: the same as for ``contains(_:)``.
    ///   - seconds: may be removed after that: a day and a few minutes at most.
    func keep(_ name: String, forSeconds seconds: Int) async throws
}
