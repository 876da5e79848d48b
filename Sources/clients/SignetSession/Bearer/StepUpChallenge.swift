// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
package import SignetIdentity

/// A resource server's demand for a more recent or stronger sign-in, although the token is good:
/// `Bearer error="insufficient_user_authentication"` in `WWW-Authenticate` (RFC 9470, section 3).
///
/// Nil for fields that are not challenges of RFC 9110 (section 11.6.1), that have a parameter twice
/// or two Bearer challenges, or that are longer than 8 KiB together. **Not** read: `acr_values` and
/// `scope`.
package struct StepUpChallenge: Sendable, Equatable {
    /// How old the sign-in may be at most: `max_age`, in seconds; nil if it is absent, or no number
    /// of 1 to 9 digits.
    package let maximumAuthenticationAge: Duration?

    /// The challenge of a response with status 401; nil if there is none.
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

    /// Compares without case; `name` is in lower case.
    private static func equal(_ text: [UInt8], lowercased name: String) -> Bool {
        text.count == name.utf8.count && text.map(\.lowercased).elementsEqual(name.utf8)
    }

    private static func seconds(_ digits: [UInt8]) -> Duration? {
        guard (1...9).contains(digits.count), digits.allSatisfy(\.isDigit) else { return nil }
        // Nine digits cannot overflow.
        return .seconds(digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) })
    }
}
