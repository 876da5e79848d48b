// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetAccounts
import SignetIdentity
import SignetJOSE
import SignetVault
import Testing

@Suite("The server's signing keys")
struct SigningKeyTests {
    private struct Published: Decodable {
        struct Key: Decodable {
            let kid: String
            let kty: String
            let d: String?
        }
        let keys: [Key]
    }

    @Test("Only the public halves of the keys are published, and they verify")
    func publishesOnlyPublicHalves() async throws {
        try await World.with { world in
            let token = try await world.signIn().sessionToken
            let answer = try await world.client.get("/.well-known/jwks.json")
            #expect(answer.status == 200)
            #expect(answer.header("cache-control") == "public, max-age=300")
            let keys = try answer.json(Published.self).keys
            #expect(keys.count == 1 && keys.allSatisfy { $0.d == nil && $0.kty == "EC" })
            // Another service verifies with what is published, and nothing else.
            let policy = try TokenPolicy(
                issuer: "https://auth.example", audience: ["https://auth.example/session"])
            let verifier = TokenVerifier(keys: try KeySet(jwks: answer.body), policy: policy)
            #expect(try verifier.verify(token).registered.subject == UnverifiedClaims(token).sub)
        }
    }

    /// The next key is published for an hour before it signs, and the one before verifies until the
    /// last of its tokens has ended.
    @Test("A rotation signs no one out")
    func aRotationSignsNobodyOut() async throws {
        try await World.with(World.Options(keyReadingPause: .seconds(1))) { world in
            func published() async throws -> [String] {
                try await world.client.get("/.well-known/jwks.json").json(Published.self).keys
                    .map(\.kid)
            }
            let old = try #require(try await published().first)
            // Five days before its time is over.
            world.clock.advance(by: 25 * 86_400)
            let before = try await world.signIn().sessionToken
            world.clock.advance(by: 5 * 86_400 - 1_800)
            try await world.eventually { try await published().count == 2 }
            let ahead = try await world.signIn().sessionToken
            #expect(try UnverifiedClaims(ahead).kid == old)
            world.clock.advance(by: 7_200)
            try await world.eventually {
                try UnverifiedClaims(await world.signIn().sessionToken).kid != old
            }
            for token in [before, ahead] {
                #expect(try await world.client.get("/v1/auth/me", token: token).status == 200)
            }
            #expect(try await published().contains(old))
            // Publishing the next key removes those that have no valid token.
            world.clock.advance(by: 30 * 86_400 + 7_200)
            try await world.eventually {
                let keys = try await published()
                return keys.count == 2 && !keys.contains(old)
            }
        }
    }

    @Test("A second start changes nothing in the vault")
    func aStartChangesNothingInTheVault() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = URL(fileURLWithPath: folder.path("keys.vault"))
        try await World.run(in: folder) { world in _ = try await world.signIn() }
        let before = try Data(contentsOf: file)
        try await World.run(in: folder) { world in _ = try await world.signIn() }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("Sessions stay valid after a restart, and the key files are private")
    func sessionsLiveThroughARestart() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let token = MovableText()
        try await World.run(in: folder) { world in
            token.text = try await world.signIn().sessionToken
        }
        try await World.run(in: folder) { world in
            let me = try await world.client.get("/v1/auth/me", token: token.text)
            #expect(me.status == 200)
        }
        let modes = try ["keys.vault", "vault.key"].map {
            try FileManager.default.attributesOfItem(atPath: folder.path($0))[.posixPermissions]
                as? Int
        }
        #expect(modes == [0o600, 0o600])
    }

    private func vault(_ folder: TemporaryFolder, key: String) throws -> VaultAccess {
        let settings = [
            "AUTH_VAULT": folder.path("v"), "AUTH_VAULT_KEY_FILE": folder.path(key),
            "AUTH_VAULT_CREDENTIAL": "",
        ]
        return try ServerConfiguration(Settings(ConfigurationTests.good.merging(settings) { $1 }))
            .vault
    }

    /// Each makes the key file, vault and keys unless they exist; the later ones use what is there.
    @Test("Servers that start together share the first keys")
    func serversThatStartTogetherShareTheFirstKeys() async throws {
        for _ in 0..<10 {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let keys = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let secret = try await AccountSecret(
                            vault(folder, key: "k").secret())
                        let database = try await SQLiteAccounts.open(
                            at: folder.path("db"), busyTimeout: .seconds(600))
                        return try await SigningKeys.open(
                            in: .database(database, secret: secret)
                        ).ring.currentKeyID
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }
    }

    /// A new vault is made only if there is none: after any other error, a new one would sign
    /// everyone out.
    @Test("A vault that does not open is never replaced")
    func aVaultThatDoesNotOpenIsNeverReplaced() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("v")
        _ = try await vault(folder, key: "right.key").secret()
        _ = try KeyFileUnlock.create(at: folder.path("wrong.key"))
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        for (key, code) in [
            ("wrong.key", StoreError.Code.authenticationFailure), ("missing.key", .missingKeyFile),
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await vault(folder, key: key).secret()
            }
            #expect(error?.code == code)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("missing.key")))
    }

    @Test("After the issuer rotates its keys, a new token is accepted")
    func theIssuersRotationIsFollowed() async throws {
        try await World.with { world in
            _ = try await world.signIn()
            try world.issuer.rotateKeys(forgetting: true)
            let token = try world.issuer.idToken(MintRequest(person: .ada))
            try await world.eventually { try await world.presents(token).status == 200 }
        }
    }
}
