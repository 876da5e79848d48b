// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Checks the names in a configuration, so mistakes are found at start. A wrong name is an error,
/// `invalidIdentifier`. Where case does not count, the result is in lower case:
///
/// - `try Identifier.checked(["web"], as: "client identifier")` returns `["web"]`.
/// - `try Identifier.domain("Tenant.Example")` returns `tenant.example`.
///
/// The text after `as:` says in messages what the name is.
package enum Identifier {
    private static let maximumByteCount = 255
    /// 0x21 is the first character after the space, 0x7e the last before the control character DEL.
    private static let visibleASCII: ClosedRange<UInt8> = 0x21...0x7e

    /// The length of a GUID: 32 digits and four hyphens.
    static let guidByteCount = 36

    /// Client identifiers or audiences: at least one, each 1 to 255 bytes of visible ASCII (RFC
    /// 6749, appendix A.1, without spaces).
    static func checked(_ members: [String], as what: String) throws(IdentityConfigurationError)
        -> [String]
    {
        guard !members.isEmpty else {
            throw invalid("There is no \(shown: what): without one no token could be for you.")
        }
        for member in members {
            guard !member.isEmpty else { throw invalid("A \(shown: what) is empty.") }
            guard member.utf8.count <= maximumByteCount else {
                throw invalid(
                    "A \(shown: what) has \(member.utf8.count) bytes instead of at most \(maximumByteCount)."
                )
            }
            guard member.utf8.allSatisfy({ visibleASCII.contains($0) }) else {
                throw invalid(
                    "A \(shown: what) holds blanks, control or other characters that none has.")
            }
        }
        return members
    }

    /// A client identifier that may contain spaces (RFC 6749, appendix A.1), as in `client_id`.
    package static func checkClient(_ clientID: String) throws(IdentityConfigurationError) {
        guard (1...1_024).contains(clientID.utf8.count) else {
            throw invalid(
                "A client identifier has 1 to 1,024 bytes, not \(clientID.utf8.count).")
        }
        guard clientID.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw invalid("A client identifier holds characters other than printable ASCII.")
        }
    }

    /// Scopes, the names of what a client asks for: `openid`, `email`.
    package static func checkScopes(_ scopes: [String]) throws(IdentityConfigurationError) {
        guard scopes.allSatisfy(isScope) else {
            throw invalid("A scope is printable ASCII without space, quotation mark and backslash.")
        }
    }

    /// Whether text is visible ASCII without `"` (0x22) and `\` (0x5c), up to 1,024 bytes (RFC
    /// 6749, appendix A.4).
    package static func isScope(_ text: String) -> Bool {
        (1...1_024).contains(text.utf8.count)
            && text.utf8.allSatisfy { visibleASCII.contains($0) && $0 != 0x22 && $0 != 0x5c }
    }

    /// Domains, in lower case.
    static func domains(_ members: [String]) throws(IdentityConfigurationError) -> [String] {
        var domains = [String]()
        for member in members { domains.append(try domain(member)) }
        return domains
    }

    /// A domain of at least two labels of letters, digits and hyphens, in lower case.
    static func domain(_ text: String) throws(IdentityConfigurationError) -> String {
        let lower = text.lowercasedASCII
        let labels = lower.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard lower.utf8.count <= EndpointHost.maximumNameByteCount, labels.count >= 2,
            labels.allSatisfy({ EndpointHost.isLabel($0) })
        else {
            throw invalid("This is not a domain. Write it bare, as in \"tenant.example\".")
        }
        return lower
    }

    /// A label of a host name, the text between two dots, which must be in lower case.
    package static func label(
        _ text: String, as what: String
    ) throws(IdentityConfigurationError) -> String {
        let hasCapital = text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard EndpointHost.isLabel(text.utf8), !hasCapital else {
            throw invalid("The \(shown: what) holds other characters than a-z, 0-9 and the hyphen.")
        }
        return text
    }

    /// A path segment of an address: letters, digits, `-`, `.`, `_`, `~`, at most 255 bytes.
    static func pathSegment(
        _ text: String, as what: String
    ) throws(IdentityConfigurationError) -> String {
        let isPlain = text.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || "-._~".utf8.contains($0)
        }
        guard (1...maximumByteCount).contains(text.utf8.count) else {
            throw invalid(
                "A \(shown: what) has 1 to \(maximumByteCount) bytes, not \(text.utf8.count).")
        }
        guard isPlain, text != ".", text != ".." else {
            throw invalid(
                "The \(shown: what) holds other characters than letters, digits, - . _ and ~.")
        }
        return text
    }

    /// The issuer of an Amazon Cognito user pool, such as
    /// `https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab12`. Amazon's cloud in China is
    /// separate, with its own domain.
    static func cognitoIssuer(
        region: String, userPoolID: String
    ) throws(IdentityConfigurationError) -> String {
        let region = try label(region, as: "region")
        let pool = try pathSegment(userPoolID, as: "user pool's identifier")
        let top = region.utf8.starts(with: "cn-".utf8) ? "com.cn" : "com"
        return "https://cognito-idp.\(region).amazonaws.\(top)/\(pool)"
    }

    /// A GUID, in lower case.
    static func guid(_ text: String, as what: String) throws(IdentityConfigurationError) -> String {
        let lower = text.lowercasedASCII
        guard isGUID(lower.utf8) else {
            throw invalid(
                "The \(shown: what) is not a GUID such as 9188040d-6c67-4c5b-b112-36a304b66dad.")
        }
        return lower
    }

    /// Whether text is a GUID or UUID in the form that every issuer writes: 8-4-4-4-12 digits,
    /// lower case.
    package static func isGUID(_ octets: some Collection<UInt8>) -> Bool {
        guard octets.count == guidByteCount else { return false }
        for (index, octet) in octets.enumerated() {
            switch index {
            case 8, 13, 18, 23: guard octet == UInt8(ascii: "-") else { return false }
            default:
                let isSmallLetter = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(octet)
                guard octet.isDigit || isSmallLetter else { return false }
            }
        }
        return true
    }

    static func invalid(_ message: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.invalidIdentifier, message)
    }
}

extension String {
    /// The text with only A to Z in lower case: Unicode's folding would take the Kelvin sign for a
    /// "k".
    var lowercasedASCII: String {
        String(decoding: utf8.map(\.lowercased), as: UTF8.self)
    }
}
