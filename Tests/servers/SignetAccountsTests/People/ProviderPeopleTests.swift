// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("People who sign in with providers' tokens", .serialized)
struct ProviderPeopleTests {
    private let people: People
    private let google: SigningKey
    private let apple: SigningKey

    init() async throws {
        people = People(try await SQLiteAccounts.inMemory())
        (google, apple) = (try .generate(.rs256), try .generate(.rs256))
    }

    private func verified(
        _ issuer: String, _ key: SigningKey, _ provider: IdentityProvider,
        _ more: [String: JSONValue]
    ) async throws -> VerifiedIdentity {
        let claims: [String: JSONValue] = ["iss": .string(issuer), "aud": "app", "sub": "17"]
        let token = try TokenSigner(key: key, clock: .still).sign(
            claims.merging(more) { $1 }, lifetime: .seconds(300))
        let verifier = try IDTokenVerifier(
            provider, keys: .inHand(KeySet([key.verificationKey])), options: .still)
        return try await verifier.verify(token)
    }

    private func google(_ more: [String: JSONValue]) async throws -> VerifiedIdentity {
        try await verified(
            "https://accounts.google.com", google, try .google(clientIDs: ["app"]), more)
    }

    private func apple(_ more: [String: JSONValue]) async throws -> VerifiedIdentity {
        try await verified(
            "https://appleid.apple.com", apple, try .apple(clientIDs: ["app"]), more)
    }

    @Test("Two providers with the same address are two people, until one links the other")
    func tokens() async throws {
        let one = try await google([
            "email": "ann@gmail.com", "email_verified": true, "name": "Ann Lee",
            "picture": "https://img.example/a.png",
        ])
        let other = try await apple(["email": "ann@gmail.com", "email_verified": "true"])
        let ann = try await people.findOrAdd(
            UserIdentity(one.identityKey), profile: ProfileValues(one)
        ).user
        #expect(ann.fullName == "Ann Lee" && ann.avatar == "https://img.example/a.png")
        #expect(ann.email == "ann@gmail.com" && ann.isEmailVerified)
        let apart = try await people.findOrAdd(
            UserIdentity(other.identityKey), profile: ProfileValues(other))
        #expect(apart.isNew && apart.user.id != ann.id && apart.user.isEmailVerified)
        let later = try await apple(["sub": "18", "email": "x@privaterelay.appleid.com"])
        let linked = try await people.link(
            UserIdentity(later.identityKey), profile: ProfileValues(later), to: ann.id)
        #expect(linked.email == "ann@gmail.com")
        // Google's other spelling of its issuer is the same person.
        let again = try await verified(
            "accounts.google.com", google, try .google(clientIDs: ["app"]), [:])
        let found = try await people.findOrAdd(
            UserIdentity(again.identityKey), profile: ProfileValues(again))
        #expect(!found.isNew && found.user.id == ann.id && found.user.fullName == "Ann Lee")
    }

    @Test("An unusable name, picture or address rejects no sign-in")
    func nonsense() async throws {
        let identity = try await google([
            "email": "not an address", "name": "\u{202e}\n", "picture": "javascript:alert(1)",
        ])
        let user = try await people.findOrAdd(
            UserIdentity(identity.identityKey), profile: ProfileValues(identity)
        ).user
        #expect(user.displayName == "Me" && user.avatar == nil && user.email == nil)
    }

    @Test("An unverified address never replaces a verified one")
    func unverified() async throws {
        let values = [
            try await google(["email": "ann@gmail.com", "email_verified": true]),
            try await google(["email": "boss@company.example", "email_verified": false]),
        ].map { ProfileValues($0) }
        let identity = UserIdentity(try await google([:]).identityKey)
        for told in values + [ProfileValues()] {
            let user = try await people.findOrAdd(identity, profile: told).user
            #expect(user.email == "ann@gmail.com" && user.isEmailVerified)
        }
    }
}
