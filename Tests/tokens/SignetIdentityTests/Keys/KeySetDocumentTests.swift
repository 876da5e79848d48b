// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Remote keys: what servers send")
struct KeySetDocumentTests {
    struct BadAnswer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: FakeTransport.Answer
        let code: KeySourceError.Code

        init(_ name: String, _ answer: FakeTransport.Answer, _ code: KeySourceError.Code) {
            testDescription = name
            self.answer = answer
            self.code = code
        }
    }

    static let badAnswers: [BadAnswer] = [
        BadAnswer("HTML", .body("<!doctype html><title>Maintenance</title>"), .invalidDocument),
        BadAnswer("nothing", .body(""), .invalidDocument),
        BadAnswer("another object", .body("{\"error\":\"rate limited\"}"), .invalidDocument),
        BadAnswer("an array", .body("[]"), .invalidDocument),
        BadAnswer("keys that are no array", .body("{\"keys\":{}}"), .invalidDocument),
        BadAnswer("keys twice", .body("{\"keys\":[],\"keys\":[]}"), .invalidDocument),
        BadAnswer("JSON that is cut off", .body("{\"keys\":[{\"kty\":\"EC\","), .invalidDocument),
        BadAnswer("two byte-order marks", .body("\u{feff}\u{feff}{\"keys\":[]}"), .invalidDocument),
        BadAnswer("an empty set", .body("{\"keys\":[]}"), .noUsableKeys),
        BadAnswer("members that are no keys", .body("{\"keys\":[1,null,\"x\",{}]}"), .noUsableKeys),
        BadAnswer(
            "a secret", .body("{\"keys\":[{\"kty\":\"oct\",\"kid\":\"a\",\"k\":\"AAAA\"}]}"),
            .noUsableKeys),
        BadAnswer(
            "101 members",
            .body("{\"keys\":[" + Array(repeating: "{}", count: 101).joined(separator: ",") + "]}"),
            .tooLarge),
        BadAnswer("status 204", .status(204), .status),
        BadAnswer("status 206", .status(206, body: "{\"keys\":[]}"), .status),
        BadAnswer("status 304", .status(304), .status),
        BadAnswer("status 404", .status(404), .status),
        BadAnswer("status 500", .status(500, body: "{\"keys\":[]}"), .status),
        BadAnswer("status -1", .status(-1), .status),
        BadAnswer("unreachable", .failure(TransportFailure(.unreachable, "refused")), .unreachable),
        BadAnswer(
            "untrusted", .failure(TransportFailure(.notTrusted, "certificate")), .unreachable),
        BadAnswer("timed out", .failure(TransportFailure(.timedOut, "")), .timedOut),
        BadAnswer(
            "too large for the transport", .failure(TransportFailure(.bodyTooLarge, "")), .tooLarge),
        BadAnswer(
            "5 MB from a transport without a limit",
            .success(
                TransportResponse(status: 200, body: [UInt8](repeating: 0x20, count: 5_000_000))),
            .tooLarge),
    ]

    @Test("A bad document fails with its code, and the current keys stay", arguments: badAnswers)
    func failures(bad: BadAnswer) async throws {
        let source = try Source(FakeTransport(bad.answer))
        #expect(await code { () throws(KeySourceError) in try await source.set.keys() } == bad.code)
        #expect(source.events.all.last?.kind == .refreshFailed)
        #expect(source.events.all.last?.error?.code == bad.code)
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        _ = try await source.set.refresh()
        source.transport.set(bad.answer)
        #expect(
            await code { () throws(KeySourceError) in try await source.set.refresh() } == bad.code)
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
    }

    @Test("A set with unusable members loads the good ones, and reports the others")
    func skipped() async throws {
        let good = try PublishedTestKeys.member("one")
        let other = try PublishedTestKeys.member("two")
        let members = [
            "{\"kty\":\"AKP\",\"kid\":\"new\"}", good,
            "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"AAAA\"}",
            good.replacing("\"one\"", with: "\"encrypts\"").replacing("\"sig\"", with: "\"enc\""),
            other,
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"off\",\"x\":\"AAAA\",\"y\":\"AAAA\"}", "7",
        ]
        let source = try Source(
            FakeTransport(body: "{\"keys\":[\(members.joined(separator: ","))]}"))
        #expect(try await source.set.keys().keyIDs == ["one", "two"])
        let skipped = try #require(source.events.all.last?.skipped)
        #expect(skipped.map(\.index) == [0, 2, 3, 5, 6])
        #expect(skipped.map(\.keyID) == ["new", "secret", "encrypts", "off", nil])
        #expect(
            skipped.map(\.reason.code) == [
                .unsupportedKeyType, .wrongKeyClass, .operationNotAllowed, .invalidKeyMaterial,
                .malformed,
            ])
    }

    @Test("A key published with its private half is skipped, since anyone can sign with it")
    func privateHalves() async throws {
        let good = try PublishedTestKeys.member("one")
        let leaked = ["d", "p", "q", "dp", "dq", "qi"].map { name in
            "\(good.replacing("\"one\"", with: "\"\(name)\"").dropLast()),\"\(name)\":\"AQ\"}"
        }
        let whole = try SigningKey.generate(.es256, keyID: "whole").exportPrivateJSON()
            .withExposedBytes {
                bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
        let source = try Source(
            FakeTransport(body: "{\"keys\":[\((leaked + [whole, good]).joined(separator: ","))]}"))
        #expect(try await source.set.keys().keyIDs == ["one"])
        let skipped = try #require(source.events.all.last?.skipped)
        #expect(skipped.map(\.keyID) == ["d", "p", "q", "dp", "dq", "qi", "whole"])
        #expect(skipped.allSatisfy { $0.reason.code == .privateKeyPublished })
        let alone = try Source(FakeTransport(body: "{\"keys\":[\(whole)]}"))
        #expect(
            await code { () throws(KeySourceError) in try await alone.set.keys() } == .noUsableKeys)
    }

    @Test("Keys of algorithms that are not accepted are skipped")
    func algorithms() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one"))) {
            $0.algorithms = [.rs256]
        }
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .noUsableKeys
        )
    }

    @Test("An RSA key without an algorithm becomes RS256 where that is accepted, else what is")
    func unmarkedRSA() async throws {
        let key = try RSAPrivateKey.generate()
        let (modulus, exponent) = (
            Base64URL.encode(key.publicKey.modulus), Base64URL.encode(key.publicKey.exponent)
        )
        let document =
            "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"r\",\"n\":\"\(modulus)\",\"e\":\"\(exponent)\"}]}"
        for (accepted, expected) in [
            ([SignatureAlgorithm.ps256, .rs256], SignatureAlgorithm.rs256),
            ([.es256, .ps384], .ps384),
            // One algorithm per key: a program that needs another leaves RS256 out.
            ([.rs256, .rs512], .rs256), ([.rs512], .rs512), ([.rs512, .rs384], .rs512),
        ] {
            let source = try Source(FakeTransport(body: document)) { $0.algorithms = accepted }
            #expect(try await source.set.keys().keys.keys.map(\.algorithm) == [expected])
        }
        let none = try Source(FakeTransport(body: document)) { $0.algorithms = [.es256] }
        #expect(
            await code { () throws(KeySourceError) in try await none.set.keys() } == .noUsableKeys)
    }

    @Test("Up to 100 members are read, or as many as the options say")
    func limits() async throws {
        let hundred = [try PublishedTestKeys.member("one")] + Array(repeating: "{}", count: 99)
        let document = "{\"keys\":[\(hundred.joined(separator: ","))]}"
        let source = try Source(FakeTransport(body: document))
        #expect(try await source.set.keys().keyIDs == ["one"])
        let narrow = try Source(FakeTransport(body: document)) { $0.maximumKeyCount = 99 }
        #expect(
            await code { () throws(KeySourceError) in try await narrow.set.keys() } == .tooLarge)
        let short = try Source(FakeTransport(body: document)) {
            $0.maximumByteCount = document.utf8.count - 1
        }
        #expect(await code { () throws(KeySourceError) in try await short.set.keys() } == .tooLarge)
        let exact = try Source(FakeTransport(body: document)) {
            $0.maximumByteCount = document.utf8.count
        }
        #expect(try await exact.set.keys().keyIDs == ["one"])
        #expect(exact.transport.requests.all.first?.maximumBodyByteCount == document.utf8.count)
    }

    @Test("A key carries its issuer; an unclear issuer equals none")
    func issuers() async throws {
        let (one, two, three) = (
            try PublishedTestKeys.member("one").dropLast(),
            try PublishedTestKeys.member("two").dropLast(),
            try PublishedTestKeys.member("three").dropLast()
        )
        let members = [
            one + ",\"issuer\":\"https://login.example/{tenantid}/v2.0\"}", two + ",\"issuer\":7}",
            three + ",\"issuer\":\"https://a.example\"}",
            "{\"kid\":\"three\",\"issuer\":\"https://b.example\"}",
            "{\"kid\":\"four\",\"issuer\":null}",
        ]
        let source = try Source(
            FakeTransport(body: "{\"keys\":[\(members.joined(separator: ","))]}"))
        let snapshot = try await source.set.keys()
        let issuers = ["one", "two", "three", "four"].map {
            snapshot.issuers[ReceivedText($0).key]?.swiftString()
        }
        #expect(issuers == ["https://login.example/{tenantid}/v2.0", "", "", ""])
        #expect(snapshot.issuers.count == 4)
        #expect(snapshot.keyIDs == ["one", "two", "three"])
    }

    @Test(
        "A kid of combining characters is cheap, and skipped over 1,024 bytes"
    )
    func longKeyIDs() async throws {
        let good = try PublishedTestKeys.member("one")
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 100_000)
        let long = try PublishedTestKeys.member("two").replacing("\"two\"", with: "\"\(marks)\"")
            .dropLast()
        let source = try Source(
            FakeTransport(body: "{\"keys\":[\(long),\"issuer\":\"x\"},\(good)]}"))
        let snapshot = try await source.set.keys()
        #expect(snapshot.keyIDs == ["one"])
        #expect(snapshot.keys.skipped.map(\.keyID) == [nil])
        #expect(snapshot.keys.skipped.map(\.reason.code) == [.tooLarge])
    }

    @Test("An event's line contains no line breaks from the server")
    func descriptions() async throws {
        let body = try PublishedTestKeys.jwks("one").replacing(
            "\"one\"", with: "\"a\\u000aforged: line\\u001b[2J\"")
        let source = try Source(FakeTransport(body: body))
        _ = try await source.set.keys()
        for event in source.events.all {
            #expect(event.description.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(event)")
        }
    }
}
