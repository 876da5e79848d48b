// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetIdentity
import SignetJOSE
import SignetVault
import Testing

@Suite struct SigningKeyTests {
    private struct Published: Decodable {
        struct Key: Decodable {
            let kid: String
            let kty: String
            let d: String?
        }
        let keys: [Key]
    }

    @Test func publishesThePublicHalvesAlone() async throws {
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

    @Test func aRotationLogsNobodyOut() async throws {
        try await World.with(World.Options(settings: ["AUTH_KEY_REREAD_SECONDS": "1"])) { world in
            let before = try await world.signIn().sessionToken
            // As the command does, from another process: with a vault of its own.
            let other = try SigningKeyVault.open(
                path: world.folder.path("keys.vault"),
                key: .file(path: world.folder.path("vault.key")))
            let ring = try other.rotate()
            other.close()
            #expect(ring.members.count == 2)
            try await world.eventually { !world.log.events("took other signing keys").isEmpty }
            let after = try await world.signIn().sessionToken
            let (old, new) = (try UnverifiedClaims(before).kid, try UnverifiedClaims(after).kid)
            #expect(old != new && new == ring.currentKeyID)
            for token in [before, after] {
                #expect(try await world.client.get("/v1/auth/me", token: token).status == 200)
            }
            let keys = try await world.client.get("/.well-known/jwks.json").json(Published.self)
                .keys
            #expect(Set(keys.map(\.kid)) == [old, new])
        }
    }

    /// What other services verify with ends when our own verification does, without another rotation.
    @Test func aKeyPastItsLastMomentIsPublishedNoMore() async throws {
        try await World.with(World.Options(settings: ["AUTH_KEY_REREAD_SECONDS": "1"])) { world in
            let old = try world.vault.ring().currentKeyID
            let new = try world.vault.rotate(clock: world.clock.token).currentKeyID
            try await world.eventually { !world.log.events("took other signing keys").isEmpty }
            func published() async throws -> [String] {
                try await world.client.get("/.well-known/jwks.json").json(Published.self).keys.map(
                    \.kid)
            }
            #expect(try await published() == [new, old])
            world.clock.advance(by: 2_592_000 + 87_100)
            #expect(try await published() == [new])
        }
    }

    @Test func whoeverOnlyReadsWritesNothing() async throws {
        try await World.with(World.Options(settings: ["AUTH_KEY_REREAD_SECONDS": "1"])) { world in
            let file = URL(fileURLWithPath: world.folder.path("keys.vault"))
            // What the server wrote at its start is in the log for a second.
            while let log = try? Data(contentsOf: URL(fileURLWithPath: file.path + "-wal")),
                !log.isEmpty
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            let before = try Data(contentsOf: file)
            _ = try await world.signIn()
            try await Task.sleep(for: .milliseconds(2_500))
            try SigningKeyVault.open(
                path: world.folder.path("keys.vault"),
                key: .file(path: world.folder.path("vault.key"))
            ).close()
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test func anEarlierKeyGoesWhenItsLastTokenHasEnded() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let clock = MovableClock()
        let vault = try SigningKeyVault.open(
            path: folder.path("v"), key: .file(path: folder.path("k")))
        defer { vault.close() }
        let first = try vault.ring().currentKeyID
        #expect(try vault.rotate(clock: clock.token).members.count == 2)
        // A server that looks for new keys once a day has signed with the old one until now.
        clock.advance(by: 86_400 + 2_592_000)
        #expect(try vault.rotate(clock: clock.token).members.map(\.keyID).contains(first))
        clock.advance(by: 700)
        #expect(try !vault.rotate(clock: clock.token).members.map(\.keyID).contains(first))
    }

    @Test func sessionsLiveThroughARestart() async throws {
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

    /// Each makes key file and vault unless they are there; whoever comes second takes what is there.
    @Test func serversThatStartTogetherShareTheFirstKeys() async throws {
        for _ in 0..<10 {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let keys = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let vault = try SigningKeyVault.open(
                            path: folder.path("v"), key: .file(path: folder.path("k")))
                        defer { vault.close() }
                        return try vault.ring().currentKeyID
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(keys.count == 1)
        }
    }

    /// Only "there is none" makes a new vault: everything else would log everybody out.
    @Test func aVaultThatDoesNotOpenIsNeverReplaced() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("v")
        try SigningKeyVault.open(path: path, key: .passphrase("correct horse battery staple"))
            .close()
        #expect(throws: StoreError(.authenticationFailure, "")) {
            try SigningKeyVault.open(path: path, key: .passphrase("wrong"))
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: StoreError.self) {
            try SigningKeyVault.open(path: path, key: .file(path: folder.path("missing.key")))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: folder.path("missing.key")))
    }

    @Test func theIssuersRotationIsFollowed() async throws {
        try await World.with { world in
            _ = try await world.signIn()
            try world.issuer.rotateKeys(forgetting: true)
            let token = try world.issuer.idToken(MintRequest(person: .ada))
            try await world.eventually { try await world.presents(token).status == 200 }
        }
    }
}
