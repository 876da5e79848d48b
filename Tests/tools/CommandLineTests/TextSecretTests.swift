// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwt sign and verify with a secret that is not in a key file")
struct TextSecretTests {
    static let secret = "correct horse battery staple, and more words up to 64 bytes or so"
    static let policy = "--any-issuer --any-audience"
    static let claims = #"{"sub":"u"}"#

    /// The program's answer in this process; names of files are those of the folder.
    private func run(_ folder: CommandFolder, _ line: String, input: String = "") -> Outcome {
        let words = line.split(separator: " ").map { word in
            word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
        }
        return CommandFolder.inProcess(words, input: Array(input.utf8))
    }

    private func sign(_ folder: CommandFolder, _ options: String) -> Outcome {
        run(folder, "jwt sign --lifetime 60 \(options)", input: Self.claims)
    }

    private func verify(_ folder: CommandFolder, _ options: String, _ token: String) -> Outcome {
        run(folder, "jwt verify \(Self.policy) \(options)", input: token)
    }

    @Test(
        "Text, base64url and a JWK of one secret sign and verify each other's tokens",
        arguments: ["HS256", "HS384", "HS512"])
    func agreement(_ algorithm: String) throws {
        let folder = try CommandFolder()
        try folder.makeSecret(Self.secret, algorithm)
        try folder.write("text", Self.secret)
        try folder.write("encoded", Base64URL.encode(Self.secret.utf8) + "\n")
        let padding = String(repeating: "=", count: (3 - Self.secret.utf8.count % 3) % 3)
        try folder.write("padded", Base64URL.encode(Self.secret.utf8) + padding)
        let ways = [
            "--key @key.json", "--secret-text @text --algorithm \(algorithm)",
            "--secret-base64url @encoded --algorithm \(algorithm)",
            "--secret-base64url @padded --algorithm \(algorithm)",
        ]
        for way in ways {
            let token = sign(folder, way)
            #expect(token.isGood, "\(way): \(token)")
            for other in ways {
                let verified = verify(folder, other, token.text)
                #expect(try verified.isGood && verified.json["sub"]?.text == "u", "\(other)")
            }
            let json = try sign(folder, way + " --json").json
            #expect(json["algorithm"]?.text == algorithm && json.names == ["algorithm", "token"])
        }
        let token = sign(folder, ways[1]).text
        for other in ["HS256", "HS384", "HS512"] where other != algorithm {
            let outcome = verify(folder, "--secret-text @text --algorithm \(other)", token)
            #expect(outcome.failed(1, "algorithmNotAllowed"), "\(outcome)")
        }
        try folder.write("text", String(Self.secret.reversed()))
        #expect(verify(folder, ways[1], token).failed(1, "signatureInvalid"))
    }

    @Test("One final line end is dropped and said; every other byte belongs to the secret")
    func lineEnds() throws {
        let folder = try CommandFolder()
        try folder.write("plain", Self.secret)
        let token = sign(folder, "--secret-text @plain --algorithm HS256").text
        for (end, isDropped, isSame) in [
            ("", false, true), ("\n", true, true), ("\r\n", true, true), ("\n\n", true, false),
            ("\r", false, false), (" ", false, false), ("\n\r\n", true, false),
            (" \n", true, false),
        ] {
            try folder.write("secret", Self.secret + end)
            let outcome = verify(folder, "--secret-text @secret --algorithm HS256", token)
            #expect(outcome.status == (isSame ? 0 : 1), "\(end.utf8): \(outcome)")
            let isSaid = outcome.errors.contains("line end after the secret in ")
            #expect(isSaid == isDropped && outcome.errors.contains("battery") == false)
        }
        try folder.write("secret", "\n" + Self.secret)
        #expect(
            verify(folder, "--secret-text @secret --algorithm HS256", token)
                .failed(1, "signatureInvalid"))
    }

    @Test(
        "A line that does not say one key and its algorithm is a usage error",
        arguments: [
            "", "--secret-text @s", "--secret-base64url @s", "--secret-text @s --algorithm none",
            "--secret-text @s --algorithm RS256", "--secret-text @s --algorithm hs256",
            "--secret-text @s --algorithm HS256 --key @k",
            "--secret-text @s --algorithm HS256 --secret-base64url @s",
            "--secret-base64url @s --algorithm HS256 --key @k",
        ])
    func usage(_ options: String) throws {
        // Nothing is read: the folder is empty.
        let folder = try CommandFolder()
        for outcome in [sign(folder, options), verify(folder, options, "a.b.c")] {
            #expect(outcome.failed(2, "usage"), "\(outcome)")
        }
        #expect(
            verify(folder, "--key @k --allow-short-secret", "a.b.c").failed(2, "usage"))
        #expect(
            sign(folder, "--secret-text @s --algorithm HS256 --allow-short-secret").failed(
                2, "usage")
        )
        #expect(
            verify(folder, "--secret-text - --algorithm HS256", "a.b.c").failed(2, "usage"))
    }

    @Test("A secret shorter than the hash verifies where the line says so, and never signs")
    func short() throws {
        let folder = try CommandFolder()
        let short = "your-256-bit-secret"
        try folder.write("secret", short)
        try folder.write("encoded", Base64URL.encode(short.utf8))
        let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let input = header + "." + Base64URL.encode(Array(#"{"exp":4000000000}"#.utf8))
        let token =
            try input + "." + Base64URL.encode(Forge.hmac(Array(short.utf8))(Array(input.utf8)))
        for way in ["--secret-text @secret", "--secret-base64url @encoded"] {
            let options = way + " --algorithm HS256"
            let refused = verify(folder, options, token)
            #expect(refused.failed(1, "keyTooShort"), "\(refused)")
            #expect(refused.errors.contains("--allow-short-secret"))
            #expect(verify(folder, options + " --allow-short-secret", token).isGood)
            #expect(sign(folder, options).failed(1, "keyTooShort"))
            #expect(
                verify(folder, way + " --algorithm HS512 --allow-short-secret", token)
                    .failed(1, "algorithmNotAllowed"))
        }
        for text in ["", "\n", "fifteen bytes.."] {
            try folder.write("secret", text)
            let outcome = verify(
                folder, "--secret-text @secret --algorithm HS256 --allow-short-secret", token)
            #expect(outcome.status == 1 && outcome.errors.contains("[keyTooShort]"), "\(outcome)")
        }
    }

    @Test("A key file is never taken for a secret, so a published key signs nothing")
    func keyFiles() throws {
        let folder = try CommandFolder()
        let jwk = try JWK(pem: TestPublicPEM.rsa).publicJSON()
        let der = TestPublicPEM.rsa.split(separator: "\n").dropFirst().dropLast().joined()
        for text in [
            TestPublicPEM.rsa, " \n" + TestPublicPEM.rsa, TestPublicPEM.p256, TestPrivatePEM.rsa,
            jwk, "{\"keys\":[\(jwk)]}", TestPrivateJWK.rsa8192, der,
            "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 someone@somewhere",
        ] {
            try folder.write("file", text)
            try folder.write("encoded", Base64URL.encode(text.utf8))
            // The classic attack: the published key's file is the secret.
            let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
            let input = header + "." + Base64URL.encode(Array(#"{"exp":4000000000}"#.utf8))
            let token =
                try input + "." + Base64URL.encode(Forge.hmac(Array(text.utf8))(Array(input.utf8)))
            for way in ["--secret-text @file", "--secret-base64url @encoded"] {
                for more in ["", " --allow-short-secret"] {
                    let outcome = verify(folder, "\(way) --algorithm HS256\(more)", token)
                    #expect(
                        outcome.status == 1 && outcome.output.isEmpty
                            && outcome.errors.contains("[notASecret]")
                            && outcome.errors.contains("--key FILE"), "\(outcome)")
                }
                #expect(sign(folder, way + " --algorithm HS256").status == 1)
            }
        }
        // Nor a secret for a key file.
        try folder.write("file", Self.secret)
        let outcome = verify(folder, "--key @file --algorithm HS256", "a.b.c")
        #expect(outcome.failed(1, "malformed"), "\(outcome)")
        #expect(outcome.errors.contains("--secret-text '\(folder.path("file"))'"), "\(outcome)")
    }

    @Test("Neither a secret nor a name that may be one is repeated")
    func silence() throws {
        let folder = try CommandFolder()
        let option = "--algorithm HS256"
        for way in ["--secret-text", "--secret-base64url"] {
            let outcome = verify(folder, "\(way) hunter2hunter2hunter2 \(option)", "a.b.c")
            #expect(
                outcome.failed(3, "system") && !outcome.errors.contains("hunter2"), "\(outcome)")
        }
        for text in ["hunter2!hunter2!", "hunter2 hunter2", "hunter2\nhunter2", "hunter2+/AAA"] {
            try folder.write("secret", text)
            let outcome = verify(folder, "--secret-base64url @secret \(option)", "a.b.c")
            #expect(
                outcome.failed(1, "malformed") && !outcome.errors.contains("hunter2"), "\(outcome)")
        }
        try folder.write("secret", String(repeating: "hunter2 ", count: 10_000))
        let long = verify(folder, "--secret-text @secret \(option)", "a.b.c")
        #expect(long.failed(1, "tooLarge") && !long.errors.contains("hunter2"), "\(long)")
        try folder.write("secret", Self.secret, permissions: 0o644)
        let open = sign(folder, "--secret-text @secret \(option)")
        #expect(open.status == 0 && open.errors.contains("other users can read"), "\(open)")
    }

    @Test("The secret comes from a descriptor or from standard input", .tags(.commandLine))
    func streams() throws {
        let folder = try CommandFolder()
        try folder.write("secret", Self.secret)
        try folder.write("claims.json", Self.claims)
        let signed = try folder.bash(
            "\"$SIGNET\" jwt sign --lifetime 60 --claims claims.json --secret-text - "
                + "--algorithm HS256 < secret > token; cat token")
        #expect(signed.isGood, "\(signed)")
        let verified = try folder.bash(
            "\"$SIGNET\" jwt verify \(Self.policy) --secret-text /dev/fd/3 --algorithm HS256 "
                + "3< secret < token")
        #expect(verified.isGood, "\(verified)")
    }
}
