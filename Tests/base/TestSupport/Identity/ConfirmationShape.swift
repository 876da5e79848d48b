// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE
import Testing

/// A `cnf` (RFC 7800) as a token may have it.
package struct ConfirmationShape: Sendable, CustomTestStringConvertible {
    /// As JSON; nil where the token has none.
    package let json: String?
    /// Whether it binds the token to its sender.
    package let isBound: Bool

    package var testDescription: String { json ?? "absent" }

    /// The shapes of RFC 9449, 8705 and 7800, and those that no issuer should write.
    package static let all = [
        ConfirmationShape(
            json: #"{"jkt":"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}"#, isBound: true),
        ConfirmationShape(
            json: ##"{"x5t#S256":"A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0"}"##, isBound: true),
        ConfirmationShape(
            json: #"{"jwk":{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg"}}"#,
            isBound: true),
        ConfirmationShape(json: "{}", isBound: true),
        ConfirmationShape(json: "[]", isBound: true),
        ConfirmationShape(json: #""x""#, isBound: true),
        ConfirmationShape(json: "false", isBound: true),
        ConfirmationShape(json: "null", isBound: false),
        ConfirmationShape(json: nil, isBound: false),
    ]

    /// The claims of a token, with this one.
    package func added(to claims: [String: JSONValue]) throws -> [String: JSONValue] {
        var claims = claims
        if let json {
            claims["cnf"] = try StrictJSON.decode(JSONValue.self, from: Array(json.utf8))
        }
        return claims
    }
}
