// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Remote keys: X.509 certificates")
struct KeySetCertificateTests {
    private func source(
        _ body: String, at time: Double = TestCertificates.now, _ fields: [String: String] = [:],
        algorithms: [SignatureAlgorithm] = [.rs256]
    ) throws -> Source {
        let source = try Source(
            FakeTransport(.body(body, fields)), location: .certificates(try Source.url)
        ) { $0.algorithms = algorithms }
        source.clock.now = NumericDate(secondsSince1970: time)
        return source
    }

    @Test("A map of certificates becomes RS256 keys with their kids")
    func map() async throws {
        let source = try source(
            TestCertificates.map(("a", TestCertificates.first), ("b", TestCertificates.second)))
        let snapshot = try await source.set.keys()
        #expect(snapshot.keyIDs == ["a", "b"])
        #expect(snapshot.keys.keys.allSatisfy { $0.algorithm == .rs256 && $0.jwk.keyType == "RSA" })
    }

    @Test(
        "A certificate is used from its first valid second to its last",
        arguments: [
            (1_893_455_999, nil), (1_893_456_000, "first"), (1_894_233_599, "first"),
            (1_896_134_400, "both"),
            (1_896_134_401, "second"), (1_896_912_000, "second"), (1_896_912_001, nil), (-1, nil),
            (1e300, nil), (.infinity, nil), (.nan, nil),
        ] as [(Double, String?)])
    func validity(time: Double, usable: String?) async throws {
        let source = try source(
            TestCertificates.map(
                ("first", TestCertificates.first), ("second", TestCertificates.second)),
            at: time)
        guard let usable else {
            #expect(
                await code { () throws(KeySourceError) in try await source.set.keys() }
                    == .noUsableKeys)
            return
        }
        let expected = usable == "both" ? ["first", "second"] : [usable]
        let snapshot = try await source.set.keys()
        #expect(snapshot.keyIDs == expected)
        #expect(snapshot.keys.skipped.count == 2 - expected.count)
        #expect(snapshot.keys.skipped.allSatisfy { $0.reason.code == .notValidNow })
    }

    @Test("Unusable certificates are skipped with a reason, and the rest loads")
    func skipped() async throws {
        var document = TestCertificates.map(
            ("good", TestCertificates.first), ("ec", TestCertificates.ec),
            ("small", TestCertificates.small),
            ("encryption", TestCertificates.encryption),
            ("two", TestCertificates.first + "\n" + TestCertificates.second),
            ("key", TestCertificates.first.replacing("CERTIFICATE", with: "PUBLIC KEY")),
            ("text", "hello"),
            ("cut", "-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----"), ("empty", ""))
        document = document.dropLast() + ",\"number\":7,\"list\":[]}"
        let source = try source(document)
        let snapshot = try await source.set.keys()
        #expect(snapshot.keyIDs == ["good"])
        let reasons = snapshot.keys.skipped.map { ($0.keyID ?? "", $0.reason.code) }
        let expected: [(String, KeyError.Code)] = [
            ("ec", .algorithmMismatch), ("small", .keyTooShort),
            ("encryption", .operationNotAllowed),
            ("two", .malformed), ("key", .malformed), ("text", .malformed), ("cut", .malformed),
            ("empty", .malformed), ("number", .malformed), ("list", .malformed),
        ]
        #expect(reasons.map(\.0) == expected.map(\.0))
        for (reason, expected) in zip(reasons, expected) { #expect(reason == expected) }
    }

    @Test("A P-256 certificate becomes an ES256 key where that is accepted")
    func ecCertificate() async throws {
        let source = try source(
            TestCertificates.map(("ec", TestCertificates.ec)), algorithms: [.es256])
        #expect(try await source.set.keys().keys.keys.map(\.algorithm) == [.es256])
    }

    @Test("The set is refetched when its first certificate expires")
    func lifetime() async throws {
        let certificates = TestCertificates.map(
            ("a", TestCertificates.first), ("b", TestCertificates.second))
        for (left, expected) in [(5_000.0, 5_000), (10, 60), (90_000, 86_400), (0, 60)] {
            let source = try source(
                certificates, at: TestCertificates.endOfFirst - left,
                ["Cache-Control": "max-age=86400"])
            _ = try await source.set.keys()
            #expect(source.events.all.last?.lifetime == .seconds(expected), "\(left)")
        }
    }

    @Test(
        "Anything but a map of certificates fails with its code",
        arguments: [
            ("<html>", .invalidDocument), ("[]", .invalidDocument), ("{}", .noUsableKeys),
            ("{\"keys\":[]}", .noUsableKeys), ("{\"a\":\"x\",\"a\":\"x\"}", .invalidDocument),
            (
                "{" + (0...100).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}", .tooLarge
            ),
        ] as [(String, KeySourceError.Code)])
    func failures(document: String, expected: KeySourceError.Code) async throws {
        let source = try source(document)
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == expected)
    }
}
