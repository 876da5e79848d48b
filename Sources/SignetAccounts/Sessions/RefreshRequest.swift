// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetPlatform

/// What a client sends to get the next tokens, as JSON in the names of RFC 6749, section 6:
/// `{"refresh_token":"…"}`. Printing it shows nothing.
public struct RefreshRequest: Decodable, Sendable, Redacted {
    /// What ``RefreshTokens/rotate(_:)`` takes.
    public let refreshToken: String

    private enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
}
