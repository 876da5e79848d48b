// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
import SignetJOSE
import Testing

/// Claims as JSON texts by name, so that a test can write any value of any type, digit by digit.
package struct TestClaimSet: Sendable, ExpressibleByDictionaryLiteral {
    private var members: [(name: String, json: String)] = []

    package init(dictionaryLiteral elements: (String, String)...) {
        members = elements.map { ($0.0, $0.1) }
    }

    /// The claims of an object, as they are written there, with `iat` and `exp` where it has none.
    package static func issued(_ object: String) throws -> TestClaimSet {
        var claims = TestClaimSet()
        for (name, value) in try JSONTokenDecoder().decode(
            [String: JSONValue].self, from: Array(object.utf8))
        {
            let json = try JSONTokenEncoder(allowsFragments: true).encode(value)
            claims.members.append((name, String(decoding: json, as: UTF8.self)))
        }
        claims.members.sort { $0.name < $1.name }
        let times = ProviderFixture.times
        return claims.changing([
            "iat": claims["iat"] ?? times.issued, "exp": claims["exp"] ?? times.expires,
        ])
    }

    /// The claims with some changed or added; nil takes one away.
    package func changing(_ edits: [String: String?]) -> TestClaimSet {
        var copy = self
        for (name, json) in edits.sorted(by: { $0.key < $1.key }) {
            let place = copy.members.firstIndex { $0.name == name }
            switch (place, json) {
            case (let place?, let json?): copy.members[place].json = json
            case (let place?, nil): copy.members.remove(at: place)
            case (nil, let json?): copy.members.append((name, json))
            case (nil, nil): break
            }
        }
        return copy
    }

    package subscript(_ name: String) -> String? { members.first { $0.name == name }?.json }

    package var names: [String] { members.map(\.name) }

    package var json: String {
        "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
    }
}

/// A change to a good token, and the expected outcome.
package struct ClaimCase: Sendable, CustomTestStringConvertible {
    package let name: String
    package let edits: [String: String?]
    package let code: IdentityError.Code?
    package let claim: String?

    /// A change that must be refused.
    package init(
        _ name: String, _ edits: [String: String?], _ code: IdentityError.Code,
        _ claim: String? = nil
    ) {
        self.name = name
        self.edits = edits
        self.code = code
        self.claim = claim
    }

    /// A change that must be accepted.
    package init(good name: String, _ edits: [String: String?]) {
        self.name = name
        self.edits = edits
        code = nil
        claim = nil
    }

    package var testDescription: String { name }
}

/// The error of a token that must not be accepted; nil when it was.
package func reason<R>(_ body: () async throws(IdentityError) -> R) async -> IdentityError? {
    do throws(IdentityError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
