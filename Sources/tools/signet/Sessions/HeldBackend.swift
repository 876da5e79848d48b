// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetSession

/// A backend whose exchanges of tokens hold signals back.
struct HeldBackend: SessionBackend {
    let backend: any SessionBackend

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        do throws(SystemFailure) {
            try RunningExchange.current.begin(.refresh, notice: Output.exchangeNotice)
        } catch {
            throw SessionError(.unavailable, "The server was not asked: \(error).")
        }
        return try await backend.refresh(token)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        try await backend.signOut(tokens, scope: scope)
    }
}

extension Output {
    /// The message when a signal has to wait for an exchange.
    @Sendable
    static func exchangeNotice() { errorLine("signet: finishing the exchange") }
}
