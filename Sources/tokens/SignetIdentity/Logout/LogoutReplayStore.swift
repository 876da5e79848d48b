// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers received logout tokens, so that a recorded token cannot end later sessions. Use
/// `LogoutReplayTable` of SignetAccounts, or a table of your own that all instances of a server
/// share. For a single instance there is ``MemoryLogoutReplayStore``.
public protocol LogoutReplayStore: Sendable {
    /// Claims a name and runs `work`, in a single call. **At most one** of any number of
    /// simultaneous callers, in any process, runs it.
    ///
    /// If `work` returns, the name stays claimed for its time, as durably as the server's data. If
    /// `work` throws, the name is free again: the provider may send the token once more. A caller
    /// that comes meanwhile **waits** for the result, and then runs its own work, or learns that
    /// the work is done. Without the wait, the last copy of a token could be refused just before
    /// the work of the first copy fails. The wait has a bound, 75 s in the stores of Signet. After
    /// it the call throws, and the provider is told to send the token again.
    ///
    /// - Parameters:
    ///   - name: 43 characters of base64url, a hash of issuer and `jti`.
    ///   - seconds: how long the name stays claimed at least: a day and a few minutes at most.
    ///   - work: ends the sessions that the token names.
    /// - Returns: false if the work of the name is done; `work` has then not run.
    /// - Throws: the errors of the store, and of `work`.
    func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool
}
