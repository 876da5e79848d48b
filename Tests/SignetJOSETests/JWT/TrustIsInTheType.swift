// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What must not compile does not: shown with the compiler itself, from outside of the package.
@Suite(.enabled(if: Typecheck.isPossible, "no swiftc, or no modules beside the tests"))
struct TrustIsInTheType {
    static let parameters =
        "r: RegisteredClaims, h: TokenHeader, s: HMACKey, ss: HMACKeySet, k: VerificationKey, ks: KeySet, "
        + "p: TokenPolicy, u: UnverifiedToken, j: JWK, v: TokenVerifier, g: SigningKey"

    /// What somebody writes, and what the compiler says to it.
    static let expressions: [(String, String)] = [
        ("VerifiedToken<Int>(claims: 1, registered: r, header: h, keyID: nil)", "inaccessible"),
        ("VerifiedPayload(payload: [], header: h, keyID: nil)", "error:"),
        ("try TokenHeader([UInt8]())", "inaccessible"), ("try RegisteredClaims(payload: [])", "inaccessible"),
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
        // There is no none, and no algorithm of one's own.
        ("SignatureAlgorithm.none", "no member"), ("HMACAlgorithm.none", "no member"),
        ("SignatureAlgorithm(identifier: .rs256)", "error:"),
        // A policy has an issuer and an audience; a verifier has a policy.
        ("try TokenPolicy()", "error:"), ("try TokenPolicy(issuer: \"i\")", "error:"),
        ("try TokenPolicy(audience: [\"a\"])", "error:"),
        ("TokenVerifier(keys: ks)", "error:"),
        // An unverified token has no claims and is no verified one.
        ("u.claims", "no member"), ("u.payload", "no member"), ("u.subject", "no member"),
        ("u.registered", "no member"),
        // Private halves do not come out by the way.
        ("g.jwk", "inaccessible"), ("s.secret", "inaccessible"), ("j.material", "inaccessible"),
        ("try g.exportPrivateJSON() as String", "cannot convert"),
        ("\"\\(try g.exportPrivateJSON())\"", "error:"),
    ]

    @Test("Control: the right thing compiles")
    func control() throws {
        for expression in [
            "try TokenVerifier(hmacKey: s, policy: p)", "TokenVerifier(keys: ks, policy: p)", "u.issuer",
            "KeySet([k])",
            "try TokenPolicy(issuer: \"i\", audience: [\"a\"])", "try v.verify(\"\").claims.subject",
            "try g.exportPrivateJSON().count",
        ] {
            #expect(try Typecheck.output(of: expression, Self.parameters) == "", "\(expression)")
        }
    }

    @Test("What must not compile", arguments: expressions)
    func refused(_ expression: String, _ complaint: String) throws {
        let output = try Typecheck.output(of: expression, Self.parameters)
        #expect(output.contains("error:") && output.contains(complaint), "\(expression): \(output)")
    }
}

/// The compiler over the modules that these tests were built with.
enum Typecheck {
    static let modules = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("Modules")
    /// The package's folder is where `swift test` runs tests.
    static let sources = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        .appendingPathComponent("Sources")
    /// The C modules below the library: the compiler asks for them by their maps.
    static let systems = ["COpenSSL", "CSignetOpenSSL/include", "CSignetSystem", "CSignetVector/include"].map
    {
        sources.appendingPathComponent($0).path
    }

    static var isPossible: Bool {
        let module = modules.appendingPathComponent("SignetJOSE.swiftmodule")
        guard FileManager.default.fileExists(atPath: module.path),
            systems.allSatisfy({ FileManager.default.fileExists(atPath: $0) })
        else { return false }
        return (try? run(["-version"])) != nil
    }

    /// What the compiler has to say of an expression; nothing when it compiles.
    static func output(of expression: String, _ parameters: String) throws -> String {
        let source =
            "import SignetCrypto\nimport SignetJOSE\nfunc use(\(parameters)) throws { _ = \(expression) }\n"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
        try source.write(to: file, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let folders = ([modules.path] + systems).flatMap { ["-I", $0] }
        return try run(
            ["-typecheck", "-swift-version", "6", "-suppress-warnings"] + folders + [file.path])
    }

    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if process.terminationStatus == 127 { throw CocoaError(.fileNoSuchFile) }
        return String(decoding: data, as: UTF8.self)
    }
}
