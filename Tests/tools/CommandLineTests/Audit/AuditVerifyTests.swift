// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import Testing

@Suite("signet audit verify")
struct AuditVerifyTests {
    @Test("A good signature says who signed which bytes, and what that does not show")
    func good() throws {
        let report = try SignedReport()
        let outcome = report.verify()
        #expect(outcome.isGood, "\(outcome)")
        let thumbprint = CommandFolder.inProcess(
            ["jwk", "thumbprint", "--key", report.folder.path("jwks.json")]
        ).line
        #expect(outcome.text.contains("\nSigned with: \(thumbprint) (RFC 7638), ES256\n"))
        #expect(
            outcome.line.hasSuffix(
                "\nShown: this key signed these bytes. Not shown: when, that the audit ran, or that "
                    + "what it says is true."), "\(outcome)")
        let json = try report.verify(["--json"]).json
        #expect(json["valid"] == .bool(true) && json["thumbprint"]?.text == thumbprint)
        #expect(json["length"] == .integer(Int64(SignedReport.content.count)))
        #expect(json["signedName"] == nil && json["algorithm"]?.text == "ES256")
        #expect(try SignedReport.payload().contains(json["sha256"]?.text ?? "?"))
    }

    @Test("Keys of each kind, public and private, alone and in sets", arguments: Keys.asymmetric)
    func algorithms(_ algorithm: String) throws {
        let report = try SignedReport(algorithm: algorithm)
        #expect(report.verify().isGood && report.verify(key: "key.json").isGood)
        let pem = CommandFolder.inProcess([
            "jwk", "convert", "--key", report.folder.path("jwks.json"), "--to", "pem",
        ])
        try report.folder.write("public.pem", pem.output)
        let named = report.verify(["--algorithm", algorithm], key: "public.pem")
        #expect(named.isGood || algorithm == "EdDSA", "\(named)")
        let unnamed = report.verify(key: "public.pem")
        #expect(
            Keys.rsa.contains(algorithm) || algorithm == "Ed25519"
                ? unnamed.status != 0 || algorithm == "Ed25519" : unnamed.isGood, "\(unnamed)")
    }

    @Test("A report with any byte changed, left out or added is refused")
    func changedReport() throws {
        let report = try SignedReport()
        let content = SignedReport.content
        let ended = content.flatMap { $0 == 0x0a ? [0x0d, 0x0a] : [$0] }
        var others: [[UInt8]] = [
            [], content + [0x0a], Array(content.dropLast()), content + content,
            [0xef, 0xbb, 0xbf] + content, ended,
        ]
        for index in content.indices {
            var other = content
            other[index] ^= 1
            others.append(other)
        }
        for other in others {
            try report.folder.write(report.name, other)
            let outcome = report.verify()
            #expect(outcome.failed(1, "reportMismatch"), "\(outcome)")
            #expect(try report.verify(["--json"]).json["valid"] == .bool(false))
        }
        try report.folder.write(report.name, content)
        #expect(report.verify().isGood)
    }

    @Test("A signature with any byte changed, or cut short, is refused")
    func changedSignature() throws {
        let report = try SignedReport()
        let signature = try report.folder.read("audit.html.jws")
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            try report.folder.write("audit.html.jws", other)
            let outcome = report.verify()
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(index): \(outcome)")
        }
        for count in [0, 1, 20, signature.count / 2, signature.count - 2] {
            try report.folder.write("audit.html.jws", Array(signature.prefix(count)))
            #expect(report.verify().status == 1)
        }
        try report.folder.write("audit.html.jws", [UInt8](repeating: 0x41, count: 20_000))
        #expect(report.verify().failed(1, "tooLarge"))
        // White space around it is none of the signature's bytes.
        try report.folder.write("audit.html.jws", signature + [0x0a])
        #expect(report.verify().isGood)
    }

    @Test("Another key is refused, with and without its own name")
    func otherKey() throws {
        let report = try SignedReport()
        let other = CommandFolder.inProcess("jwk generate --algorithm ES256")
        try report.folder.write("other.json", other.output)
        let named = report.verify(key: "other.json")
        #expect(named.failed(1, "noMatchingKey"), "\(named)")
        #expect(named.advice?.contains("by itself: --key FILE") == true, "\(named)")
        let published = CommandFolder.inProcess([
            "jwk", "public", "--key", report.folder.path("other.json"),
        ])
        try report.folder.write("other.jwks", published.output)
        let pem = CommandFolder.inProcess([
            "jwk", "convert", "--key", report.folder.path("other.jwks"), "--to", "pem",
        ])
        try report.folder.write("other.pem", pem.output)
        #expect(report.verify(key: "other.pem").failed(1, "signatureInvalid"), "\(pem)")
    }

    @Test(
        "What the same key has signed for something else is no signature of a report",
        arguments: [nil, "JWT", "at+jwt", "signet-audit", "SIGNET-AUDIT+JWS", "signet-audit+jwss"])
    func otherType(_ type: String?) throws {
        let report = try SignedReport()
        try report.sign(type: type)
        #expect(report.verify().failed(1, "typeMismatch"))
    }

    @Test(
        "A payload of another form is refused",
        arguments: [
            "", "{}", "[]", "null", "no JSON", #"{"length":1,"name":"audit.html"}"#,
            #"{"length":"36","name":"audit.html","sha256":"00"}"#,
            #"{"length":36.0,"name":"audit.html","sha256":"00"}"#,
            #"{"length":36,"name":["audit.html"],"sha256":"00"}"#,
            #"{"length":36,"length":36,"name":"audit.html","sha256":"00"}"#,
            #"{"length":9223372036854775808,"name":"audit.html","sha256":"00"}"#,
        ])
    func otherPayload(_ payload: String) throws {
        let report = try SignedReport()
        try report.sign(payload)
        #expect(report.verify().failed(1, "malformed"), "\(report.verify())")
    }

    @Test("The digest is compared to its last digit, and in one form")
    func digest() throws {
        let report = try SignedReport()
        let payload = try SignedReport.payload()
        let digest = String(payload.suffix(66).dropLast(2))
        for other in [digest.uppercased(), String(digest.dropLast()), digest + "0", ""]
        where other != digest {
            try report.sign(payload.replacing(digest, with: other))
            #expect(report.verify().failed(1, "reportMismatch"), "\(other)")
        }
        for length in ["-1", "0", "9223372036854775807", "-9223372036854775808"] {
            try report.sign(
                payload.replacing("\(SignedReport.content.count),", with: "\(length),"))
            #expect(report.verify().failed(1, "reportMismatch"), "\(length)")
        }
    }

    @Test("A set of RSA keys that name no algorithm needs the option, and the advice says so")
    func unnamedAlgorithm() throws {
        let report = try SignedReport(algorithm: "PS256")
        let set = try report.folder.text("jwks.json").replacing(#""alg":"PS256","#, with: "")
        try report.folder.write("unnamed.json", set)
        let outcome = report.verify(key: "unnamed.json")
        #expect(outcome.failed(1, "algorithmNotAllowed"), "\(outcome)")
        #expect(outcome.advice?.contains("--algorithm NAME") == true, "\(outcome)")
        #expect(report.verify(["--algorithm", "PS256"], key: "unnamed.json").isGood)
    }

    @Test("A published key is never a secret, and no header chooses the algorithm")
    func confusion() throws {
        let report = try SignedReport()
        let pem = CommandFolder.inProcess([
            "jwk", "convert", "--key", report.folder.path("jwks.json"), "--to", "pem",
        ])
        try report.folder.write("public.pem", pem.output)
        for secret in [pem.output, try report.folder.read("jwks.json")] {
            try report.folder.write(
                "secret.json",
                #"{"kty":"oct","alg":"HS256","k":"\#(Base64URL.encode(secret))"}"#)
            // 'jws sign' refuses such a secret, so this is how an attacker would do it.
            let header = Base64URL.encode(#"{"alg":"HS256","typ":"signet-audit+jws"}"#.utf8)
            let signed = header + "." + Base64URL.encode(try SignedReport.payload().utf8)
            let code = try MACKey(SecretKey(copying: secret), hash: .sha256)
                .authenticationCode(for: signed.utf8)
            try report.folder.write("audit.html.jws", signed + "." + Base64URL.encode(code))
            for key in ["public.pem", "jwks.json", "key.json"] {
                #expect(report.verify(key: key).failed(1, "algorithmNotAllowed"), "\(key)")
            }
            #expect(report.verify(key: "secret.json").failed(1, "wrongKeyClass"))
            #expect(report.verify(["--algorithm", "HS256"]).status == 2)
            #expect(report.verify(["--algorithm", "HS256"], key: "public.pem").status == 2)
        }
        let payload = Base64URL.encode(try SignedReport.payload().utf8)
        for name in ["none", "None", "NONE", ""] {
            let header = Base64URL.encode(#"{"alg":"\#(name)","typ":"signet-audit+jws"}"#.utf8)
            try report.folder.write("audit.html.jws", "\(header).\(payload).")
            #expect(report.verify().failed(1, "algorithmNotAllowed"), "\(name)")
        }
    }

    @Test("A renamed report is refused, unless that is allowed by name")
    func renamed() throws {
        let report = try SignedReport()
        for name in ["other.html", "Audit.html", "audit.html ", "a\u{301}udit.html"] {
            try report.sign(SignedReport.payload(name: name))
            let outcome = report.verify()
            #expect(outcome.failed(1, "nameMismatch"), "\(outcome)")
            #expect(outcome.advice?.contains("--any-name") == true)
            #expect(report.verify(["--any-name"]).text.contains("signed under the name \(name)\n"))
            let json = try report.verify(["--any-name", "--json"]).json
            #expect(json["valid"] == .bool(true) && json["signedName"]?.text == name)
        }
        // Canonically equivalent is not the same.
        let composed = try SignedReport("caf\u{e9}")
        #expect(composed.verify().isGood)
        try composed.sign(SignedReport.payload(name: "cafe\u{301}"))
        #expect(composed.verify().failed(1, "nameMismatch"))
        // Nothing in a name is obeyed by a terminal.
        try report.sign(SignedReport.payload(name: #"x\u001b[2J\nsignet: ok"#))
        for options in [[], ["--any-name"]] {
            let outcome = report.verify(options)
            let said = outcome.text + outcome.errors
            #expect(!said.contains("\u{1b}") && !said.contains("\nsignet: ok"), "\(outcome)")
        }
        let obeyed = "x\u{9b}2J\u{202e}\u{2028}y"
        try report.sign(SignedReport.payload(name: obeyed))
        let shown = report.verify(["--any-name", "--json"])
        #expect(try shown.json["signedName"]?.text == obeyed, "\(shown)")
        #expect(shown.text.unicodeScalars.allSatisfy { $0.isASCII }, "\(shown)")
    }

    @Test("What cannot be read is not answered")
    func absent() throws {
        let report = try SignedReport()
        try FileManager.default.removeItem(atPath: report.folder.path("audit.html.jws"))
        let unsigned = report.verify()
        #expect(
            unsigned.failed(3, "system") && unsigned.errors.contains("audit.html.jws"),
            "\(unsigned)")
        try report.sign()
        try FileManager.default.removeItem(atPath: report.folder.path("audit.html"))
        #expect(report.verify().failed(3, "system"))
        #expect(report.verify(key: "nowhere.json").failed(3, "system"))
        // Nothing is waited for, and no link is followed.
        for name in ["audit.html", "audit.html.jws"] {
            for kind in ["mkfifo \(name)", "ln -s key.json \(name)", "mkdir \(name)"] {
                let other = try SignedReport()
                try other.folder.bash("rm \(name); \(kind)")
                let outcome = other.verify()
                #expect(outcome.failed(3, "system"), "\(kind): \(outcome)")
                #expect(outcome.errors.contains("\(name) is no regular file"), "\(outcome)")
            }
        }
        let input = CommandFolder.inProcess([
            "audit", "verify", "-", "--key", report.folder.path("jwks.json"),
        ])
        #expect(input.failed(2, "usage"), "\(input)")
    }

    @Test("The subcommands take none of the audit's own options, and say so")
    func options() {
        let own = (CommandOptions.all["audit"] ?? []).subtracting([
            "--help", "--json", "--version",
        ])
        #expect(own.count == 10)
        for option in own {
            let isFlag = ["--junit", "--force", "--slow"].contains(option)
            let value = option == "--require" ? "scrypt" : option == "--algorithm" ? "RS256" : "x"
            let words = isFlag ? [option] : [option, value]
            for line in [["diff", "a", "b"], ["verify", "r", "--key", "k"]]
            where line[0] == "diff" || option != "--algorithm" {
                let outcome = CommandFolder.inProcess(["audit"] + line + words)
                #expect(outcome.failed(2, "usage"), "\(outcome)")
                #expect(outcome.errors.contains("\(option) means nothing"), "\(outcome)")
            }
        }
    }
}
