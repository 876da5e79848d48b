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
        // libcrypto makes its context, then what is fetched, then the key. A later use makes again
        // what is made at the end of one of these; where that is differs from version to version.
        guard
            let fatal = try last(keys, token, where: { $0.dropFirst().first == "libraryFailure" }),
            let made = try last(keys, token, where: { $0.first != "end" })
        else { return print("not under a sanitizer") }
        var seen: [String: Int] = [:]
        let ends = [fatal, made].flatMap { Array(max(0, $0 - 12)...$0) }
        // If only one request fails, OpenSSL 3.0 rejects an EdDSA signature without giving a reason.
        let first = Set(
            ["valid", "libraryFailure"] + (name == "EdDSA" ? ["signatureInvalid"] : []))
        for request in [0, made / 3, made * 2 / 3] + ends {
            let words = try #require(try firstUse(keys, token, failing: request))
            try #require(words.count == 3, "\(words)")
            #expect(first.contains(words[1]), "\(name), request \(request): \(words)")
            #expect(
                ["valid", "libraryFailure"].contains(words[2]),
                "\(name), request \(request): \(words)")
            seen["\(words[1]), then \(words[2])", default: 0] += 1
        }
        print("\(name), first use without memory, requests up to \(fatal) and \(made): \(seen)")
        #expect(seen["libraryFailure, then valid", default: 0] > 0)
    }

    /// The last request for memory of a first use whose failure has such a result, where all before
    /// have it; nil under a sanitizer.
    private func last(_ keys: String, _ token: String, where isSuch: ([String]) -> Bool) throws
        -> Int?
    {
        var (such, other) = (0, 1 << 17)
        while other - such > 1 {
            let middle = (such + other) / 2
            guard let words = try firstUse(keys, token, failing: middle) else { return nil }
            if isSuch(words) { such = middle } else { other = middle }
        }
        return such
    }

    /// What `token-worker` says of a first use without one request for memory, and of the use after
    /// it; nil under a sanitizer.
    private func firstUse(_ keys: String, _ token: String, failing request: Int) throws
        -> [String]?
    {
        let (status, lines) = try BuiltProgram.lines(
            "token-worker", ["first", keys, token, "\(request)"])
        #expect(status == 0, "request \(request): status \(status)")
        let words = try #require(lines.first).split(separator: " ").map(String.init)
        return words == ["unavailable"] ? nil : words
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
