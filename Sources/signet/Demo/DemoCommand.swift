// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetAudit
internal import SignetCrypto
internal import SignetJOSE

/// `signet demo`
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show the main job on real input, step by step.")

    func run() throws {
        try Output.line(
            "Signet \(SignetVersion.current) on \(CryptoProvider.libraryVersion), "
                + "provider \(CryptoProvider.providerName)"
        )
        try verifyForeignToken()
        try signSessionToken()
        try sealFile()
        try keepToken()
        try audit()
    }

    func title(_ text: String) throws { try Output.line("\n== \(text)") }

    func step(_ what: String, _ result: String) throws {
        try Output.line(
            "   " + what.padding(toLength: max(44, what.count + 1), withPad: " ", startingAt: 0)
                + result)
    }

    private func verifyForeignToken() throws {
        try title("A token that \(ForeignToken.madeBy) minted, verified with its issuer's key set")
        let keys = try KeySet(jwks: ForeignToken.jwks)
        for skipped in keys.skipped {
            try step("the set has a key Signet does not use:", "\(skipped)")
        }
        let during = ForeignToken.issuedAt + 60
        let policy = try policy(audience: ForeignToken.audience, time: during)
        let verified = try TokenVerifier(keys: keys, policy: policy).verify(
            ForeignToken.compact, as: JSONValue.self)
        try step(
            "the token as it is:",
            "verified, \(verified.header.algorithm), kid \(verified.keyID ?? "none")")
        try step("its claims:", String(decoding: verified.registered.root.rawBytes, as: UTF8.self))

        try expectRefusal(
            "with one bit changed:", try flippingOneBit(ForeignToken.compact), keys, policy)
        try expectRefusal(
            "an hour after it expired:", ForeignToken.compact, keys,
            try self.policy(audience: ForeignToken.audience, time: ForeignToken.expiresAt + 3600))
        try expectRefusal(
            "at a service that it was not made for:", ForeignToken.compact, keys,
            try self.policy(audience: "another-api", time: during))
    }

    private func policy(audience: String, time: Double) throws -> TokenPolicy {
        try TokenPolicy(
            issuer: ForeignToken.issuer, audience: [audience], clock: .fixed(secondsSince1970: time)
        )
    }

    private func expectRefusal(
        _ what: String, _ token: String, _ keys: KeySet, _ policy: TokenPolicy
    ) throws {
        do throws(TokenError) {
            _ = try TokenVerifier(keys: keys, policy: policy).verify(token)
        } catch {
            return try step(what, "refused: \(error)")
        }
        throw CommandFailure.refused(
            "demo", "A token was verified \(what), which must never happen.")
    }

    /// The same token with the lowest bit of one byte of its payload flipped.
    private func flippingOneBit(_ token: String) throws -> String {
        var parts = token.split(separator: ".").map(String.init)
        var payload = try Base64URL.decode(parts[1])
        payload[payload.count / 2] ^= 1
        parts[1] = Base64URL.encode(payload)
        return parts.joined(separator: ".")
    }

    private func signSessionToken() throws {
        try title("A new key pair and a session token of our own")
        let key = try SigningKey.generate(.es256)
        try step("new key:", "\(key)")
        let claims = JSONValue.object([
            "iss": .string("https://shop.example"), "aud": .string("shop"),
            "sub": .string("user-1093"),
        ])
        let token = try TokenSigner(key: key).sign(claims, lifetime: .seconds(3600))
        try step("signed token:", token)
        let published = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
        let policy = try TokenPolicy(issuer: "https://shop.example", audience: ["shop"])
        let verified = try TokenVerifier(keys: published, policy: policy).verify(token)
        try step(
            "verified with the published public key:",
            "sub \(verified.registered.subject ?? "none"), for one hour")
    }

    private func sealFile() throws {
        try title("A secret, sealed")
        let key = try SecretKey.generate()
        let secret = Array("database password: correct horse battery staple\n".utf8)
        let sealed = try SealedFile.seal(secret, key: key)
        try step("sealed with XAES-256-GCM:", "\(secret.count) bytes became \(sealed.count)")
        let opened = try SealedFile.open(sealed, key: key)
        guard opened == secret else {
            throw CommandFailure.refused("demo", "The sealed bytes came back different.")
        }
        try step("opened with the same key:", "the same \(opened.count) bytes")
        var changed = sealed
        changed[sealed.count - 20] ^= 1
        do {
            _ = try SealedFile.open(changed, key: key)
        } catch {
            return try step("with one bit flipped:", "refused: \(error)")
        }
        throw CommandFailure.refused("demo", "A changed file was opened, which must never happen.")
    }

    private func audit() throws {
        try title("The published test vectors on this machine")
        let catalog = try AuditCatalog(environment: ProcessInfo.processInfo.environment)
        let report = AuditRunner().run(catalog)
        try Output.line(report.verdict)
        try Output.line(
            "The whole report, with what it was made from: signet audit --html audit.html")
        guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }
}
