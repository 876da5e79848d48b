// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet jwk generate")
struct KeyGenerationTests {
    @Test("A key file is private to its owner, and replaces a file only with --force")
    func file() throws {
        let folder = try CommandFolder()
        let made = try folder.signet("jwk generate --output key.json --json")
        #expect(
            try made.isGood && made.json.names == ["alg", "kid", "kty", "output", "private"],
            "\(made)")
        let key = try folder.text("key.json")
        #expect(try JWK(key).isPrivate && folder.permissions("key.json") == 0o600)
        #expect(try folder.signet("jwk generate --output key.json").failed(3, "exists"))
        #expect(try folder.text("key.json") == key)
    }

    @Test(
        "Every algorithm's JWK is private to its owner and names algorithm and use",
        .tags(.commandLine),
        arguments: Keys.all)
    func everyAlgorithm(_ algorithm: String) throws {
        let folder = try CommandFolder()
        let made = try folder.signet(
            "jwk generate --algorithm \(algorithm) --output key.json --json")
        #expect(made.isGood, "\(made)")
        #expect(try folder.permissions("key.json") == 0o600)
        let key = try JWK(folder.text("key.json"))
        #expect(key.isPrivate && key.algorithm == algorithm && key.use == "sig")
        let isHMAC = Keys.hmac.contains(algorithm)
        #expect(try key.keyID == (isHMAC ? nil : key.thumbprint()))
        let report = try made.json
        #expect(
            report.names == (isHMAC ? [] : ["alg", "kid"]).sorted() + ["kty", "output", "private"]
                || report.names == ["alg", "kty", "output", "private"])
        #expect(report["kid"]?.text == key.keyID && report["alg"]?.text == algorithm)
        #expect(try folder.names() == ["key.json"])
    }

    @Test(
        "A key for encrypted tokens names algorithm and use, and its published set is enough",
        arguments: KeyManagementAlgorithm.allCases.filter { $0 != .rsaOAEP })
    func encryption(_ algorithm: KeyManagementAlgorithm) throws {
        let folder = try CommandFolder()
        let (path, set) = (folder.path("key"), folder.path("set"))
        let made = CommandFolder.inProcess(
            "jwk generate --algorithm \(algorithm.name) --output \(path) --json")
        #expect(try made.isGood && made.json["alg"]?.text == algorithm.name, "\(made)")
        let key = try JWK(folder.text("key"))
        #expect(key.isPrivate && key.use == "enc" && key.algorithm == algorithm.name)
        let isShared = key.keyType == "oct"
        #expect(try key.keyID == (isShared ? nil : key.thumbprint()))
        let published = CommandFolder.inProcess("jwk public --key \(path)")
        #expect(isShared ? published.failed(1, "wrongKeyClass") : published.isGood)
        try folder.write("set", isShared ? folder.text("key") : published.text)
        let token = CommandFolder.inProcess(
            "jwe encrypt --key \(set) --content A256GCM", input: "hello")
        let opened = CommandFolder.inProcess("jwe decrypt --key \(path)", input: token.text)
        #expect(token.isGood && opened.isGood && opened.text == "hello", "\(token), \(opened)")
        let pem = CommandFolder.inProcess("jwk generate --pem --algorithm \(algorithm.name)")
        #expect(isShared ? pem.failed(2, "usage") : pem.text.hasPrefix("-----BEGIN PRIVATE KEY"))
    }

    @Test("No two generated keys are equal")
    func fresh() {
        #expect(
            CommandFolder.inProcess("jwk generate").output
                != CommandFolder.inProcess("jwk generate").output)
    }

    @Test("Where the system has no randomness nothing is made", .tags(.commandLine))
    func noRandomness() throws {
        let folder = try CommandFolder()
        try folder.write("in", "text")
        // libcrypto's generator, replaced by one that is not there.
        try folder.write(
            "openssl.cnf",
            """
            openssl_conf = all
            [all]
            random = generator
            [generator]
            random = NONE-SUCH

            """)
        let environment = ["OPENSSL_CONF": folder.path("openssl.cnf")]
        for line in [
            "jwk generate --algorithm HS256 --output key",
            "jwk generate --algorithm ES256 --output key",
            "jwk generate --algorithm EdDSA", "jwk generate --algorithm RS256",
            "seal --new-key key --input in --output out",
            "vault init --vault vault.signet --new-key-file key",
        ] {
            let words = line.split(separator: " ").map(String.init)
            let failed = try folder.signet(words, environment: environment)
            #expect(failed.failed(3, "libraryFailure"), "\(line): \(failed)")
            #expect(try folder.names() == ["in", "openssl.cnf"], "\(line)")
        }
    }

    @Test(
        "openssl reads the PEM", .tags(.commandLine),
        arguments: ["RS256", "ES256", "ES384", "ES512", "Ed25519"])
    func pem(_ algorithm: String) throws {
        let folder = try CommandFolder()
        #expect(
            try folder.signet("jwk generate --algorithm \(algorithm) --pem --output key.pem").isGood
        )
        #expect(try folder.text("key.pem").hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try folder.permissions("key.pem") == 0o600)
        guard Program.openssl != nil else { return }
        #expect(
            try folder.bash(
                "openssl pkey -in key.pem -noout -check || openssl pkey -in key.pem -noout"
            ).status
                == 0)
    }

    @Test(
        "An RSA key has the requested bits", .tags(.commandLine), arguments: [2048, 3072])
    func bits(_ count: Int) throws {
        let folder = try CommandFolder()
        let key = try folder.signet("jwk generate --algorithm PS256 --bits \(count)").json
        let modulus = try Base64URL.decode(#require(key["n"]?.text))
        #expect(modulus.count * 8 == count && modulus[0] >= 0x80)
    }

    @Test("A key has the requested kid")
    func keyID() throws {
        let key = try CommandFolder.inProcess(["jwk", "generate", "--key-id", "\"key\u{1} é"]).json
        #expect(key["kid"]?.text == "\"key\u{1} é")
    }

    @Test(
        "Contradictory options are a usage error and make no file",
        arguments: [
            "--algorithm none", "--algorithm NONE", "--algorithm es256", "--algorithm A128GCM",
            "--algorithm RS256 --bits 1024",
            "--algorithm RS256 --bits 0", "--algorithm RS256 --bits -2048",
            "--algorithm RS256 --bits 2049",
            "--algorithm RS256 --bits 16384", "--algorithm RS256 --bits 9223372036854775807",
            "--bits 2048",
            "--algorithm RS256 --bits 99999999999999999999", "--algorithm HS256 --pem",
            "--algorithm RSA-OAEP", "--algorithm RSA-OAEP-256 --bits 3072",
            "--algorithm HS256 --bits 2048", "--pem --key-id 1", "--key-id= ", "extra",
        ])
    func contradictions(_ options: String) throws {
        let folder = try CommandFolder()
        let outcome = CommandFolder.inProcess(
            "jwk generate --output \(folder.path("key.json")) \(options)")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(try folder.names().isEmpty)
    }

    @Test("--json needs --output, because standard output holds the key")
    func jsonNeedsOutput() throws {
        let outcome = CommandFolder.inProcess("jwk generate --json")
        #expect(outcome.status == 2)
        #expect(try outcome.json["error"]?["code"]?.text == "usage")
    }

    @Test(
        "An existing file stays as it is without --force, and is replaced with it",
        .tags(.commandLine))
    func force() throws {
        let folder = try CommandFolder()
        try folder.write("key.json", "precious", permissions: 0o644)
        #expect(try folder.signet("jwk generate --output key.json").failed(3, "exists"))
        #expect(try folder.text("key.json") == "precious")
        #expect(try folder.signet("jwk generate --output key.json --force").isGood)
        #expect(try JWK(folder.text("key.json")).isPrivate)
        #expect(try folder.permissions("key.json") == 0o600)
        #expect(try folder.names() == ["key.json"])
    }

    @Test(
        "A link or a device is never replaced, and a missing folder never made",
        .tags(.commandLine))
    func strangeTargets() throws {
        let folder = try CommandFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.path + "/link", withDestinationPath: "/nonexistent/target")
        for target in ["link", "/dev/null", "absent/key.json", ".", "/proc/self/nothing"] {
            let outcome = try folder.signet("jwk generate --force --output \(target)")
            // A folder is no name of a file: a usage error.
            let status: Int32 = target == "." ? 2 : 3
            #expect(outcome.status == status && outcome.output.isEmpty, "\(target): \(outcome)")
        }
        #expect(try folder.names() == ["link"])
    }

    @Test("A kid may begin with a dash, as one thumbprint in 64 does")
    func dashedKeyID() throws {
        let key = try CommandFolder.inProcess("jwk generate --key-id -x1 --algorithm ES256").json
        #expect(key["kid"]?.text == "-x1")
    }
}
