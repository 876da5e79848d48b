// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

/// A request for an ID token: a good one, or one that is wrong in a way to try out.
package struct MintRequest: Sendable, Decodable {
    /// Which key signs it.
    package enum Key: String, Sendable, Decodable {
        /// The current one.
        case current
        /// A new one that is published nowhere, with an unknown `kid`.
        case unpublished
        /// A new one with the `kid` of the current one: its signature is wrong.
        case impostor
    }

    package var person: Person
    /// `aud`: the first client identifier unless it is given.
    package var audience: String?
    package var nonce: String?
    /// In seconds, 3600 unless it is given.
    package var lifetime: Int?
    package var key: Key?
    /// The header's `typ`.
    package var type: String?
    /// Claims that replace those made so far; null removes a claim.
    package var claims: [String: JSONValue]?

    package init(
        person: Person, audience: String? = nil, nonce: String? = nil, lifetime: Int? = nil,
        key: Key? = nil,
        type: String? = nil, claims: [String: JSONValue]? = nil
    ) {
        self.person = person
        self.audience = audience
        self.nonce = nonce
        self.lifetime = lifetime
        self.key = key
        self.type = type
        self.claims = claims
    }
}
