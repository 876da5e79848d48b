// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// What must not compile does not: shown with the compiler itself, from outside the package.
@Suite(
    "Code that must not compile",
    .enabled(if: Typecheck.isPossible, "no swiftc, or no modules beside the tests"))
struct TrustIsInTheType {
    static let parameters =
        "r: RegisteredClaims, h: TokenHeader, s: HMACKey, ss: HMACKeySet, k: VerificationKey, ks: KeySet, "
        + "p: TokenPolicy, u: UnverifiedToken, j: JWK, v: TokenVerifier, g: SigningKey"

    /// What someone writes, and the compiler's response.
    static let expressions: [(String, String)] = [
        ("VerifiedToken<Int>(claims: 1, registered: r, header: h, keyID: nil)", "inaccessible"),
        ("VerifiedPayload(payload: [], header: h, keyID: nil)", "error:"),
        ("try TokenHeader([UInt8]())", "error:"),
        ("try RegisteredClaims(payload: [])", "inaccessible"),
        // HMAC keys and public keys share no parameter.
        ("try TokenVerifier(hmacKey: k, policy: p)", "cannot convert"),
        ("TokenVerifier(key: s, policy: p)", "cannot convert"),
        ("TokenVerifier(keys: ss, policy: p)", "cannot convert"), ("KeySet([s])", "cannot convert"),
        ("HMACKeySet([k])", "cannot convert"),
        ("try HMACKey(secret: k, algorithm: .hs256)", "cannot convert"),
        ("try HMACKey(secret: j, algorithm: .hs256)", "cannot convert"),
        ("try VerificationKey(jwk: j, algorithm: .hs256)", "no member"),
        ("try HMACKey(jwk: j, algorithm: .rs256)", "no member"),
        ("JWSSigner(key: k)", "cannot convert"), ("TokenSigner(key: k)", "cannot convert"),
        // There is no none, and no custom algorithm.
        ("SignatureAlgorithm.none", "no member"), ("HMACAlgorithm.none", "no member"),
        ("SignatureAlgorithm(identifier: .rs256)", "error:"),
        // A policy has an issuer and an audience; a verifier has a policy.
        ("try TokenPolicy()", "error:"), ("try TokenPolicy(issuer: \"i\")", "error:"),
        ("try TokenPolicy(audience: [\"a\"])", "error:"),
        ("TokenVerifier(keys: ks)", "error:"),
        // An unverified token has no claims and is not a verified one.
        ("u.claims", "no member"), ("u.payload", "no member"), ("u.subject", "no member"),
        ("u.registered", "no member"),
        // Private halves do not leak as a side effect.
        ("g.jwk", "inaccessible"), ("s.secret", "inaccessible"), ("j.material", "inaccessible"),
        ("try g.exportPrivateJSON() as String", "cannot convert"),
        ("\"\\(try g.exportPrivateJSON())\"", "error:"),
    ]

    /// What is correct and must compile: it shows that the others fail for the stated reason.
    static let controls = [
        "try TokenVerifier(hmacKey: s, policy: p)", "TokenVerifier(keys: ks, policy: p)",
        "u.issuer",
        "KeySet([k])", "try TokenPolicy(issuer: \"i\", audience: [\"a\"])",
        "try v.verify(\"\").claims.subject", "try g.exportPrivateJSON().count",
    ]

    /// All of them in one file, which the compiler reads once.
    private static let diagnostics = Result {
        try Typecheck.diagnostics(of: controls + expressions.map(\.0), parameters)
    }

    @Test("Correct code compiles", arguments: controls)
    func control(_ expression: String) throws {
        #expect(try Self.diagnostics.get()[expression] == nil)
    }

    @Test("Incorrect code does not compile", arguments: expressions)
    func refused(_ expression: String, _ complaint: String) throws {
        let said = try Self.diagnostics.get()[expression] ?? ""
        #expect(said.contains("error:") && said.contains(complaint), "\(expression): \(said)")
    }
}

/// The compiler over the modules that these tests were built with.
enum Typecheck {
    static let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("Modules")
    /// The package's folder is where `swift test` runs tests.
    static let sources = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        .appendingPathComponent("Sources")
    /// The C modules below the library: the compiler finds them by their maps.
    static let systems = ["COpenSSL", "CSignetOpenSSL/include", "CSignetSystem"].map {
        sources.appendingPathComponent($0).path
    }

    static var isPossible: Bool {
        let module = modules.appendingPathComponent("SignetJOSE.swiftmodule")
        guard FileManager.default.fileExists(atPath: module.path),
            systems.allSatisfy({ FileManager.default.fileExists(atPath: $0) })
        else { return false }
        return (try? run(["-version"])) != nil
    }

    /// What the compiler says about each expression, each in its own function; nothing about one
    /// that compiles.
    static func diagnostics(of expressions: [String], _ parameters: String) throws -> [String:
        String]
    {
        let imports = ["import SignetCrypto", "import SignetJOSE"]
        let functions = expressions.enumerated().map { number, expression in
            "func use\(number)(\(parameters)) throws { _ = \(expression) }"
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(UUID().uuidString).swift")
        try (imports + functions).joined(separator: "\n")
            .write(to: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let folders = ([modules.path] + systems).flatMap { ["-I", $0] }
        let output = try run(
            [
                "-typecheck", "-swift-version", "6", "-suppress-warnings", "-diagnostic-style",
                "llvm",
            ]
                + folders + [file.path])
        var said: [String: String] = [:]
        for line in output.split(separator: "\n") where line.hasPrefix(file.path + ":") {
            let rest = line.dropFirst(file.path.count + 1)
            // A line of ours, from 1; the imports come first.
            guard let number = rest.split(separator: ":").first.flatMap({ Int($0) }),
                expressions.indices.contains(number - 1 - imports.count)
            else { throw NoExpression(line: String(line)) }
            said[expressions[number - 1 - imports.count], default: ""] += rest + "\n"
        }
        return said
    }

    /// The compiler complains about something other than an expression, such as a missing module.
    struct NoExpression: Error {
        let line: String
    }

    private static func run(_ arguments: [String]) throws -> String {
        let outcome = try ChildProgram.run("/usr/bin/env", ["swiftc"] + arguments)
        if outcome.status == 127 { throw CocoaError(.fileNoSuchFile) }
        return outcome.text + outcome.complaint
    }
}
