// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Reads the claims of a verified token, for the rules of each kind of token. For the claims
/// `{"azp": "web", "name": null, "acr": 2}`:
///
/// | Call | For a claim that | Result |
/// |---|---|---|
/// | `try claims.text("azp")` | decides something | "web" |
/// | `try claims.text("acr")` | decides something | throws, since it is not a string |
/// | `claims.shownText("acr")` | is only shown | nil, since it is not a string |
/// | `claims.shownText("name")` | is only shown | nil: `null` always counts as absent |
struct ClaimReader {
    /// The object of all claims.
    let root: JSONNode

    /// A claim that is present and not `null`.
    func member(_ name: String) -> JSONNode? {
        guard let member = root.member(name), !member.isNull else { return nil }
        return member
    }

    /// A string that decides something.
    func text(_ name: String) throws(IdentityError) -> ReceivedText? {
        guard let member = member(name) else { return nil }
        guard let text = member.text else { throw Self.invalid(name, message: "is not a string") }
        return text
    }

    /// A string that is only shown, or is evidence; every other type counts as absent.
    func shownText(_ name: String) -> ReceivedText? { member(name)?.text }

    /// Whether the token tells of a logout (OpenID Connect Back-Channel Logout 1.0, section 2.4):
    /// the event is present, and an object.
    var isLogout: Bool {
        let event = "http://schemas.openid.net/event/backchannel-logout"
        return member("events")?.member(event)?.kind == .object
    }

    /// Whether a claim says yes: `true`, or a text or number of `written`, as a provider documents
    /// it. Any other value is neither evidence nor a reason to reject.
    func saysYes(_ name: String, or written: [String] = ["true"]) -> Bool {
        guard let member = member(name) else { return false }
        if let value = member.boolValue { return value }
        let text = member.text ?? member.int64Value.map { ReceivedText(String($0)) }
        return text?.isOne(of: written) == true
    }

    /// The texts at a path of member names, such as `["realm_access", "roles"]`, which leads to a
    /// text or a list of texts; every other type counts as absent.
    func texts(at path: [String]) -> [String] {
        var node = root
        for name in path {
            guard let next = node.member(name) else { return [] }
            node = next
        }
        if let text = node.text { return [text.swiftString()] }
        return node.kind == .array ? node.elements.compactMap { $0.text?.swiftString() } : []
    }

    /// Requires each claim and an accepted value, in the order of the claims' names.
    func requireValues(_ accepted: [String: [String]]) throws(IdentityError) {
        for (name, values) in accepted.sorted(by: { $0.key < $1.key }) {
            guard let value = try text(name) else {
                throw IdentityError(
                    .claimMissing, claim: name, "The claim \"\(shown: name)\" is missing.")
            }
            guard value.isOne(of: values) else {
                throw IdentityError(
                    .valueNotAccepted, claim: name,
                    "The claim \"\(shown: name)\" has no accepted value.")
            }
        }
    }

    /// Requires each claim and its prefix, in the order of the claims' names.
    func requirePrefixes(_ prefixes: [String: String]) throws(IdentityError) {
        for (name, prefix) in prefixes.sorted(by: { $0.key < $1.key }) {
            guard let value = try text(name) else {
                throw IdentityError(
                    .claimMissing, claim: name, "The claim \"\(shown: name)\" is missing.")
            }
            guard value.utf8.starts(with: prefix.utf8) else {
                throw IdentityError(
                    .valueNotAccepted, claim: name,
                    "The claim \"\(shown: name)\" does not begin with \"\(shown: prefix)\".")
            }
        }
    }

    /// Rejects a token in which a claim has one of its refused values, in the order of the claims'
    /// names.
    func refuseValues(_ refused: [String: [String]]) throws(IdentityError) {
        for (name, values) in refused.sorted(by: { $0.key < $1.key }) {
            guard let value = try text(name), value.isOne(of: values) else { continue }
            throw IdentityError(
                .valueNotAccepted, claim: name,
                "The claim \"\(shown: name)\" has a value that is refused."
            )
        }
    }

    /// A point in time that decides something.
    func date(_ name: String) throws(IdentityError) -> NumericDate? {
        guard let member = member(name) else { return nil }
        guard let date = Self.date(member) else {
            throw Self.invalid(name, message: "is not a number of seconds in range")
        }
        return date
    }

    /// A point in time that is only shown.
    func shownDate(_ name: String) -> NumericDate? { member(name).flatMap(Self.date) }

    /// A date in seconds; nil also beyond 2^53 s, which means "never" in `exp` and is no time of a
    /// sign-in.
    private static func date(_ member: JSONNode) -> NumericDate? {
        guard let seconds = member.doubleValue, seconds.magnitude <= NumericDate.limit else {
            return nil
        }
        return NumericDate(secondsSince1970: seconds)
    }

    /// The error for a claim of a wrong type or value: `The claim "jti" is empty.`
    static func invalid(_ claim: String, message what: ErrorMessage) -> IdentityError {
        IdentityError(.claimInvalid, claim: claim, "The claim \"\(shown: claim)\" \(what).")
    }
}
