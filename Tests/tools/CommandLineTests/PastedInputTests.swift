// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// What people paste and save, given to the program: it is read, or named.
@Suite("Pasted inputs") struct PastedInputTests {
    private static let verify = "jwt verify --key jwks.json --any-issuer --any-audience"

    private func token(_ folder: CommandFolder) throws -> String {
        try folder.makeKeys()
        let token = try folder.signet(
            "jwt sign --lifetime 60 --key key.json", input: #"{"sub":"u"}"#)
        #expect(token.isGood, "\(token)")
        return token.line
    }

    @Test("A token is read with white space around it, and named with anything else")
    func tokens() throws {
        let folder = try CommandFolder()
        let token = try token(folder)
        let words = Self.verify.split(separator: " ").map(String.init)
        for spaced in ["\t\(token)\t", "\n\(token)\r\n", "  \(token) \n"] {
            #expect(try folder.signet(words, input: Array(spaced.utf8)).isGood)
            #expect(try folder.signet(words + ["--", spaced]).isGood)
        }
        for (text, part) in [
            ("Bearer \(token)", "begins as a header field"), ("\"\(token)\"", "quotation marks"),
            ("\u{feff}\(token)", "byte-order mark"), (token + "=", "padding"),
            (token.replacing(".", with: "\n.", maxReplacements: 1), "white space"),
            (String(token.prefix(60)), "cut short"), ("<html></html>", "HTML or XML"),
        ] {
            let outcome = try folder.signet(words, input: Array(text.utf8))
            #expect(outcome.failed(1, "malformed") && outcome.errors.contains(part), "\(outcome)")
            #expect(!outcome.errors.contains("eyJ"), "\(outcome)")
        }
    }

    @Test("Several tokens, an answer of HTTP and the name of a file are called what they are")
    func notOneToken() throws {
        let folder = try CommandFolder()
        let token = try token(folder)
        let words = Self.verify.split(separator: " ").map(String.init)
        for text in ["\(token)\n\(token)\n", "\(token) \(token)"] {
            for outcome in [
                try folder.signet(words, input: Array(text.utf8)),
                try folder.signet(words + ["--", text]),
            ] {
                #expect(outcome.failed(1, "malformed"), "\(outcome)")
                #expect(outcome.errors.contains("holds several tokens"), "\(outcome)")
            }
        }
        let answer = try folder.signet(
            words, input: Array("HTTP/1.1 200 OK\r\nX: y\r\n\r\n\(token)".utf8))
        #expect(answer.failed(1, "malformed") && answer.errors.contains("HTTP"), "\(answer)")
        #expect(!answer.errors.contains("tr '"), "\(answer)")
        for path in ["/tmp/a.b.c", "./a.b.c", "~/a.b.c", "../t"] {
            let outcome = try folder.signet(words + ["--", path])
            #expect(
                outcome.failed(1, "malformed") && outcome.errors.contains("begins as a path")
                    && outcome.errors.contains("< FILE"), "\(outcome)")
        }
        let dated = try folder.signet(words + ["--", "token.2026.11.26.jwt"])
        #expect(dated.failed(1, "malformed") && !dated.errors.contains("JWE"), "\(dated)")
    }

    @Test("jwt inspect takes a token as it stands in a header field or in quotation marks")
    func inspect() throws {
        let folder = try CommandFolder()
        let token = try token(folder)
        func inspect(_ words: [String], _ input: String = "") -> Outcome {
            CommandFolder.inProcess(
                ["jwt", "inspect"] + words, input: Array(input.utf8),
                clock: .fixed(secondsSince1970: 1_700_000_000))
        }
        let wanted = inspect([], token)
        #expect(wanted.isGood && wanted.text.contains("NOT VERIFIED"), "\(wanted)")
        for text in [
            "Bearer \(token)", "bearer  \(token)\n", "\"\(token)\"", "'\(token)'",
            " \"Bearer \(token)\"",
        ] {
            #expect(inspect([], text).text == wanted.text)
            #expect(inspect(["--", text]).text == wanted.text)
        }
        let other = try folder.signet(["jwt", "inspect"], input: Array("Basic \(token)".utf8))
        #expect(other.failed(1, "malformed"), "\(other)")
    }

    @Test("Claims that are no JSON are named, or shown where they are wrong")
    func claims() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        for (text, part) in [
            ("", "is empty"), ("\u{feff}{}", "byte-order mark"),
            ("a: 1", "line 1, column 1: found 'a'"),
            ("{\n\"a\": 1,\n}", "line 3, column 1: found '}'"),
            ("{\"a\": \u{a0}1}", "found the byte 0xc2"), ("{\"a\": [", "the text ends there"),
            ("hello world", "line 1, column 1: found 'h'"),
        ] {
            let outcome = CommandFolder.inProcess(
                ["jwt", "sign", "--lifetime", "60", "--key", folder.path("key.json")],
                input: Array(text.utf8))
            #expect(outcome.failed(1, "malformed") && outcome.errors.contains(part), "\(outcome)")
        }
    }

    @Test("While something is opened, a key file that is none is kept, and named")
    func keyFiles() throws {
        let folder = try CommandFolder()
        #expect(try folder.signet("seal --new-key k --output s.sealed", input: "text").isGood)
        #expect(try folder.signet("vault init --vault v.signet --new-key-file v.key").status == 0)
        let key = try folder.text("k")
        let raw = [UInt8](Data(base64Encoded: key.trimmingCharacters(in: .newlines)) ?? Data())
        let hex = raw.map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
        let cases: [([UInt8], String)] = [
            ([0xef, 0xbb, 0xbf] + Array(key.utf8), "byte-order mark"),
            ([0xff, 0xfe] + key.utf8.flatMap { [$0, 0] }, "UTF-16"),
            (Array("# my key\n\(key)".utf8), "begins with a comment"),
            (Array(hex.utf8), "hexadecimal"), (Array("\"\(key)\"".utf8), "quotation marks"),
            (Array(TestPrivatePEM.p256.utf8), "is PEM"), ([], "is empty"),
            (Array("AGE-SECRET-KEY-1GFPYYSJZ\n".utf8), "key of age"),
            (Array("short".utf8), "32 raw bytes"),
        ]
        for (content, part) in cases {
            try folder.write("broken", content)
            for line in [
                "open --key-file broken --input s.sealed",
                "vault list --vault v.signet --key-file broken",
            ] {
                let outcome = try folder.signet(line)
                #expect(
                    outcome.failed(1, "invalidKeySize") && outcome.errors.contains(part),
                    "\(outcome)")
                #expect(!outcome.errors.contains("new one"), "\(outcome)")
                #expect(!outcome.errors.contains("--new-key"), "\(outcome)")
                #expect(!outcome.errors.contains(key.prefix(8)), "\(outcome)")
                #expect(!outcome.errors.contains(hex.prefix(8)), "\(outcome)")
            }
        }
        #expect(try folder.read("broken") == Array("short".utf8))
    }

    @Test("Keys of other programs are named, and the converting command works on a copy")
    func keys() throws {
        let folder = try CommandFolder()
        for (text, part) in [
            ("<html></html>", "HTML"), ("aa.bb.cc", "is a token"), ("", "is empty"),
            ("ssh-rsa AAAA me", "ssh-keygen -e -m PKCS8"), ("\"{}\"", "quotation marks"),
            ("hello", "neither a JWK"), ("a secret\n", "neither a JWK"),
        ] {
            try folder.write("key", text)
            let outcome = CommandFolder.inProcess(["jwk", "public", "--key", folder.path("key")])
            #expect(outcome.failed(1, "malformed") && outcome.errors.contains(part), "\(outcome)")
            #expect(!outcome.errors.contains("jwk generate"), "\(outcome)")
        }
        guard Program.isHere("ssh-keygen") else { return }
        let made = try folder.bash(
            "ssh-keygen -q -t ecdsa -N '' -f id && cp id copy && cp id.pub pub")
        #expect(made.status == 0, "\(made)")
        let own = try folder.signet("jwk public --key id")
        #expect(own.failed(1, "unsupportedKeyType"), "\(own)")
        #expect(own.errors.contains("ssh-keygen -p -m PEM -f COPY"), "\(own)")
        #expect(try folder.bash("ssh-keygen -q -p -N '' -m PEM -f copy").status == 0)
        let converted = try folder.signet("jwk thumbprint --key copy")
        #expect(converted.isGood, "\(converted)")
        #expect(try folder.bash("ssh-keygen -e -m PKCS8 -f pub > pub.pem").status == 0)
        #expect(try folder.signet("jwk thumbprint --key pub.pem").line == converted.line)
    }

    @Test("A nonce saved with a byte-order mark is not compared")
    func nonce() throws {
        let folder = try CommandFolder()
        try folder.write("nonce", "\u{feff}n-0S6_WzA2Mj")
        try folder.write("jwks.json", "{\"keys\":[]}")
        let outcome = CommandFolder.inProcess([
            "idtoken", "verify", "--provider", "google", "--client-id", "c", "--nonce-file",
            folder.path("nonce"), "--jwks", folder.path("jwks.json"),
        ])
        #expect(
            outcome.failed(1, "malformed") && outcome.errors.contains("byte-order mark"),
            "\(outcome)")
    }

    @Test("A file that holds no client's secret is named before a server is asked")
    func clientSecrets() throws {
        let folder = try CommandFolder()
        let cases: [([UInt8], String)] = [
            ([], "is empty"),
            (Array("{\"installed\":{\"client_secret\":\"s3\"}}\n".utf8), "is JSON"),
            ([0xef, 0xbb, 0xbf] + Array("GOCSPX-abc".utf8), "byte-order mark"),
            ([0xff, 0xfe] + "GOCSPX".utf8.flatMap { [$0, 0] }, "UTF-16"),
            (Array("GOCSPX".utf8) + [0xfc], "no client's secret"),
            (Array("one\ntwo\n".utf8), "on one line"),
        ]
        for (content, part) in cases {
            try folder.write("secret", content)
            let outcome = try folder.signet(
                [
                    "login", "--issuer", "http://127.0.0.1:9", "--client-id", "c",
                    "--client-secret-file", "secret", "--without-keyring",
                ],
                environment: ["HOME": folder.url.path, "XDG_STATE_HOME": ""])
            #expect(
                outcome.failed(1, "malformed") && outcome.errors.contains(part), "\(outcome)")
            #expect(!outcome.errors.contains("GOCSPX") && !outcome.errors.contains("s3"))
            #expect(try folder.names() == ["secret"], "\(outcome)")
        }
    }

    @Test("A key that is there and cannot be used is not to be fetched again")
    func unusable() throws {
        let folder = try CommandFolder()
        let token = try token(folder)
        let set = try folder.text("jwks.json").replacing("\"EC\"", with: "\"ec\"")
        try folder.write("jwks.json", set)
        let outcome = try folder.signet(Self.verify, input: token)
        #expect(
            outcome.status == 1 && outcome.errors.contains("[noMatchingKey]")
                && outcome.errors.contains("Newer keys do not help"), "\(outcome)")
        #expect(!outcome.errors.contains("newest"), "\(outcome)")
    }

    @Test("What is said about a service account's token of Google leads to a command that reads it")
    func google() throws {
        let folder = try CommandFolder()
        let key = try SigningKey.generate(.rs256, keyID: "g")
        try folder.write("jwks.json", KeySet([key.verificationKey]).jwksJSON())
        let claims =
            #"{"iss":"https://accounts.google.com","aud":"https://svc.example","azp":"1093","sub":"1093","iat":1700000000,"exp":4102444800}"#
        try folder.write("token", JWSSigner(key: key, type: "JWT").sign(Array(claims.utf8)))
        let outcome = try folder.signet(
            "idtoken verify --provider google --client-id https://svc.example --jwks jwks.json "
                + "--token token")
        #expect(outcome.failed(1, "azp"), "\(outcome)")
        #expect(!outcome.errors.contains("--authorized-party"), "\(outcome)")
        let read = try folder.signet(
            "accesstoken verify --profile issuer --issuer https://accounts.google.com "
                + "--audience https://svc.example --jwks jwks.json --token token")
        #expect(read.isGood, "\(read)")
    }
}
