// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetSession

extension SessionVaults {
    /// Ends the sessions of the accounts that were found: here first, then at the server. Like the
    /// manager's sign-out, it goes on if the task is cancelled.
    ///
    /// - Parameters:
    ///   - scope: which sessions end.
    ///   - forgets: whether the settings go, too.
    /// - Returns: why the server may not know of it; nil if it does.
    /// - Throws: the first store's error; for the scopes beyond this session the server's; the
    ///   error of a closed vault, which may have a session of this account too.
    @discardableResult
    package func signOut(
        _ found: Found, scope: SignOutScope, forgets: Bool = false
    ) async throws(LoginError) -> SessionError? {
        let accounts = scope == .others ? Array(found.accounts.prefix(1)) : found.accounts
        // All at once: a session here must not stay while the server of another is waited for.
        let signOuts = accounts.enumerated().map { index, account in
            // With `all`, the first one's call ends this session too, and a server that no longer
            // knows it would refuse a second such call.
            let isFurther = accounts[..<index].contains { $0.isSamePerson(as: account) }
            return Task { () async -> Result<SessionError?, LoginError> in
                do throws(LoginError) {
                    return .success(
                        try await account.signOut(isFurther ? .this : scope, forgets: forgets))
                } catch {
                    return .failure(error)
                }
            }
        }
        var failure: LoginError?
        var untold: SessionError?
        for signOut in signOuts {
            switch await signOut.value {
            case .success(let error):
                if let error { opener.notice(.serverNotTold(error)) }
                untold = untold ?? error
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
        if scope != .others, let closed = closedFirst { throw LoginError(remaining: closed) }
        return untold
    }
}

extension KeptAccount {
    /// Ends the session, if there is one.
    ///
    /// - Returns: why the server may not know that this session has ended.
    func signOut(
        _ scope: SignOutScope, forgets: Bool
    ) async throws(LoginError) -> SessionError? {
        if case .signedOut = await manager.start() {
            if forgets { try await forget() }
            return nil
        }
        let report = await manager.signOut(scope)
        if let error = report.storeError { throw LoginError(error, of: name, in: vault.place) }
        if forgets { try await forget() }
        guard let error = report.serverError else { return nil }
        guard scope == .this else { throw LoginError(error, of: name, in: vault.place) }
        return error
    }
}
