// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Text that someone put in the wrong place is not repeated: messages end up in logs.
@Suite("Errors repeat no secret")
struct SecretTests {
    static let secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXM9PT0"

    @Test(
        "A secret given as a file, an option or a token is not repeated",
        arguments: [
            ["seal", "--passphrase", secret], ["seal", "--passphrase=" + secret],
            ["open", "--passphrase", secret], ["seal", "--passphrase", "hunter2"],
            ["seal", "--passphrase-fd", secret], ["seal", "--passphrase-fd=hunter2"],
            ["seal", "--passphrase-file", secret], ["seal", "--passphrases", "hunter2"],
            ["seal", "--passphrase-file", "hunter2"], ["seal", "--key-file", secret],
            ["open", "--key-file=" + secret], ["seal", "--key", secret],
            ["jws", "sign", "--key", "{\"kty\":\"oct\",\"k\":\"\(secret)\"}"],
            ["jws", "sign", "--key= {\"k\":\"\(secret)\"}"],
            ["jws", "sign", "--key", "-----BEGIN PRIVATE KEY-----\n\(secret)"],
            ["jwk", "public", secret],
            ["jws", "verify", "--key", "x", secret, secret],
            ["jwt", "sign", "--secret", secret], ["jwt", "sign", "--secret=" + secret],
            ["jwt", "verify", "--" + secret], [secret],
            ["vault", "set", "--service", "s", "hunter2"],
            ["vault", "set", "--service", "s", "--value=hunter2"],
            ["vault", "init", "--new-passphrase", "hunter2"],
            // As other programs take a password.
            ["seal", "-p" + secret], ["vault", "list", "-p" + secret],
            ["-p" + secret, "vault", "list"], ["vault", "-p" + secret, "list"],
            ["jwt", "verify", "-p" + secret], ["-k" + secret, "jwt", "verify"],
            // As paths.
            ["jws", "sign", "--key", HostileText.token + "." + secret],
            ["jws", "sign", "--key", "/tmp/" + HostileText.token + secret],
            ["jwt", "verify", "--key", "srt_0123456789abcdef" + secret, "--any-issuer"],
            [
                "idtoken", "verify", "--provider", "google", "--client-id", "c", "--nonce-file",
                "sb_secret_" + secret,
            ],
        ])
    func arguments(_ arguments: [String]) { expectSilence(arguments) }

    @Test(
        "A secret given as a value, a passphrase or a vault's key is not repeated",
        .tags(.commandLine),
        arguments: [
            ["vault", "set", "--service", "s", secret],
            ["vault", "set", "--service", "s", "--value", "hunter2"],
            ["vault", "set", "--service", "s", "--password", "hunter2"],
            ["vault", "get", "--service", "s", "--passphrase", "hunter2"],
            ["vault", "init", "--new-passphrase=hunter2"],
            ["vault", "passwd", "--new-passphrase-fd", "hunter2"],
            ["vault", "init", "--new-passphrase-file", "hunter2"],
            ["vault", "init", "--key-file", secret],
        ])
    func vaultArguments(_ arguments: [String]) { expectSilence(arguments) }

    /// A key, a token or what holds one, and what a shell or a person puts around it.
    static let contents = [
        "{\"kty\":\"oct\",\"k\":\"\(secret)\"}", "[{\"kty\":\"oct\",\"k\":\"\(secret)\"}]",
        "\u{feff}{\"k\":\"\(secret)\"}", "'{\"k\":\"\(secret)\"}'",
        "{\"installed\":{\"client_secret\":\"\(secret)\"}}",
        " -----BEGIN PRIVATE KEY-----\n\(secret)", "Bearer eyJhbGciOiJub25lIn0.e30.\(secret)",
        "eyJhbGciOiJub25lIn0.e30.\(secret)", "\"eyJhbGciOiJub25lIn0.e30.\(secret)\"",
        "\u{feff}eyJhbGciOiJub25lIn0.e30.\(secret)", "eyJhbGciOiJub25lIn0.e30.\(secret)\n",
        "eyJhbGciOiJkaXIifQ..\(secret).\(secret).AA",
        "AGE-SECRET-KEY-1\(secret.uppercased())\(secret.uppercased())",
    ]

    @Test(
        "A key or a token in place of a file's name is refused before anything is opened",
        arguments: [
            "idtoken verify --provider google --client-id c --token",
            "idtoken verify --provider google --client-id c --nonce-file n --jwks",
            "jwt verify --any-issuer --any-audience --key",
            "jwt sign --algorithm HS256 --secret-text", "jwe decrypt --key",
            "open --passphrase-file p --input", "seal --new-key", "vault list --vault",
            "vault list --key-file", "vault set --service s --value-file",
            "login --issuer https://i.example --client-id c --client-secret-file",
        ])
    func names(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        for content in Self.contents {
            let outcome = CommandFolder.inProcess(
                words.dropLast() + ["\(words.last ?? "")=\(content)"])
            #expect(outcome.failed(2, "usage"), "\(line): \(outcome)")
            #expect(
                !outcome.errors.lowercased().contains(Self.secret.prefix(20).lowercased()),
                "\(line): \(outcome)")
            #expect(outcome.errors.contains("Write it to a file"), "\(line): \(outcome)")
        }
    }

    @Test(
        "A program without the dashes before it is told where it stands, and nothing is shown",
        arguments: [
            ["run", "--env", "T=a/b", "sh", "-c", "echo"], ["run", "--env", "T=a/b", "make"],
            ["run", "--env", "T=a/b", "mysql", "-p\(secret)"],
            ["run", "--env", "T=a/b", "x", "-ph"],
        ])
    func dashes(_ line: [String]) {
        let outcome = CommandFolder.inProcess(line)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(
            outcome.errors.contains("The program stands after --: signet run --env"), "\(outcome)")
        #expect(
            outcome.errors.contains("A passphrase is never an argument")
                == line.contains { $0.hasPrefix("-p") }, "\(outcome)")
        #expect(!outcome.errors.contains(Self.secret))
        let given = CommandFolder.inProcess(["run", "-phunter2", "--env", "T=a/b", "--", "make"])
        #expect(
            given.failed(2, "usage") && given.errors.contains("A passphrase is never an argument")
                && !given.errors.contains("stands after --"), "\(given)")
    }

    @Test("A name of random characters that names no file is not repeated, and a path is")
    func randomNames() throws {
        let folder = try CommandFolder()
        let hex = String(repeating: "0123456789abcdef", count: 4)
        for name in [Self.secret, hex, "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"] {
            for line in [
                "jwk public --key", "idtoken verify --provider google --client-id c --token",
                "open --key-file k --input", "jwt verify --any-issuer --any-audience --key",
                "vault init --vault v --key-file", "seal --key-file",
            ] {
                let outcome = try folder.signet("\(line) \(name)")
                #expect(outcome.status == 3 && outcome.output.isEmpty, "\(line): \(outcome)")
                #expect(!outcome.errors.contains(name.prefix(12)), "\(line): \(outcome)")
            }
        }
        for name in ["production_signing_key_of_2026_backup", "./\(Self.secret)", "keys/a.json"] {
            let outcome = try folder.signet("jwk public --key \(name)")
            #expect(
                outcome.failed(3, "system") && outcome.errors.contains("'\(name)'"), "\(outcome)")
        }
    }

    @Test("A secret is not repeated that is one character with what stands before it")
    func combined() {
        for secret in ["\u{301}\(Self.secret)", "\(Self.secret)\u{600}", "\u{200d}\(Self.secret)"] {
            for line in [["token", secret], ["jwt", "verify", "--leeway", secret]] {
                let outcome = CommandFolder.inProcess(line)
                #expect(outcome.failed(2, "usage"), "\(outcome)")
                #expect(!outcome.errors.contains(Self.secret.dropLast(4)), "\(outcome)")
                #expect(outcome.errors.contains("(not shown)"), "\(outcome)")
            }
        }
    }

    private func expectSilence(_ arguments: [String]) {
        // If a vault is made after all, it must not be the vault of the user who runs the tests.
        let place = arguments.first == "vault" ? ["--vault", CommandFolder.nowhere + "/v"] : []
        let outcome = CommandFolder.inProcess(arguments + place, input: Array("x".utf8))
        #expect(outcome.status != 0 && outcome.output.isEmpty && !outcome.wasKilled, "\(outcome)")
        #expect(
            !outcome.errors.contains(Self.secret) && !outcome.errors.contains("hunter2"),
            "\(outcome)")
        #expect(!outcome.errors.isEmpty)
    }

    @Test("Refused keys, tokens and claims are not quoted")
    func contents() throws {
        let folder = try CommandFolder()
        for key in [
            "{\"kty\":\"oct\",\"k\":\"\(Self.secret)!\"}",
            "{\"kty\":\"oct\",\"\(Self.secret)\":1,\"\(Self.secret)\":1}",
            "{\"kty\":\"\(Self.secret)\"}",
            "{\"kty\":\"oct\",\"k\":\"\(Self.secret)\",\"alg\":\"\(Self.secret)\"}",
            "-----BEGIN PRIVATE KEY-----\n\(Self.secret)\n-----END PRIVATE KEY-----\n", Self.secret,
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(Self.secret)\",\"y\":\"\(Self.secret)\",\"d\":\"\(Self.secret)\"}",
        ] {
            try folder.write("key", key)
            for command in [
                "jws sign", "jws verify", "jwk public", "jwk thumbprint", "jwk convert --to pem",
                "jwe decrypt", "jwe encrypt --content A256GCM",
            ] {
                let line = "\(command) --key \(folder.path("key"))"
                let outcome = CommandFolder.inProcess(line + " --json", input: "a.b.c")
                let withoutJSON = CommandFolder.inProcess(line, input: "a.b.c")
                for text in [outcome.text, outcome.errors, withoutJSON.text, withoutJSON.errors] {
                    #expect(!text.contains(Self.secret), "\(command): \(outcome)")
                }
            }
        }
        try folder.makeKeys()
        let (keys, key) = (folder.path("jwks.json"), folder.path("key.json"))
        for command in [
            "jws verify --key \(keys)", "jwt inspect",
            "jwt verify --any-issuer --any-audience --key \(keys)",
            "jwt sign --lifetime 60 --key \(key)",
        ] {
            let token =
                Base64URL.encode(
                    Array("{\"alg\":\"\(Self.secret)\",\"kid\":\"\(Self.secret)\"}".utf8))
                + ".\(Self.secret).\(Self.secret)"
            let outcome = CommandFolder.inProcess(command, input: token)
            #expect(
                outcome.status == 1 && outcome.output.isEmpty
                    && !outcome.errors.contains(Self.secret),
                "\(outcome)")
        }
    }
}
