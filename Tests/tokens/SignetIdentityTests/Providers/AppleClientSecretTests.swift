// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Apple's client secret")
struct AppleClientSecretTests {
    static let clock = TimeSource.fixed(secondsSince1970: 1_800_000_000)

    @Test("The secret has Apple's claims", arguments: [1, 86_400, 15_777_000])
    func good(_ seconds: Int64) throws {
        let key = try SigningKey.generate(.es256, keyID: "ABC123DEFG")
        let secret = try AppleClientSecret.issue(
            teamID: "DEF123GHIJ", clientID: "eg.Kinnect.auth", key: key,
            lifetime: .seconds(seconds),
            clock: Self.clock)
        let policy = try TokenPolicy(
            issuer: "DEF123GHIJ", audience: ["https://appleid.apple.com"], clock: Self.clock)
        let token = try TokenVerifier(keys: KeySet([key.verificationKey]), policy: policy).verify(
            secret)
        #expect(token.header.algorithm == "ES256" && token.header.keyID == "ABC123DEFG")
        #expect(token.registered.subject == "eg.Kinnect.auth")
        #expect(token.registered.issuedAt?.secondsSince1970 == 1_800_000_000)
        #expect(token.registered.expiration?.secondsSince1970 == 1_800_000_000 + Double(seconds))
        #expect(token.registered.root.count == 5)
    }

    @Test("Invalid values are refused")
    func refused() throws {
        let key = try SigningKey.generate(.es256)
        func code(
            team: String = "DEF123GHIJ", client: String = "eg.Kinnect", key: SigningKey,
            lifetime: Duration = .seconds(60)
        ) -> IdentityConfigurationError.Code? {
            do throws(IdentityConfigurationError) {
                _ = try AppleClientSecret.issue(
                    teamID: team, clientID: client, key: key, lifetime: lifetime, clock: .still)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(key: key) == nil)
        for lifetime in [
            Duration.zero, .seconds(-1), .milliseconds(999), .seconds(15_777_001),
            .seconds(Int64.max),
        ] {
            #expect(code(key: key, lifetime: lifetime) == .outOfRange)
        }
        for team in ["", "DEF123GHI", "def123ghij", "DEF123GHIJK", "DEF 23GHIJ"] {
            #expect(code(team: team, key: key) == .invalidIdentifier)
        }
        #expect(code(client: "", key: key) == .invalidIdentifier)
        #expect(code(client: "a b", key: key) == .invalidIdentifier)
        #expect(code(key: try SigningKey.generate(.es384)) == .invalidSecret)
        #expect(code(key: try SigningKey.generate(.ed25519)) == .invalidSecret)
    }
}
