// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers received logout tokens, so a recorded one cannot end later sessions:
/// `LogoutReplayTable` of SignetAccounts, or another table that all instances of a server share; for
/// one instance ``MemoryLogoutReplayStore``.
public protocol LogoutReplayStore: Sendable {
    /// Claims a name and runs `work`, in one call: of any number of simultaneous callers, in any
    /// process, **at most one** runs it.
    ///
    /// If `work` returns, the name stays claimed for its time, as durably as the server's other
    /// data. If `work` throws, the name is free again: the provider may send the token once more.
    /// A caller that comes meanwhile **waits** for that, and then runs its own work, or learns that
    /// it is done: a copy that is refused before the first one has failed may be the last. It waits
    /// within a bound, which is 75 s in the stores of Signet, and then throws: the provider is told
    /// to send the token again.
    ///
    /// - Parameters:
    ///   - name: 43 characters of base64url, a hash of issuer and `jti`.
    ///   - seconds: the name may be removed after that: a day and a few minutes at most.
    ///   - work: ends the sessions that the token names.
    /// - Returns: false if the work of the name is done; `work` has then not run.
    /// - Throws: the errors of the store, and of `work`.
    func claim(
        _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
    ) async throws -> Bool
}
