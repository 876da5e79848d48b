// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet email check")
struct EmailCheckTests {
    private static let allow = ["email", "check", "--allow-domain", "company.example"]

    @Test("An allowed address has status 0, a refused one status 1")
    func program() throws {
        let folder = try CommandFolder()
        let allowed = try folder.signet(Self.allow, input: Array("user@company.example\n".utf8))
        #expect(allowed.isGood && allowed.text == "allowed company.example\n", "\(allowed)")
        try folder.write("more", "fresh.example\n")
        let refused = try folder.signet(
            Self.allow + ["--consumer-list", "more", "user@fresh.example"])
        #expect(refused.failed(1, "consumer"), "\(refused)")
    }

    @Test(
        "An address of the domain is allowed, as an argument and on standard input",
        arguments: ["user@company.example", "First.Last+tag@Company.EXAMPLE"])
    func allowed(_ address: String) {
        let plain = CommandFolder.inProcess(Self.allow + [address])
        #expect(plain.isGood && plain.text == "allowed company.example\n", "\(plain)")
        for input in [address, address + "\n", address + "\r\n"] {
            let read = CommandFolder.inProcess(Self.allow, input: Array(input.utf8))
            #expect(read.isGood && read.output == plain.output, "\(read)")
        }
        let json = CommandFolder.inProcess(Self.allow + ["--json", "--", address])
        #expect(
            json.text == "{\"domain\":\"company.example\",\"valid\":true,\"verdict\":\"allowed\"}\n"
        )
    }

    @Test(
        "Any other address is refused with status 1 and its reason",
        arguments: [
            ("user@mail.company.example", "notAllowed", "notAllowed"),
            ("user@evil.example", "notAllowed", "notAllowed"),
            ("user@gmail.com", "consumer", "consumer"),
            ("user@mailinator.com", "disposable", "disposable"),
            ("x@privaterelay.appleid.com", "privateRelay", "privateRelay"),
            ("attacker@evil.com@company.example", "malformed", "severalAtSigns"),
            ("\"a@evil.com\"@company.example", "malformed", "quotedLocalPart"),
            ("user@company.example ", "malformed", "space"),
            ("user@company.example\n\n", "malformed", "controlCharacter"),
            ("user@company.example\r", "malformed", "controlCharacter"),
            ("user@\u{212a}ompany.example", "malformed", "nonASCII"), ("", "malformed", "empty"),
            ("attacker@evil.com\u{0}@company.example", "malformed", "controlCharacter"),
        ])
    func refused(address: String, verdict: String, code: String) throws {
        let plain = CommandFolder.inProcess(Self.allow, input: Array(address.utf8))
        #expect(plain.failed(1, code), "\(plain)")
        let outcome = CommandFolder.inProcess(Self.allow + ["--json"], input: Array(address.utf8))
        let json = try outcome.json
        #expect(
            outcome.status == 1 && json["valid"] == .bool(false) && json["verdict"]?.text == verdict
        )
        #expect(json["error"]?["code"]?.text == code && json["exitStatus"] == .integer(1))
    }

    @Test("Bytes that are not UTF-8 are rejected as not ASCII")
    func octets() {
        let outcome = CommandFolder.inProcess(
            Self.allow, input: [0xff] + Array("@company.example".utf8))
        #expect(outcome.failed(1, "nonASCII"), "\(outcome)")
    }

    @Test("Subdomains are allowed when asked for")
    func subdomains() {
        let outcome = CommandFolder.inProcess(
            Self.allow + ["--include-subdomains", "user@mail.company.example"])
        #expect(outcome.isGood && outcome.text == "allowed mail.company.example\n", "\(outcome)")
    }

    @Test("'*.domain' allows the names below the domain, with no further option")
    func wildcard() {
        let check = ["email", "check", "--allow-domain", "*.company.example"]
        #expect(CommandFolder.inProcess(check + ["user@mail.company.example"]).isGood)
        let itself = CommandFolder.inProcess(check + ["user@company.example"])
        #expect(itself.failed(1, "notAllowed"), "\(itself)")
    }

    @Test("Lists as people keep them are read: a byte order mark, wildcards and comments")
    func listsAsTheyAre() throws {
        let folder = try CommandFolder()
        try folder.write(
            "more", "\u{feff}// relays\r\n*.relay.example\r\nfresh.example # new\r\n")
        let check = ["email", "check", "--allow-domain", "relay.example", "--disposable-list"]
        for (address, status) in [("x@relay.example", 0), ("x@u.relay.example", 1)]
            as [(String, Int32)]
        {
            let outcome = try folder.signet(check + ["more", "--", address])
            #expect(outcome.status == status, "\(outcome)")
        }
        try folder.write("broad", "one.example\n*.co.uk\n")
        let broad = try folder.signet(check + ["broad", "--", "x@relay.example"])
        #expect(broad.failed(2, "line") && broad.errors.contains("broad: Line 2: "), "\(broad)")
    }

    @Test("Lists from files extend the policy", .tags(.commandLine))
    func lists() throws {
        let folder = try CommandFolder()
        try folder.write("more", "# newer\nfresh.example\n")
        for (option, code) in [
            ("--consumer-list", "consumer"), ("--disposable-list", "disposable"),
        ] {
            let outcome = try folder.signet(
                Self.allow + [option, "more", "user@mail.fresh.example"])
            #expect(outcome.failed(1, code), "\(outcome)")
            let allowed = try folder.signet([
                "email", "check", "--allow-domain", "fresh.example", option, "more", "a@b.example",
            ])
            #expect(allowed.failed(2, code + "Domain"), "\(allowed)")
        }
        try folder.write("suffixes", "example\ncompany.example\n")
        let suffix = try folder.signet(
            Self.allow + ["--public-suffix-list", "suffixes", "user@company.example"])
        #expect(suffix.failed(2, "publicSuffix"), "\(suffix)")
        try folder.write("broken", "one.example\n<html>\n")
        for option in ["--consumer-list", "--disposable-list", "--public-suffix-list"] {
            let broken = try folder.signet(Self.allow + [option, "broken", "user@company.example"])
            #expect(
                broken.failed(2, "line") && broken.errors.contains("broken: Line 2: "), "\(broken)")
            let absent = try folder.signet(
                Self.allow + [option, "nowhere", "user@company.example"])
            #expect(absent.failed(3, "system"), "\(absent)")
        }
    }

    @Test(
        "A wrong command line is reported with its code",
        arguments: [
            (["a@b.example"], "usage"),
            (["--allow-domain", "@company.example", "a@b.example"], "atSign"),
            (["--allow-domain", "com", "a@b.example"], "singleLabel"),
            (["--allow-domain", "co.uk", "a@b.example"], "publicSuffix"),
            (["--allow-domain", "gmail.com", "a@b.example"], "consumerDomain"),
            (["--allow-domain", ".company.example", "a@b.example"], "wildcard"),
            (["--allow-domain", "*.co.uk", "a@b.example"], "publicSuffix"),
            (["--allow-domain", "onmicrosoft.com", "a@b.example"], "publicSuffix"),
            (["--allow-domain", "company.example", "--consumer-list", "-"], "usage"),
        ])
    func usage(arguments: [String], code: String) throws {
        let outcome = CommandFolder.inProcess(["email", "check"] + arguments)
        #expect(outcome.failed(2, code), "\(outcome)")
        let json = try CommandFolder.inProcess(["email", "check", "--json"] + arguments).json
        #expect(json["valid"] == .bool(false) && json["error"]?["code"]?.text == code)
    }

    @Test("The help says what a bare address proves")
    func help() {
        let help = CommandFolder.inProcess("email check --help")
        #expect(help.isGood && help.text.contains("not control it"), "\(help)")
    }
}
