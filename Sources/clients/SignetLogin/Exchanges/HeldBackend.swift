// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// A backend whose exchanges of tokens are held.
struct HeldBackend: SessionBackend {
    let backend: any SessionBackend
    let hold: any ExchangeHold

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        try hold.begin(.refresh)
        return try await backend.refresh(token)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        try await backend.signOut(tokens, scope: scope)
    }
}
