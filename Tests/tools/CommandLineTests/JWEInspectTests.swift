// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Testing

@Suite("signet jwt inspect and encrypted tokens")
struct JWEInspectTests {
    private func inspect(_ header: String, _ options: String = "") -> Outcome {
        CommandFolder.inProcess("jwt inspect \(options)", input: Self.token(header))
    }

    static func token(_ header: String, rest: String = ".AAAA.AAAA.AAAA.AAAA") -> String {
        Base64URL.encode(header.utf8) + rest
    }

    @Test("The header is shown, and which key and command decrypt the rest")
    func shown() throws {
        let header =
            #"{"alg":"RSA-OAEP","enc":"A256GCM","kid":"k\#u{9b}","typ":"JWT","cty":"JWT"}"#
        let wanted = """
            NOT VERIFIED: anyone can write this.
            header: {"alg":"RSA-OAEP","enc":"A256GCM","kid":"k\\u009b","typ":"JWT","cty":"JWT"}
            content: encrypted. It takes a private RSA key, which "kid" names:
                     signet jwe decrypt --key FILE --algorithm RSA-OAEP --content A256GCM

            """
        let plain = inspect(header)
        #expect(plain.isGood && plain.text == wanted, "\(plain)")
        let pasted = CommandFolder.inProcess(["jwt", "inspect", "Bearer \(Self.token(header))"])
        #expect(pasted.isGood && pasted.text == wanted, "\(pasted)")
        let json = inspect(header, "--json")
        #expect(try json.json.names == ["encrypted", "header", "neededKey", "verified"])
        #expect(try json.json["verified"] == .bool(false) && json.json["encrypted"] == .bool(true))
        #expect(try json.json["header"]?["kid"]?.text == "k\u{9b}")
        #expect(
            try json.json["neededKey"]?.text == #"a private RSA key, which "kid" names"#, "\(json)")
    }

    @Test(
        "The key is named by its kind and size",
        arguments: [
            (#"{"alg":"dir","enc":"A256CBC-HS512"}"#, "a shared key of 64 bytes:"),
            (#"{"alg":"dir","enc":"A192GCM"}"#, "a shared key of 24 bytes:"),
            (#"{"alg":"A128KW","enc":"A256GCM"}"#, "a shared key of 16 bytes:"),
            (
                #"{"alg":"ECDH-ES","enc":"A256GCM","epk":{"kty":"OKP","crv":"X25519","x":"AA"}}"#,
                "a private key on X25519:"
            ),
            (
                #"{"alg":"ECDH-ES+A256KW","enc":"A128GCM","epk":{"crv":"P-521"}}"#,
                "a private key on P-521:"
            ),
            (#"{"alg":"RSA-OAEP-512","enc":"A128GCM"}"#, "a private RSA key:"),
        ])
    func keys(_ header: String, _ key: String) {
        let outcome = inspect(header)
        #expect(outcome.isGood && outcome.text.contains("It takes \(key)\n"), "\(outcome)")
    }

    @Test(
        "What Signet decrypts with no key is said, without a word of the token's",
        arguments: [
            (#"{"alg":"RSA1_5","enc":"A256GCM"}"#, #""alg" is none of dir, A128KW"#),
            (#"{"alg":"A128\#u{212a}W","enc":"A256GCM"}"#, #""alg" is none of"#),
            (#"{"alg":"dir","enc":"A256GCM "}"#, #""enc" is none of A128GCM"#),
            (#"{"alg":"dir","enc":"A256GCM","zip":"DEF"}"#, #"its header has "zip""#),
            (#"{"alg":"dir","enc":"A256GCM","crit":["x"]}"#, #"its header has "crit""#),
            (#"{"alg":"ECDH-ES","enc":"A256GCM"}"#, #""epk" is on none of P-256"#),
            (
                #"{"alg":"ECDH-ES","enc":"A256GCM","epk":{"crv":"secp256k1"}}"#,
                #""epk" is on none of"#
            ),
        ])
    func notHere(_ header: String, _ reason: String) throws {
        let outcome = inspect(header)
        #expect(outcome.isGood, "\(outcome)")
        #expect(
            outcome.text.contains("content: encrypted. Signet does not decrypt it: \(reason)"),
            "\(outcome)")
        #expect(!outcome.text.contains("--key"), "\(outcome)")
        #expect(try inspect(header, "--json").json.names == ["encrypted", "header", "verified"])
    }

    @Test("A header that is too large to be decrypted is shown, without a command")
    func largeHeaders() {
        let text = String(repeating: "a", count: 4_000)
        let list = [String](repeating: "0", count: 64).joined(separator: ",")
        for (member, reason) in [
            ("\"\(text)\"", "characters, more than 4096"), ("[\(list)]", "more than 64 names"),
        ] {
            let outcome = inspect(#"{"alg":"dir","enc":"A256GCM","x":\#(member)}"#)
            #expect(outcome.isGood && outcome.text.contains("its header has"), "\(outcome)")
            #expect(outcome.text.contains(reason) && !outcome.text.contains("--key"), "\(outcome)")
        }
    }

    @Test(
        "What no reader takes is not shown",
        arguments: [
            token(#"{"alg":"dir","enc":"A256GCM"}"#, rest: ".AA.AA.A*.AA"),
            token(#"{"alg":"dir","enc":"A256GCM"}"#, rest: ".AA.AA.AA"),
            token(#"{"alg":"dir","enc":"A256GCM"}"#, rest: ".AA.AA.AA.AA.AA"),
            token(#"{"alg":"dir","enc":"A256GCM","enc":"A256GCM"}"#), token(#"{"alg":"dir"}"#),
            token(#"{"enc":"A256GCM"}"#), token(#"{"alg":1,"enc":"A256GCM"}"#),
            token(#"{"alg":"dir","enc":"A256GCM","kid":null}"#), token("{"), token("[]"),
            "....", "a.b.c.d.e",
        ])
    func malformed(_ text: String) {
        let outcome = CommandFolder.inProcess("jwt inspect", input: text)
        #expect(outcome.failed(1, "malformed"), "\(outcome)")
    }

    @Test("A token over the limit of a decrypter is not shown")
    func tooLarge() {
        let rest = "..AAAA." + String(repeating: "A", count: JWEDecrypter.maximumByteCount) + ".AA"
        let outcome = CommandFolder.inProcess(
            "jwt inspect", input: Self.token(#"{"alg":"dir","enc":"A256GCM"}"#, rest: rest))
        #expect(outcome.failed(1, "tooLarge"), "\(outcome)")
    }
}
