// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// The work for a token, a key or a set grows linearly with its length, not quadratically. The
/// bounds are generous, for a debug build on a busy machine; they catch a factor of hundreds.
@Suite("Work per byte of a token, key or set")
struct WorkPerByte {
    /// Leaves out what does not decode, as many applications do: each failure is an error with a path.
    struct Lossy: Decodable {
        var values: [String] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(
                forKey: .x)
            struct Anything: Decodable { init(from decoder: any Decoder) throws {} }
            while !container.isAtEnd {
                if let value = try? container.decode(String.self) {
                    values.append(value)
                } else {
                    _ = try container.decode(Anything.self)
                }
            }
        }

        enum Key: String, CodingKey { case x }
    }

    static func verifier() throws -> TokenVerifier {
        let policy = try TokenPolicy(
            issuer: TestClaims.issuer, audience: ["api"], maximumTokenByteCount: 262_144,
            clock: .fixed(secondsSince1970: TestClaims.now))
        return try TokenVerifier(hmacKey: TestKeys.hmac(), policy: policy)
    }

    static func token(_ member: String) throws -> String {
        try Forge.token(
            TestKeys.header("HS256"), TestClaims.json(adding: member),
            by: Forge.hmac(TestKeys.secret))
    }

    @Test("Ninety thousand numbers where strings are wanted take linear time")
    func lossyArray() throws {
        let numbers = repeatElement("1", count: 90_000).joined(separator: ",")
        let token = try Self.token(#""x":[\#(numbers)]"#)
        let verifier = try Self.verifier()
        let start = ThreadClock.now
        #expect(try verifier.verify(token, as: Lossy.self).claims.values.isEmpty)
        let time = ThreadClock.now - start
        print("ninety thousand failures: \(time)")
        #expect(time < .seconds(20))
    }

    @Test("Thousands of similar names take linear time")
    func members() throws {
        let names = (0..<12_000).map { #""a\#(100_000 + $0)z":0"# }.joined(separator: ",")
        let token = try Self.token(names)
        let verifier = try Self.verifier()
        let start = ThreadClock.now
        #expect(try verifier.verify(token, as: [String: JSONValue].self).claims.count == 12_005)
        let time = ThreadClock.now - start
        print("twelve thousand members: \(time)")
        #expect(time < .seconds(20))
    }
}
