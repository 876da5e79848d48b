// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// CVE-2025-59420, CVE-2026-32597: Signet understands no extension, so it refuses everything
/// critical.
@Suite("Critical headers")
struct CriticalHeaders {
    static let members = [
        #""crit":["exp"],"exp":1"#, #""crit":["b64"],"b64":false"#, #""crit":["b64"],"b64":true"#,
        #""crit":["alg"]"#, #""crit":["x"],"x":1"#, #""crit":["http://example.com/UNDEFINED"]"#,
        #""crit":[]"#, #""crit":null"#, #""crit":"exp""#, #""crit":{}"#, #""crit":1"#,
        #""crit":[1]"#,
        #""crit":["x","x"]"#, #""cr\u0069t":["x"]"#, #""b64":false"#, #""b64":true"#,
        #""b64":"false""#,
    ]

    @Test("crit and b64 are refused with any value", arguments: members)
    func refused(_ member: String) throws {
        let token = try Forge.token(#"{"alg":"RS256","kid":"k1",\#(member)}"#, by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .criticalUnsupported)
        let jws = JWSVerifier(key: try TestKeys.verification(.rs256))
        #expect(refusal { try jws.verify(token) }?.code == .criticalUnsupported)
        // Before algorithm and key are checked.
        let lost = try Forge.token(#"{"alg":"none","kid":"none",\#(member)}"#, by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(lost) }?.code == .criticalUnsupported)
    }

    @Test("An unencoded payload (RFC 7797) is not taken for an encoded one")
    func unencodedPayload() throws {
        let header = Forge.encoded(#"{"alg":"RS256","kid":"k1","b64":false,"crit":["b64"]}"#)
        let token = try Forge.token(
            encodedHeader: header, encodedPayload: #"{"iss":"idp"}"#, by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .criticalUnsupported)
        let plain = try Forge.token(
            encodedHeader: Forge.encoded(TestKeys.header("RS256")),
            encodedPayload: #"{"iss":"idp"}"#,
            by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(plain) }?.code == .malformed)
    }

    @Test("A detached payload is an empty one, without claims")
    func detachedPayload() throws {
        let token = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
        let parts = token.split(separator: ".")
        let detached = parts[0] + ".." + parts[2]
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(String(detached)) }?.code
                == .signatureInvalid)
        let empty = try Forge.token(TestKeys.header("RS256"), "", by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(empty) }?.code == .malformed)
        #expect(try JWSVerifier(key: TestKeys.verification(.rs256)).verify(empty).payload.isEmpty)
    }

    @Test("Unknown header members are ignored, as RFC 7515, section 4, requires")
    func unknownMembers() throws {
        let header =
            #"{"alg":"RS256","kid":"k1","x":{"crit":["a"]},"Crit":["y"],"zip":"DEF","enc":"A128GCM"}"#
        let token = try Forge.token(header, by: Forge.rs256())
        #expect(try TestKeys.verifier(.rs256).verify(token).keyID == "k1")
    }
}
