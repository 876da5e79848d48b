// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A machine that cannot compute does not make a token bad, and no token makes the machine look
/// broken.
@Suite("Faults of the machine")
struct SickMachine {
    private static let answers: [String: Set<String>] = [
        "good": ["valid", "libraryFailure"], "bad": ["signatureInvalid", "libraryFailure"],
    ]

    @Test(
        "Without memory or providers for libcrypto a token is a fault, never valid or invalid",
        arguments: ["memory", "properties"])
    func faults(_ fault: String) throws {
        let (status, lines) = try BuiltProgram.lines("token-worker", [fault])
        #expect(status == 0)
        if lines == ["unavailable"] { return print("\(fault): not under a sanitizer") }
        var seen: [String: Int] = [:]
        for line in lines {
            // ALG good|bad cold|warm MODE REQUEST ANSWER
            let words = line.split(separator: " ").map(String.init)
            try #require(words.count == 6, "\(line)")
            let allowed = try #require(Self.answers[words[1]])
            // If only one request fails, OpenSSL 3.0 rejects these without giving a reason.
            let isSilent = words[3] == "at" && ["PS256", "EdDSA"].contains(words[0])
            #expect(
                allowed.contains(words[5]) || (isSilent && words[5] == "signatureInvalid"),
                "\(line)")
            // A fault leaves nothing behind.
            if words[4] == "end" || words[3] == "with" {
                #expect(words[5] != "libraryFailure", "\(line)")
            }
            seen[words[5], default: 0] += 1
        }
        print("\(fault): \(seen)")
        #expect(seen["libraryFailure", default: 0] > 0)
        #expect(seen["valid", default: 0] > 0 && seen["signatureInvalid", default: 0] > 0)
    }

    /// What libcrypto makes once per process may fail, and so may Signet's own.
    @Test(
        "A first use without memory is a fault, and a later use works",
        arguments: ["RS256", "ES256", "EdDSA", "HS256"])
    func firstUse(_ name: String) throws {
        let keys: String
        let token: String
        if let algorithm = SignatureAlgorithm(name: name) {
            let key = try SigningKey.generate(algorithm, keyID: "own")
            keys = try KeySet([key.verificationKey]).jwksJSON()
            token = try JWSSigner(key: key).sign([1])
        } else {
            let key = try HMACKey.generate(.hs256, keyID: "own")
            keys = try #"{"keys":[\#(key.exportPrivateJSON().exposedText())]}"#
            token = try JWSSigner(hmacKey: key).sign([1])
        }
        var seen: [String: Int] = [:]
        // libcrypto makes its context, then what is fetched, then the key.
        for request in [0, 20, 40] + Array(48...60) {
            let (status, lines) = try BuiltProgram.lines(
                "token-worker", ["first", keys, token, "\(request)"])
            #expect(status == 0, "\(name), request \(request): status \(status)")
            guard let words = lines.first?.split(separator: " ").map(String.init) else { continue }
            if words == ["unavailable"] { return print("not under a sanitizer") }
            try #require(words.count == 3, "\(lines)")
            #expect(
                ["valid", "libraryFailure"].contains(words[1]),
                "\(name), request \(request): \(words)")
            #expect(
                ["valid", "libraryFailure"].contains(words[2]),
                "\(name), request \(request): \(words)")
            seen["\(words[1]), then \(words[2])", default: 0] += 1
            if words[0] == "end" { break }
        }
        print("\(name), first use without memory: \(seen)")
        #expect(seen["libraryFailure, then valid", default: 0] > 0)
    }

    @Test("No bad signature is reported as a fault", arguments: SignatureAlgorithm.allCases)
    func signatures(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let header = Forge.encoded(TestKeys.header(algorithm.name))
        let payload = Forge.encoded(TestClaims.json)
        let random = (0..<1_200).map { _ in UInt8.random(in: .min ... .max) }
        var codes: [String: Int] = [:]
        for count in 0..<600 {
            for signature in [
                Array(random[count..<2 * count]), Array(repeating: 0, count: count),
                Array(repeating: 0xff, count: count),
            ] {
                let token = "\(header).\(payload).\(Base64URL.encode(signature))"
                codes[
                    refusal { try verifier.verify(token) }?.code.rawValue ?? "valid", default: 0] +=
                    1
            }
        }
        #expect(codes == ["signatureInvalid": 1_800])
    }
}
