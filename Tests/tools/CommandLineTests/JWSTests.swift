// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jws")
struct JWSTests {
    static let payloads: [[UInt8]] = [
        [], [0], Array("hello\n".utf8), Array(0...255), [0xff, 0xfe, 0x0a, 0x0d, 0x0a],
        Array("{\"a\":1}".utf8),
        Array(repeating: 0x2e, count: 100_000),
    ]

    @Test(
        "Every algorithm signs and verifies every payload, from JWK and PEM, argument and stdin",
        .tags(.commandLine),
        arguments: Keys.all)
    func roundTrip(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let isHMAC = Keys.hmac.contains(algorithm)
        for payload in Self.payloads {
            let signed = try folder.signet(["jws", "sign", "--key", "key.json"], input: payload)
            #expect(signed.isGood, "\(signed)")
            let verified = try folder.signet(
                ["jws", "verify", "--key", isHMAC ? "key.json" : "jwks.json"], input: signed.output)
            #expect(
                verified.isGood && verified.output == payload,
                "\(algorithm), \(payload.count) bytes: \(verified)")
        }
        try folder.write("message", "hello")
        let token = try folder.signet(
            "jws sign --key key.json --input message --type JOSE --content-type text/plain"
        ).line
        let outcome = try folder.signet([
            "jws", "verify", "--json", "--key", "key.json", "--", token,
        ])
        let keyID = try JWK(folder.text("key.json")).keyID
        var header: [String: JSONValue] = [
            "alg": .string(algorithm), "typ": .string("JOSE"), "cty": .string("text/plain"),
        ]
        if let keyID { header["kid"] = .string(keyID) }
        var expected: [String: JSONValue] = [
            "valid": .bool(true), "payload": .string("aGVsbG8"), "header": .object(header),
        ]
        if let keyID { expected["keyID"] = .string(keyID) }
        #expect(try outcome.isGood && outcome.json == .object(expected), "\(outcome)")
        guard !isHMAC else { return }
        try folder.write(
            "public.pem", folder.signet("jwk convert --key key.json --to public-pem").output)
        let pem = try folder.signet([
            "jws", "verify", "--key", "public.pem", "--algorithm", algorithm, token,
        ])
        #expect(pem.isGood && pem.text == "hello", "\(pem)")
    }

    @Test(
        "The algorithm must be named where the key does not name it",
        .tags(.commandLine))
    func algorithmRequired() throws {
        let folder = try CommandFolder()
        try folder.signet("jwk generate --algorithm RS256 --pem --output key.pem")
        #expect(try folder.signet("jws sign --key key.pem").failed(2, "algorithmRequired"))
        #expect(
            try folder.signet("jws verify --key key.pem", input: "a.b.c").failed(
                2, "algorithmRequired"))
        try folder.write(
            "oct.json", "{\"kty\":\"oct\",\"k\":\"" + String(repeating: "AB", count: 40) + "\"}")
        #expect(try folder.signet("jws sign --key oct.json").failed(2, "algorithmRequired"))
        #expect(try folder.signet("jws sign --key oct.json --algorithm RS256").failed(2, "usage"))
        #expect(
            try folder.signet("jws sign --key oct.json --algorithm HS512").failed(1, "keyTooShort"))
        let signed = try folder.signet(
            "jws sign --key oct.json --algorithm HS256 --json", input: "x"
        )
        .json
        #expect(signed.names == ["algorithm", "token"])
        let token = try #require(signed["token"]?.text)
        #expect(
            try folder.signet("jws verify --key oct.json --algorithm HS256 \(token)").text == "x")
        #expect(
            try folder.signet("jws verify --key oct.json --algorithm HS384 \(token)").failed(
                1, "algorithmNotAllowed"))
    }

    @Test("Signing takes a private key that may sign", .tags(.commandLine))
    func signingKeys() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let json = try folder.text("key.json").dropLast(1)
        try folder.write(
            "enc.json", json.replacingOccurrences(of: "\"sig\"", with: "\"enc\"") + "}")
        try folder.write("ops.json", json + ",\"key_ops\":[\"verify\"]}")
        #expect(try folder.signet("jws sign --key jwks.json").failed(1, "privateKeyRequired"))
        #expect(try folder.signet("jws sign --key enc.json").failed(1, "operationNotAllowed"))
        #expect(try folder.signet("jws sign --key ops.json").failed(1, "operationNotAllowed"))
        #expect(
            try folder.signet("jws sign --key key.json --algorithm ES384").failed(
                1, "algorithmMismatch"))
        #expect(try folder.signet("jws sign --key key.json --algorithm HS256").failed(2, "usage"))
        #expect(try folder.signet("jws sign --key key.json --input absent").failed(3, "system"))
    }

    @Test(
        "The longest payload is signed and verified, and one more byte is refused",
        .tags(.commandLine))
    func limits() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", Keys.json("HS256"))
        let limit = (1 << 26) / 4 * 3 - 65_536
        let ok = try folder.bash(
            "head -c \(limit) /dev/zero | \"$SIGNET\" jws sign --key key.json | \"$SIGNET\" jws verify --key key.json | cksum"
        )
        let sum = try folder.bash("head -c \(limit) /dev/zero | cksum")
        #expect(ok.isGood && ok.output == sum.output, "\(ok)")
        let more = try folder.bash(
            "head -c \(limit + 1) /dev/zero | \"$SIGNET\" jws sign --key key.json")
        #expect(more.failed(1, "tooLarge"), "\(more)")
        let endless = try folder.bash("\"$SIGNET\" jws verify --key key.json < /dev/zero")
        #expect(endless.failed(1, "tooLarge"), "\(endless)")
    }
}
