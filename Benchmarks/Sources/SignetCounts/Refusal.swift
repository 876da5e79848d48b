// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TokenFixtures

/// Why a token is refused. Refusing may not cost more than a good token does: a client that floods
/// a server with such tokens must not make it work harder than its users do.
enum Refusal: CaseIterable {
    case alteredSignature, alteredPayload, tooLarge, unknownKey, garbage, wrongAlgorithm, expired

    var code: TokenError.Code {
        switch self {
        case .alteredSignature, .alteredPayload: .signatureInvalid
        case .tooLarge: .tooLarge
        case .unknownKey: .noMatchingKey
        case .garbage: .malformed
        case .wrongAlgorithm: .algorithmNotAllowed
        case .expired: .expired
        }
    }

    func token(_ fixture: TokenFixture) throws -> String {
        let parts = fixture.token.split(separator: ".")
        guard parts.count == 3 else { throw FixtureError(name: "not a token") }
        switch self {
        case .alteredSignature: return "\(parts[0]).\(parts[1]).\(altered(parts[2]))"
        case .alteredPayload: return "\(parts[0]).\(altered(parts[1])).\(parts[2])"
        case .tooLarge: return "\(parts[0]).\(String(repeating: "A", count: 262_144)).\(parts[2])"
        case .unknownKey:
            let key = try TokenFixture.hmacKey(String(Expected.keyID.reversed()))
            return try TokenSigner(hmacKey: key).sign(IDTokenClaims())
        case .garbage:
            // Three parts of base64url of the right lengths that hold no JSON.
            return parts.map { String(repeating: "A", count: $0.utf8.count) }.joined(separator: ".")
        case .wrongAlgorithm:
            let header = "{\"alg\":\"HS512\",\"typ\":\"JWT\",\"kid\":\"\(Expected.keyID)\"}"
            return "\(Base64URL.encode(Array(header.utf8))).\(parts[1]).\(parts[2])"
        case .expired: return fixture.token
        }
    }

    func verifier(_ fixture: TokenFixture) throws -> TokenVerifier {
        guard self == .expired else { return fixture.verifier }
        let late = TimeSource.fixed(secondsSince1970: Double(Expected.expiration) + 3600)
        return try TokenVerifier(
            hmacKey: TokenFixture.hmacKey(Expected.keyID), policy: TokenFixture.policy(clock: late))
    }

    /// One character in the middle, where it belongs to whole octets.
    private func altered(_ part: Substring) -> String {
        var bytes = Array(part.utf8)
        let middle = bytes.count / 2
        bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
