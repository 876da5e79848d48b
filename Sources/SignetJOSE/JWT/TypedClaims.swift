// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The registered claims of a payload, read or about to be signed, each of them of its type (RFC 7519, section 4.1): the wrong
/// type is an error and never counts as absent.
struct TypedClaims {
    let places: RegisteredPlaces
    let expiration: NumericDate?
    let notBefore: NumericDate?
    let issuedAt: NumericDate?

    /// - Parameter nullIsAbsent: see ``TokenPolicy/nullIsAbsent``. Nothing is signed so.
    /// - Throws: `malformed` when the text is no object, `claimInvalid`.
    init(_ entries: some JSONEntries, nullIsAbsent: Bool) throws(TokenError) {
        guard entries[0].kind == .object else {
            throw TokenError(.malformed, "The claims are not a JSON object.")
        }
        places = RegisteredPlaces(entries, nullIsAbsent: nullIsAbsent)
        try Self.checkText(places.issuer, entries, "iss")
        try Self.checkText(places.subject, entries, "sub")
        try Self.checkText(places.tokenID, entries, "jti")
        expiration = try Self.date(places.expiration, entries, "exp")
        notBefore = try Self.date(places.notBefore, entries, "nbf")
        issuedAt = try Self.date(places.issuedAt, entries, "iat")
        if places.audience != 0 { try Self.checkAudience(Int(places.audience), entries) }
    }

    private static func checkText(
        _ place: RegisteredPlaces.Place, _ entries: some JSONEntries, _ name: StaticString
    ) throws(TokenError) {
        guard place != 0 else { return }
        guard entries[Int(place)].kind == .string else {
            throw RegisteredClaims.invalid("\(name)", "is not a string")
        }
    }

    private static func date(
        _ place: RegisteredPlaces.Place, _ entries: some JSONEntries, _ name: StaticString
    ) throws(TokenError) -> NumericDate? {
        guard place != 0 else { return nil }
        guard let seconds = entries.double(entries[Int(place)]), seconds.magnitude <= NumericDate.limit else {
            throw RegisteredClaims.invalid("\(name)", "is not a number of seconds in range")
        }
        return NumericDate(secondsSince1970: seconds)
    }

    private static func checkAudience(
        _ position: Int, _ entries: some JSONEntries
    ) throws(TokenError) {
        let audience = entries[position]
        switch audience.kind {
        case .string:
            guard !audience.isEmpty else { throw RegisteredClaims.invalid("aud", "is an empty string") }
        case .array:
            let end = Int(audience.link)
            var next = position &+ 1
            while next < end {
                let element = entries[next]
                guard element.kind == .string, !element.isEmpty else {
                    throw RegisteredClaims.invalid("aud", "holds something that is not a non-empty string")
                }
                next = Int(element.link)
            }
        default:
            throw RegisteredClaims.invalid("aud", "is neither a string nor an array of strings")
        }
    }
}
