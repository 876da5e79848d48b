// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
package import SignetJOSE

/// A provider's error (RFC 6749, sections 4.1.2.1 and 5.2), as text that is safe to log.
///
/// The text comes from the provider, or from an attacker who forged the callback: never show it as
/// your application's own. Each part is truncated, characters other than printable ASCII become
/// `?`, and a part that repeats the code, a token or a secret of the exchange, or holds text that
/// looks like any secret, is left out.
public struct ProviderRefusal: Sendable, Hashable, CustomStringConvertible {
    /// `error`, such as `access_denied` or `invalid_grant`; at most 64 characters.
    public let error: String
    /// `error_description`, for developers and not for users; at most 256 characters.
    public let errorDescription: String?

    /// An error by its code, for comparisons: `AuthorizationError(.refused, refusal:
    /// ProviderRefusal(error: "invalid_grant"), "")`.
    public init(error: String, errorDescription: String? = nil) {
        self.init(
            error: ReceivedText(error), description: errorDescription.map { ReceivedText($0) },
            secrets: [])
    }

    /// - Parameter secrets: texts that must not reach a log.
    package init(error: ReceivedText, description: ReceivedText?, secrets: [String]) {
        self.error = Self.printable(error, maximumCount: 64, secrets: secrets) ?? "?"
        errorDescription = description.flatMap {
            Self.printable($0, maximumCount: 256, secrets: secrets)
        }
    }

    /// ``error``, if a specification has registered it.
    public var registeredError: String? {
        Self.registered.first { $0.utf8.elementsEqual(error.utf8) }
    }

    /// The error and its description.
    public var description: String { errorDescription.map { "\(error): \($0)" } ?? error }

    /// The registered errors: RFC 6749 (4.1.2.1, 5.2), OpenID Connect Core (3.1.2.6), RFC 8707 (2),
    /// RFC 8628 (3.5), RFC 7009 (2.2.1) and RFC 6750 (3.1).
    private static let registered = [
        "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type",
        "invalid_scope", "server_error", "temporarily_unavailable", "invalid_client",
        "invalid_grant",
        "unsupported_grant_type", "interaction_required", "login_required",
        "account_selection_required",
        "consent_required", "invalid_request_uri", "invalid_request_object",
        "request_not_supported",
        "request_uri_not_supported", "registration_not_supported", "invalid_target",
        "authorization_pending", "slow_down", "expired_token", "unsupported_token_type",
        "invalid_token", "insufficient_scope",
    ]

    private static func printable(
        _ received: ReceivedText, maximumCount: Int, secrets: [String]
    ) -> String? {
        let text = received.swiftString()
        guard !SecretShape.begins(in: text, within: maximumCount) else { return nil }
        let beginning = text.unicodeScalars.prefix(maximumCount)
        // Searches the shown text, plus the longest secret that may begin in it. Text after that is
        // not read.
        let shown = beginning.reduce(0) { $0 + UTF8.width($1) }
        let octets = Array(received.utf8)
        for secret in secrets where contains(octets, wanted: Array(secret.utf8), before: shown) {
            return nil
        }
        let scalars = beginning.map {
            (0x20..<0x7f).contains($0.value) ? $0 : "?" as Unicode.Scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Whether `wanted` begins in the first `end` octets.
    private static func contains(_ text: [UInt8], wanted: [UInt8], before end: Int) -> Bool {
        guard !wanted.isEmpty, text.count >= wanted.count else { return false }
        for start in 0..<min(end, text.count - wanted.count + 1)
        where text[start] == wanted[0] && text[start..<(start + wanted.count)].elementsEqual(wanted)
        {
            return true
        }
        return false
    }
}
