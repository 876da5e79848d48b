// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers which logout tokens were received, so that one that was recorded ends no later
/// session: a table that all instances of a server share, or ``MemoryLogoutReplayStore``.
public protocol LogoutReplayStore: Sendable {
    /// Whether a name was kept and its time is not over.
    ///
    /// - Parameter name: 43 characters of base64url, a hash of issuer and `jti`.
    func contains(_ name: String) async throws -> Bool

    /// Keeps a name, which may be there already, durably enough to survive what the server
    /// survives.
    ///
    /// - Parameters:
    ///   - name: as ``contains(_:)`` has it.
    ///   - seconds: after which it may be removed: a day and a few minutes at most.
    func keep(_ name: String, forSeconds seconds: Int) async throws
}
