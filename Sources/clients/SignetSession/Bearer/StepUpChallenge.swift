// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
package import SignetIdentity

/// What a resource server says when the token is good and its sign-in is not enough for this:
/// `Bearer error="insufficient_user_authentication"` in `WWW-Authenticate` (RFC 9470, section 3).
///
/// There is none in fields that are not challenges as RFC 9110 has them (section 11.6.1), that have
/// a parameter twice or two Bearer challenges, or that are longer than 8 KiB together. **Not**
/// read: `acr_values` and `scope`.
package struct StepUpChallenge: Sendable, Equatable {
    /// How old the sign-in may be at most: `max_age`, in seconds; nil where it is not said, or is
    /// no number of one to nine digits.
    package let maximumAuthenticationAge: Duration?

    /// The challenge of an answer of 401.
    package init?(_ response: TransportResponse) {
        guard response.status == 401 else { return nil }
        var reader = ChallengeReader(response.values(of: "WWW-Authenticate"))
        guard let challenges = reader?.challenges() else { return nil }
        let bearer = challenges.filter { Self.equal($0.scheme, lowercased: "bearer") }
        guard bearer.count == 1, let parameters = bearer.first?.parameters,
            let error = Self.value("error", in: parameters),
            error.elementsEqual("insufficient_user_authentication".utf8)
        else { return nil }
        maximumAuthenticationAge = Self.value("max_age", in: parameters).flatMap(Self.seconds)
    }

    private static func value(_ name: String, in parameters: [ChallengeReader.Parameter])
        -> [UInt8]?
    {
        parameters.first { equal($0.name, lowercased: name) }?.value
    }

    /// Without case; `name` is lower case.
    private static func equal(_ text: [UInt8], lowercased name: String) -> Bool {
        text.count == name.utf8.count && text.map(\.lowercased).elementsEqual(name.utf8)
    }

    private static func seconds(_ digits: [UInt8]) -> Duration? {
        guard (1...9).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        // No overflow: nine digits.
        return .seconds(digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
    }
}
