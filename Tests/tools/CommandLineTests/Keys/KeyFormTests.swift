// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("Forms of key files")
struct KeyFormTests {
    private func thumbprint(_ desk: Desk, _ name: String) -> Outcome {
        Desk.inProcess(["jwk", "thumbprint", "--key", desk.path(name)])
    }

    private static func der(_ pem: String) -> [UInt8] {
        let lines = pem.split(separator: "\n")
        let start = lines.lastIndex { $0.hasPrefix("-----BEGIN") } ?? 0
        return Base64Standard.decode(Array(lines[(start + 1)...].dropLast().joined().utf8).span)
            ?? []
    }

    @Test(
        "DER, PEM on one line and PEM in quotation marks are the key that PEM is",
        arguments: [
            TestPrivatePEM.rsa, TestPrivatePEM.rsaPKCS1, TestPrivatePEM.p256,
            TestPrivatePEM.p256SEC1, TestPrivatePEM.ed25519, TestPublicPEM.rsa,
            TestPublicPEM.rsaPKCS1, TestPublicPEM.p256, TestPublicPEM.ed25519,
        ])
    func forms(_ pem: String) throws {
        let desk = try Desk()
        let lines = pem.split(separator: "\n")
        try desk.write("key.pem", pem)
        try desk.write("key.der", Self.der(pem))
        try desk.write("line.pem", lines.joined(separator: " "))
        try desk.write("quoted.pem", "\"\(lines.joined(separator: "\\n"))\"\n")
        let wanted = thumbprint(desk, "key.pem")
        #expect(wanted.isGood, "\(wanted)")
        for name in ["key.der", "line.pem", "quoted.pem"] {
            let outcome = thumbprint(desk, name)
            #expect(outcome.isGood && outcome.line == wanted.line, "\(outcome)")
        }
        try desk.write("trailing.der", Self.der(pem) + [0x0a])
        #expect(thumbprint(desk, "trailing.der").failed(1, "invalidKeyMaterial"))
    }

    @Test("Other files in DER are named")
    func otherDER() throws {
        let desk = try Desk()
        try desk.write("time.der", [0x30, 0x82, 0x00, 0x02, 0x01, 0x00])
        #expect(thumbprint(desk, "time.der").failed(1, "malformed"))
        try desk.write("word.txt", [0xff, 0xfe, 0x2d, 0x00])
        let wide = thumbprint(desk, "word.txt")
        #expect(wide.failed(1, "malformed") && wide.errors.contains("UTF-16"), "\(wide)")
    }

    @Test("A bare array of JWKs is a set")
    func bareArray() throws {
        let desk = try Desk()
        let one = try Keys.json("ES256")
        let two = try Keys.json("ES384")
        try desk.write("one.json", " [\(one)]")
        try desk.write("two.json", "[\(one),\(two)]", permissions: 0o640)
        try desk.write("set.json", "{\"keys\":[\(one),\(two)]}")
        #expect(Desk.inProcess(["jws", "sign", "--key", desk.path("one.json")]).isGood)
        #expect(thumbprint(desk, "two.json").failed(2, "usage"))
        let bare = Desk.inProcess(["jwk", "public", "--key", desk.path("two.json")])
        let set = Desk.inProcess(["jwk", "public", "--key", desk.path("set.json")])
        #expect(bare.status == 0 && bare.output == set.output, "\(bare)")
        #expect(bare.errors.contains("warning: other users can read"), "\(bare)")
        let secret = try Keys.json("HS256")
        try desk.write("secrets.json", "[\(secret)]")
        let token = Desk.inProcess(
            ["jws", "sign", "--key", desk.path("secrets.json")], input: [0x78])
        #expect(token.isGood, "\(token)")
        let verified = Desk.inProcess([
            "jws", "verify", "--key", desk.path("secrets.json"), token.line,
        ])
        #expect(verified.isGood && verified.text == "x", "\(verified)")
        // Words before PEM may begin with a bracket.
        let pem = "[1] {a}\n" + TestPublicPEM.p256
        try desk.write("note.pem", pem)
        #expect(thumbprint(desk, "note.pem").isGood)
    }
}
