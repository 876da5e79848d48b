// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What became of a sign-out.
public struct SignOutReport: Sendable, Equatable {
    /// Why the session is still in the store; nil when it is gone from there, or was to stay. While
    /// it is there, a later start finds it.
    public let storeError: StoreError?
    /// Why the server may not know of it; nil when it does.
    public let serverError: SessionError?

    /// Whether all that was asked for has happened.
    public var isComplete: Bool { storeError == nil && serverError == nil }
}

extension SessionManager {
    /// Ends sessions. For *this* and *all* the session here goes first, whatever the server then
    /// answers; *others* leaves it.
    ///
    /// - Returns: what did not happen. Where a session was in hand, the state is signed out even if
    ///   the store could not remove it; it is removed when the store can be written again.
    @discardableResult
    public func signOut(_ scope: SignOutScope = .this) async -> SignOutReport {
        if held == nil { await load() }
        let session = held
        var storeError: StoreError?
        if scope != .others { storeError = await removeHere() }
        guard let session else {
            let error = SessionError(.signedOut, "There was no session whose server could be told.")
            return SignOutReport(
                storeError: storeError, serverError: scope == .this ? nil : error)
        }
        let tokens = SessionTokens(
            accessToken: session.accessToken, refreshToken: session.refreshToken)
        do throws(SessionError) {
            try await within(options.requestTimeout) { [backend] () async throws(SessionError) in
                try await backend.signOut(tokens, scope: scope)
            }
        } catch {
            return SignOutReport(storeError: storeError, serverError: error)
        }
        return SignOutReport(storeError: storeError, serverError: nil)
    }

    private func removeHere() async -> StoreError? {
        // First, so that no caller gets a token meanwhile.
        if held != nil {
            leaving = held
            end(.signedOutHere)
        }
        epoch += 1
        pause.end()
        do throws(StoreError) {
            try await store.remove(item)
        } catch {
            return error
        }
        leaving = nil
        epoch += 1
        end(.signedOutHere)
        return nil
    }
}
