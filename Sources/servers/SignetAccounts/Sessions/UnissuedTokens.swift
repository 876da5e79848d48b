// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A session, and the refresh token that its client gets with the next access token.
package struct UnissuedTokens: Sendable {
    package let session: AccountSession
    let refreshToken: RefreshTokenValue
}
