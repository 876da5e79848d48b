// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

/// How to treat a token that is bound to its sender: to the holder of a key (DPoP, RFC 9449) or of
/// a certificate (mutual TLS, RFC 8705) that the token names in `cnf` (RFC 7800).
///
/// Signet does not check the binding yet. If accepted as a bearer token, a bound token works for a
/// thief too, although its issuer promised that it does not.
public struct SenderRule: Sendable, Hashable {
    private enum Treatment { case bearerOnly, bindingNotChecked }

    private let treatment: Treatment

    /// Rejects bound tokens with `senderBound` (401). The default.
    ///
    /// A token is bound if it has `cnf`, in any form: an empty object and text count too, and only
    /// `null` is absent. A token whose claim `typ` (Keycloak) or `token_type` (RFC 9449, section
    /// 6.2) is `DPoP` is bound too.
    public static let bearerOnly = SenderRule(treatment: .bearerOnly)

    /// Accepts bound tokens. The binding is **not checked** and `cnf` is not read, so a
    /// stolen token works for the thief. For a server whose gateway has checked the binding of every
    /// request, or that checks it by itself (`claims(as:)`).
    public static let bindingNotChecked = SenderRule(treatment: .bindingNotChecked)

    package static let message: ErrorMessage =
        "The token is bound to its sender's key or certificate, and the binding is not checked "
        + "here. Expected a bearer token; to accept bound ones unchecked, set the rule "
        + "bindingNotChecked."

    /// The claim for which the rule rejects a token with these claims; nil if it accepts the token.
    package func refusedClaim(in claims: JSONNode) -> String? {
        guard case .bearerOnly = treatment else { return nil }
        if let confirmation = claims.member("cnf"), !confirmation.isNull { return "cnf" }
        if Self.isDPoP("typ", in: claims) { return "typ" }
        return Self.isDPoP("token_type", in: claims) ? "token_type" : nil
    }

    private static func isDPoP(_ name: String, in claims: JSONNode) -> Bool {
        claims.member(name)?.text?.lowercasedASCII.isEqual(to: "dpop") == true
    }
}
