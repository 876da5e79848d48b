// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

extension FuzzTarget {
    /// A header and a payload with a zero byte between, which are signed with a known key: the code
    /// behind the signature runs. What was verified obeys the policy and is what was signed, and
    /// the same signature is good for nothing else.
    static let jws = FuzzTarget(
        "jws",
        seeds: [
            "{\"alg\":\"HS256\",\"kid\":\"k1\"}\0" + claims,
            "{\"typ\":\"JWT\",\"alg\":\"HS256\"}\0" + claims.dropLast()
                + ",\"nbf\":1.7e9,\"n\":[1,{}]}",
            "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":false}\0{}",
            "{\"alg\":\"none\",\"jku\":\"https://a.example\",\"x5c\":[]}\0" + claims,
        ]
    ) { input in
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let fixture = try? TokenFixture.shared.get() else { return false }
        let header = Base64URL.encode(parts[0])
        let text = header + "." + Base64URL.encode(parts[1])
        let signature = try hold("a text is signed") { try fixture.signature(text) }
        let token = text + "." + signature
        if let verified = try? fixture.payloads.verify(token) {
            try hold(verified.payload == Array(parts[1]), "the payload is the one that was signed")
        }
        guard let verified = try? fixture.verifier.verify(token, as: [String: JSONValue].self)
        else { return false }
        let registered = verified.registered
        try hold(verified.header.algorithm.utf8.elementsEqual("HS256".utf8), "the algorithm")
        try hold(verified.claims["iss"] == .string("https://idp.example"), "the issuer")
        try hold(registered.audience.contains("api"), "the audience")
        try hold((registered.expiration?.secondsSince1970 ?? 0) + 30 > 1_700_000_100, "the end")
        try hold((registered.notBefore?.secondsSince1970 ?? 0) - 30 <= 1_700_000_100, "the begin")
        var other = Array(parts[1])
        other.append(UInt8(ascii: " "))
        let forged = header + "." + Base64URL.encode(other) + "." + signature
        try hold((try? fixture.verifier.verify(forged)) == nil, "no other payload is valid")
        return true
    }

    private static let claims =
        #"{"iss":"https://idp.example","aud":"api","sub":"u1","iat":1700000000,"exp":1700000300}"#
}
