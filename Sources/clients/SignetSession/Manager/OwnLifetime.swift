// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

/// The lifetime that an access token itself names, if it is a JWT: `exp` minus `iat`.
///
/// The token is read unverified, for its lifetime alone. The local clock is not used: it may be
/// wrong.
enum OwnLifetime {
    private struct Claims: Decodable {
        let exp: NumericDate
        let iat: NumericDate
    }

    /// 1 s to a year; nil if the token does not say.
    static func stated(in token: AccessToken) -> Duration? {
        let parts = token.exposedText.split(separator: ".", omittingEmptySubsequences: false)
        // A JWS: HEADER.PAYLOAD.SIGNATURE, each in base64url (RFC 7515, section 7.1).
        guard parts.count == 3, let payload = try? Base64URL.decode(parts[1]),
            let claims = try? StrictJSON.decode(Claims.self, from: payload)
        else { return nil }
        let seconds = claims.exp.secondsSince1970 - claims.iat.secondsSince1970
        guard seconds >= 1 else { return nil }
        // Cut first, because a `Duration` cannot hold every number.
        return min(.seconds(min(seconds, 1e9)), SessionGrant.maximumLifetime)
    }
}
