// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// A client's request for the next tokens, as JSON with the names of RFC 6749, section 6:
/// `{"refresh_token":"…"}`. Printing shows nothing.
public struct RefreshRequest: Decodable, Sendable, Redacted {
    /// The argument of ``RefreshTokens/rotate(_:clientID:)``.
    public let refreshToken: String

    private enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
}
