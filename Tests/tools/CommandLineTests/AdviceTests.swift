// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// What a failure says to do next, where a person who followed it used to end up nowhere.
@Suite("Advice can be followed") struct AdviceTests {
    private static let claims = #"{"sub":"u"}"#

    private func run(_ folder: CommandFolder, _ line: String, input: String = "") -> Outcome {
        let words = line.split(separator: " ").map { word in
            word.hasPrefix("@") ? folder.path(String(word.dropFirst())) : String(word)
        }
        return CommandFolder.inProcess(words, input: Array(input.utf8))
    }

    @Test("A secret in the other base64 is not called a text, which would be another key")
    func otherBase64() throws {
        let folder = try CommandFolder()
        let bytes = [UInt8](repeating: 0xfb, count: 32)
        try folder.write("secret", Data(bytes).base64EncodedString() + "\n")
        let line = "jwt sign --lifetime 60 --algorithm HS256 --secret-base64url @secret"
        let outcome = run(folder, line, input: Self.claims)
        #expect(outcome.failed(1, "malformed") && outcome.errors.contains("tr '+/' '-_'"))
        #expect(!outcome.errors.contains("--secret-text"), "\(outcome)")
        try folder.write("secret", Base64URL.encode(bytes))
        #expect(run(folder, line, input: Self.claims).isGood)
        try folder.write("secret", "correct horse battery staple, 32 bytes")
        let text = run(folder, line, input: Self.claims)
        #expect(text.failed(1, "malformed") && text.errors.contains("--secret-text FILE"))
    }

    @Test("A secret too short for its hash is to be made for that algorithm")
    func short() throws {
        let folder = try CommandFolder()
        try folder.write("secret", "correct horse battery staple, 32 bytes")
        let line = "jwt sign --lifetime 60 --algorithm HS512 --secret-text @secret"
        let outcome = run(folder, line, input: Self.claims)
        #expect(
            outcome.failed(1, "keyTooShort")
                && outcome.errors.contains("signet jwk generate --algorithm HS512"), "\(outcome)")
    }

    @Test("An RSA key with a symmetric algorithm gets one that it takes")
    func symmetricForRSA() throws {
        let folder = try CommandFolder()
        try folder.write("key.pem", TestPrivatePEM.rsa)
        let line = "jwt sign --lifetime 60 --key @key.pem --algorithm"
        let outcome = run(folder, "\(line) HS256", input: Self.claims)
        #expect(
            outcome.failed(2, "usage") && outcome.errors.contains("--algorithm RS256"),
            "\(outcome)")
        #expect(run(folder, "\(line) RS256", input: Self.claims).isGood)
    }

    @Test("Claims without exp name the option that adds it")
    func noLifetime() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let outcome = run(folder, "jwt sign --key @key.json", input: Self.claims)
        #expect(
            outcome.failed(1, "claimMissing") && outcome.errors.contains("--exp 15m"),
            "\(outcome)")
    }

    @Test("A file's name in place of a token is told how to be read")
    func fileForToken() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        for line in [
            "jwt verify --key @key.json --any-issuer --any-audience token.jwt",
            "jws verify --key @key.json token.jwt", "jwt inspect token.jwt",
        ] {
            let outcome = run(folder, line)
            #expect(
                outcome.failed(1, "malformed") && outcome.errors.contains("< FILE"), "\(outcome)")
        }
    }

    @Test("An access token of another typ, and a key in place of a key set, name the remedy")
    func accessTokens() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let claims = #"{"iss":"https://i.example","aud":"a","sub":"u"}"#
        let token = run(
            folder, "jwt sign --lifetime 60 --type at+jwt --key @key.json", input: claims)
        try folder.write("token", token.text)
        let line =
            "accesstoken verify --profile issuer --issuer https://i.example --audience a "
            + "--algorithm ES256 --token @token"
        let outcome = run(folder, "\(line) --jwks @jwks.json")
        #expect(
            outcome.failed(1, "typeMismatch") && outcome.errors.contains("--type at+jwt"),
            "\(outcome)")
        #expect(run(folder, "\(line) --jwks @jwks.json --type at+jwt").isGood)
        try folder.write("key.pem", TestPublicPEM.p256)
        let pem = run(folder, "\(line) --jwks @key.pem")
        #expect(
            pem.failed(1, "malformed")
                && pem.errors.contains("jwk public --key '\(folder.path("key.pem"))'"),
            "\(pem)")
    }

    @Test("Beside what a lost vault left, nobody is sent to make a new one")
    func leftLog() throws {
        let folder = try CommandFolder()
        try folder.write("v.signet-wal", "left")
        let outcome = run(folder, "vault verify --vault @v.signet --key-file @v.key")
        #expect(outcome.status == 3 && outcome.errors.contains("left over"), "\(outcome)")
        #expect(!outcome.errors.contains("vault init"), "\(outcome)")
    }
}
