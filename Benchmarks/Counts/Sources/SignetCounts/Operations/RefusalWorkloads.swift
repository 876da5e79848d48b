// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Tokens that are refused, each for the one reason that its name says. None may cost more than the good one:
/// whoever floods a server with them must not make it work harder than its users do.
enum RefusalWorkloads {
    static func all() -> [Workload] {
        ["hs256", "es256"].flatMap { algorithm in
            Reason.allCases.flatMap { reason in
                [workload(algorithm, reason, typed: true), workload(algorithm, reason, typed: false)]
            }
        }
    }

    private static func workload(_ algorithm: String, _ reason: Reason, typed: Bool) -> Workload {
        let name = "\(algorithm).refuse.id.\(reason.rawValue).\(typed ? "typed" : "registered")"
        return Workload(name, algorithm == "hs256" ? 200 : 10) {
            let isHMAC = algorithm == "hs256"
            let fixture = isHMAC ? try TokenFixture.hmac() : try TokenFixture.signature(.es256)
            let verifier = try reason.verifier(fixture, isHMAC: isHMAC)
            let token = try reason.token(fixture, isHMAC: isHMAC)
            let code = reason.code
            // What has verified before may have left its header in a cache: as in a server.
            _ = try fixture.verifier.verify(fixture.token)
            if typed {
                return {
                    do throws(TokenError) {
                        return try verifier.verify(token, as: IDTokenClaims.self).claims.exp == 0
                    } catch {
                        return error.code == code
                    }
                }
            }
            return {
                do throws(TokenError) {
                    return try verifier.verify(token).header.algorithm.isEmpty
                } catch {
                    return error.code == code
                }
            }
        }
    }

    enum Reason: String, CaseIterable {
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

        func token(_ fixture: TokenFixture, isHMAC: Bool) throws -> String {
            let parts = fixture.token.split(separator: ".")
            guard parts.count == 3 else { throw CountsError.setup("not a token") }
            switch self {
            case .alteredSignature: return "\(parts[0]).\(parts[1]).\(altered(parts[2]))"
            case .alteredPayload: return "\(parts[0]).\(altered(parts[1])).\(parts[2])"
            case .tooLarge: return "\(parts[0]).\(String(repeating: "A", count: 262_144)).\(parts[2])"
            case .unknownKey:
                let keyID = String(Expected.keyID.reversed())
                return isHMAC
                    ? try TokenSigner(hmacKey: TokenFixture.hmacKey(keyID)).sign(IDTokenClaims())
                    : try TokenSigner(key: TokenFixture.signingKey(.es256, keyID: keyID)).sign(
                        IDTokenClaims())
            case .garbage:
                // Three parts of base64url of the right lengths that hold no JSON.
                return parts.map { String(repeating: "A", count: $0.utf8.count) }.joined(separator: ".")
            case .wrongAlgorithm:
                let header = "{\"alg\":\"HS512\",\"typ\":\"JWT\",\"kid\":\"\(Expected.keyID)\"}"
                return "\(Base64URL.encode(Array(header.utf8))).\(parts[1]).\(parts[2])"
            case .expired: return fixture.token
            }
        }

        func verifier(_ fixture: TokenFixture, isHMAC: Bool) throws -> TokenVerifier {
            guard self == .expired else { return fixture.verifier }
            let policy = try TokenFixture.policy(
                clock: .fixed(secondsSince1970: Double(Expected.expiration) + 3600))
            return isHMAC
                ? try TokenVerifier(hmacKey: TokenFixture.hmacKey(Expected.keyID), policy: policy)
                : try TokenVerifier(
                    keys: KeySet([
                        TokenFixture.signingKey(.es256, keyID: Expected.keyID).verificationKey
                    ]), policy: policy)
        }

        /// One character in the middle, where it belongs to whole octets.
        private func altered(_ part: Substring) -> String {
            var bytes = Array(part.utf8)
            let middle = bytes.count / 2
            bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
