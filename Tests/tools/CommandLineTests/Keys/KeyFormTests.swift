// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("Forms of key files")
struct KeyFormTests {
    private func thumbprint(_ folder: CommandFolder, _ name: String) -> Outcome {
        CommandFolder.inProcess(["jwk", "thumbprint", "--key", folder.path(name)])
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
        let folder = try CommandFolder()
        let lines = pem.split(separator: "\n")
        try folder.write("key.pem", pem)
        try folder.write("key.der", Self.der(pem))
        try folder.write("line.pem", lines.joined(separator: " "))
        try folder.write("quoted.pem", "\"\(lines.joined(separator: "\\n"))\"\n")
        let wanted = thumbprint(folder, "key.pem")
        #expect(wanted.isGood, "\(wanted)")
        for name in ["key.der", "line.pem", "quoted.pem"] {
            let outcome = thumbprint(folder, name)
            #expect(outcome.isGood && outcome.line == wanted.line, "\(outcome)")
        }
        try folder.write("trailing.der", Self.der(pem) + [0x0a])
        #expect(thumbprint(folder, "trailing.der").failed(1, "invalidKeyMaterial"))
    }

    @Test("Other files in DER are named")
    func otherDER() throws {
        let folder = try CommandFolder()
        try folder.write("time.der", [0x30, 0x82, 0x00, 0x02, 0x01, 0x00])
        #expect(thumbprint(folder, "time.der").failed(1, "malformed"))
        try folder.write("word.txt", [0xff, 0xfe, 0x2d, 0x00])
        let wide = thumbprint(folder, "word.txt")
        #expect(wide.failed(1, "malformed") && wide.errors.contains("UTF-16"), "\(wide)")
    }

    @Test("A bare array of JWKs is a set")
    func bareArray() throws {
        let folder = try CommandFolder()
        let one = try Keys.json("ES256")
        let two = try Keys.json("ES384")
        try folder.write("one.json", " [\(one)]")
        try folder.write("two.json", "[\(one),\(two)]", permissions: 0o640)
        try folder.write("set.json", "{\"keys\":[\(one),\(two)]}")
        #expect(CommandFolder.inProcess(["jws", "sign", "--key", folder.path("one.json")]).isGood)
        #expect(thumbprint(folder, "two.json").failed(2, "usage"))
        let bare = CommandFolder.inProcess(["jwk", "public", "--key", folder.path("two.json")])
        let set = CommandFolder.inProcess(["jwk", "public", "--key", folder.path("set.json")])
        #expect(bare.status == 0 && bare.output == set.output, "\(bare)")
        #expect(bare.errors.contains("warning: other users can read"), "\(bare)")
        let secret = try Keys.json("HS256")
        try folder.write("secrets.json", "[\(secret)]")
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("secrets.json")], input: [0x78])
        #expect(token.isGood, "\(token)")
        let verified = CommandFolder.inProcess([
            "jws", "verify", "--key", folder.path("secrets.json"), token.line,
        ])
        #expect(verified.isGood && verified.text == "x", "\(verified)")
        // Words before PEM may begin with a bracket.
        let pem = "[1] {a}\n" + TestPublicPEM.p256
        try folder.write("note.pem", pem)
        #expect(thumbprint(folder, "note.pem").isGood)
    }
}
