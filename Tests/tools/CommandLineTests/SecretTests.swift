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

    private func expectSilence(_ arguments: [String]) {
        // If a vault is made after all, it must not be the vault of the user who runs the tests.
        let place = arguments.first == "vault" ? ["--vault", Desk.nowhere + "/v"] : []
        let outcome = Desk.inProcess(arguments + place, input: Array("x".utf8))
        #expect(outcome.status != 0 && outcome.output.isEmpty && !outcome.wasKilled, "\(outcome)")
        #expect(
            !outcome.errors.contains(Self.secret) && !outcome.errors.contains("hunter2"),
            "\(outcome)")
        #expect(!outcome.errors.isEmpty)
    }

    @Test("Refused keys, tokens and claims are not quoted")
    func contents() throws {
        let desk = try Desk()
        for key in [
            "{\"kty\":\"oct\",\"k\":\"\(Self.secret)!\"}",
            "{\"kty\":\"oct\",\"\(Self.secret)\":1,\"\(Self.secret)\":1}",
            "{\"kty\":\"\(Self.secret)\"}",
            "{\"kty\":\"oct\",\"k\":\"\(Self.secret)\",\"alg\":\"\(Self.secret)\"}",
            "-----BEGIN PRIVATE KEY-----\n\(Self.secret)\n-----END PRIVATE KEY-----\n", Self.secret,
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(Self.secret)\",\"y\":\"\(Self.secret)\",\"d\":\"\(Self.secret)\"}",
        ] {
            try desk.write("key", key)
            for command in [
                "jws sign", "jws verify", "jwk public", "jwk thumbprint", "jwk convert --to pem",
            ] {
                let line = "\(command) --key \(desk.path("key"))"
                let outcome = Desk.inProcess(line + " --json", input: "a.b.c")
                let withoutJSON = Desk.inProcess(line, input: "a.b.c")
                for text in [outcome.text, outcome.errors, withoutJSON.text, withoutJSON.errors] {
                    #expect(!text.contains(Self.secret), "\(command): \(outcome)")
                }
            }
        }
        try desk.makeKeys()
        let (keys, key) = (desk.path("jwks.json"), desk.path("key.json"))
        for command in [
            "jws verify --key \(keys)", "jwt inspect",
            "jwt verify --any-issuer --any-audience --key \(keys)",
            "jwt sign --lifetime 60 --key \(key)",
        ] {
            let token =
                Base64URL.encode(
                    Array("{\"alg\":\"\(Self.secret)\",\"kid\":\"\(Self.secret)\"}".utf8))
                + ".\(Self.secret).\(Self.secret)"
            let outcome = Desk.inProcess(command, input: token)
            #expect(
                outcome.status == 1 && outcome.output.isEmpty
                    && !outcome.errors.contains(Self.secret),
                "\(outcome)")
        }
    }
}
