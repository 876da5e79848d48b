// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// A run of combining characters in what the command line reads: tokens, keys, claims, addresses,
/// lists, and arguments. In the process of the tests, whose thread's time is measured; `idtoken
/// verify` waits on another thread, and SignetIdentityTests measure what it reads.
@Suite("The cost of combining characters in the command line's input")
struct CombiningInputCosts {
    private static let all: Result<[HostileMember], any Error> = Result {
        let folder = try CostFolder()
        return try folder.tokens() + folder.claims() + folder.keys() + folder.addresses()
            + folder.arguments()
    }
    static let members: [HostileMember] = (try? all.get()) ?? []

    @Test("There are members to look at")
    func made() throws { #expect(try Self.all.get().count > 60) }

    @Test(
        "A run of 8 KiB costs what its bytes cost", .tags(.commandLine, .sampled),
        arguments: Effort.cases(members, oneOf: 10))
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test(
        "A run of 64 or 512 KiB costs what its bytes cost", .tags(.commandLine), arguments: members)
    func large(_ member: HostileMember) throws { try member.expectLinearWhenLarge() }
}

/// A folder with keys, and what is run in it.
private final class CostFolder: Sendable {
    private let folder: CommandFolder
    private let secret: String

    init() throws {
        folder = try CommandFolder()
        secret = try Keys.json("HS256")
        try folder.write("secret.json", secret)
    }

    /// Documents on standard input.
    private func input(
        _ arguments: [String], good: @escaping @Sendable (Int) throws -> String
    ) -> DocumentKind {
        DocumentKind(good: good) {
            CommandFolder.inProcess(arguments, input: Array($0.utf8)).status == 0
        }
    }

    /// Documents in a file, whose name takes the place of `FILE`.
    private func file(
        _ arguments: [String], input: String = "", good: @escaping @Sendable (Int) throws -> String
    ) -> DocumentKind {
        let folder = folder
        return DocumentKind(good: good) { document in
            let name = UUID().uuidString
            guard (try? folder.write(name, document)) != nil else { return false }
            let named = arguments.map { $0 == "FILE" ? folder.path(name) : $0 }
            return CommandFolder.inProcess(named, input: Array(input.utf8)).status == 0
        }
    }

    private func signed(_ claims: String, _ key: String) throws -> String {
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path(key), "--type", "JWT"], input: Array(claims.utf8))
        return try CommandFolder.require(token.isGood ? token.line : nil)
    }

    // MARK: - Tokens

    private static let claims =
        #"{"iss":"https://accounts.google.com","aud":"web","sub":"1","iat":1700000000,"exp":1700003600"#

    private static func filled(_ byteCount: Int) -> String {
        claims + #","roles":["# + String(repeating: #""role","#, count: byteCount / 7) + #"""]}"#
    }

    private static let headers = [
        ("alg", #"{"alg":"HS256%"}"#), ("kid", #"{"alg":"HS256","kid":"%"}"#),
        ("typ", #"{"alg":"HS256","typ":"JWT%"}"#), ("a member's name", #"{"alg":"HS256","%":1}"#),
    ]
    private static let claimSets = [
        ("iss", claims.replacing("google.com", with: "google.com%") + "}"),
        ("aud", claims.replacing(#""web""#, with: #"["web","%"]"#) + "}"),
        ("another claim", claims + #","hd":"%"}"#), ("a claim's name", claims + #","%":1}"#),
    ]

    private static let encryptedHeaders = [
        ("alg", #"{"alg":"dir%","enc":"A256GCM"}"#),
        ("kid", #"{"alg":"dir","enc":"A256GCM","kid":"%"}"#),
        ("a member's name", #"{"alg":"dir","enc":"A256GCM","%":1}"#),
    ]

    private static func encrypted(_ header: String) -> String {
        Base64URL.encode(header.utf8) + "..AAAA.AAAA.AAAA"
    }

    func tokens() throws -> [HostileMember] {
        let policy = ["--any-issuer", "--any-audience", "--at", "1700000100"]
        let verify = input(["jwt", "verify", "--key", folder.path("secret.json")] + policy) {
            try self.signed(Self.filled($0), "secret.json")
        }
        let message = input(["jws", "verify", "--key", folder.path("secret.json")]) {
            try self.signed(Self.filled($0), "secret.json")
        }
        let inspect = input(["jwt", "inspect"]) { try self.signed(Self.filled($0), "secret.json") }
        let shown = input(["jwt", "inspect"]) {
            let roles = String(repeating: #""role","#, count: $0 / 7)
            return Self.encrypted(#"{"alg":"dir","enc":"A256GCM","x":[\#(roles)""]}"#)
        }
        let hidden = HostileMember.table(
            "jwt inspect, encrypted", shown, maximumByteCount: 48_000, Self.encryptedHeaders
        ) {
            Self.encrypted($0)
        }
        let tokens = [("jwt verify", verify), ("jws verify", message), ("jwt inspect", inspect)]
        let members: [HostileMember] = tokens.flatMap { name, kind in
            HostileMember.table(name, kind, maximumByteCount: 48_000, Self.headers) {
                Forge.compact($0, "{}", [1])
            }
                + HostileMember.table(name, kind, maximumByteCount: 180_000, Self.claimSets) {
                    try self.signed($0, "secret.json")
                }
        }
        return members + hidden
    }

    func claims() throws -> [HostileMember] {
        let sign = input(["jwt", "sign", "--key", folder.path("secret.json")], good: Self.filled)
        return HostileMember.table("jwt sign", sign, maximumByteCount: 180_000, Self.claimSets)
    }

    // MARK: - Keys

    func keys() throws -> [HostileMember] {
        let behind = secret.dropFirst()
        let templates = [
            ("kid", #"{"kid":"%","kty":"oct","k":"AAAA"}"#),
            ("use", #"{"use":"sig%","kty":"oct","k":"AAAA"}"#),
            ("alg", #"{"alg":"HS256%","kty":"oct","k":"AAAA"}"#), ("kty", #"{"kty":"oct%"}"#),
            ("crv", #"{"kty":"EC","crv":"P-256%","x":"AA","y":"AA"}"#),
            ("key_ops", #"{"key_ops":["sign%"],"kty":"oct","k":"AAAA"}"#),
            ("a member's name", #"{"%":1,\#(behind)"#), ("a note", #"{"note":"%",\#(behind)"#),
            ("no JSON", "%"), ("a PEM's label", "-----BEGIN %-----\n"),
        ]
        let good: @Sendable (Int) -> String = {
            #"{"notes":["# + String(repeating: #""note","#, count: $0 / 7) + #"""],"# + behind
        }
        let thumbprint = file(["jwk", "thumbprint", "--key", "FILE"], good: good)
        let token = try signed("message", "secret.json")
        let single = file(["jws", "verify", "--key", "FILE"], input: token, good: good)
        let set = file(["jws", "verify", "--key", "FILE"], input: token) {
            #"{"keys":[\#(good($0))]}"#
        }
        return HostileMember.table(
            "jwk thumbprint", thumbprint, maximumByteCount: 60_000, templates)
            + HostileMember.table("jws verify --key", single, maximumByteCount: 60_000, templates)
            + HostileMember.table(
                "jws verify --key of a set", set, maximumByteCount: 500_000, templates
            ) {
                #"{"keys":[\#($0)]}"#
            }
    }

    // MARK: - Addresses and arguments

    func addresses() throws -> [HostileMember] {
        let begin = ["email", "check", "--allow-domain", "company.example"]
        // No good address is as long: a good list of domains is what an address is measured by.
        let lists = file(begin + ["--disposable-list", "FILE"], input: "user@company.example") {
            String(repeating: "domain.example\n", count: $0 / 15)
        }
        let address = input(begin) { _ in "user@company.example" }
        return HostileMember.table(
            "email check --disposable-list", lists, maximumByteCount: 500_000,
            [("line", "a.example\n%\n"), ("comment", "a.example # %\n")])
            + HostileMember.table(
                "email check", address, maximumByteCount: 60_000,
                [("local part", "a%@company.example"), ("domain", "user@company.example%")])
    }

    /// A kernel takes arguments of 128 KiB.
    func arguments() throws -> [HostileMember] {
        let verify = [
            "jwt", "verify", "--key", folder.path("secret.json"), "--any-issuer", "--any-audience",
            "--at",
            "1700000100",
        ]
        let token = try signed(Self.claims + "}", "secret.json")
        let good: @Sendable (Int) -> String = { _ in token }
        let last = DocumentKind(good: good) {
            CommandFolder.inProcess(verify + ["--", $0]).status == 0
        }
        let bare = DocumentKind(good: good) { CommandFolder.inProcess(verify + [$0]).status == 0 }
        let sub: @Sendable (Int) -> String = { _ in "sub" }
        let required = DocumentKind(good: sub) {
            CommandFolder.inProcess(verify + ["--require", $0, "--", token]).status == 0
        }
        let places = [
            ("token", "a%"), ("token like an option", "--a%"), ("token with a value", "--a=%"),
        ]
        return HostileMember.table("argument", last, maximumByteCount: 120_000, places)
            + HostileMember.table("argument without --", bare, maximumByteCount: 120_000, places)
            + HostileMember.table(
                "argument --require", required, maximumByteCount: 120_000, [("name", "sub%")])
    }
}
