// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Several providers behind one endpoint")
struct SeveralProvidersTests {
    @Test("Each token goes to its provider's verifier")
    func dispatch() async throws {
        let fixtures = try EveryProviderTests.fixtures.get()
        let providers = try IDTokenVerifiers(fixtures.map { try $0.verifier() })
        for fixture in fixtures {
            let token = try fixture.token()
            let verifier = try providers.verifier(for: token)
            #expect(verifier.provider.name == fixture.provider.name, "\(fixture.name)")
            #expect(try await verifier.verify(token, nonce: fixture.nonce).issuer.isEmpty == false)
            // It is only a hint: the signature decides.
            let forged = try ProviderKey.foreignRSA.token(fixture.claims.json)
            let chosen = try providers.verifier(for: forged)
            let error = await reason { () async throws(IdentityError) in
                try await chosen.verify(forged, nonce: fixture.nonce)
            }
            #expect(error != nil, "\(fixture.name)")
        }
    }

    @Test("An unknown issuer and malformed tokens are refused")
    func unknown() throws {
        let fixture = try ProviderFixture.openID()
        let providers = try IDTokenVerifiers([
            ProviderFixture.google().verifier(), fixture.verifier(),
        ])
        func code(_ edits: [String: String?]) throws -> IdentityError.Code? {
            let token = try fixture.token(edits)
            do throws(IdentityError) {
                _ = try providers.verifier(for: token)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(try code([:]) == nil)
        for iss in [nil, "null", #""""#, #""https://idp.example/""#, #""https://other.example""#] {
            #expect(try code(["iss": iss]) == .issuer, "\(iss ?? "none")")
        }
        #expect(try code(["iss": "7"]) == .issuer)
        #expect(try code(["iss": "\"\(String(repeating: "a", count: 2_000))\""]) == .tooLarge)
        for text in ["", "a.b", "a.b.c", String(repeating: "A", count: 20_000)] {
            #expect(throws: IdentityError.self) { try providers.verifier(for: text) }
        }
    }

    @Test("Tenants that are listed, and those that are not, find their verifiers")
    func tenants() throws {
        let key = ProviderKey.rsa.set
        let (one, two) = (ProviderFixture.tenant, ProviderFixture.otherTenant)
        func entra(_ tenants: EntraTenants, _ client: String, version1: Bool = false) throws
            -> IdentityProvider
        {
            try .entra(tenants: tenants, clientIDs: [client], acceptsVersion1: version1)
        }
        func client(_ providers: [IdentityProvider], _ issuer: String) throws -> String? {
            let verifiers = try IDTokenVerifiers(
                providers.map { try IDTokenVerifier($0, keys: .inHand(key), options: .still) })
            let token = try ProviderKey.rsa.token(#"{"iss":"\#(issuer)"}"#)
            do throws(IdentityError) {
                return try verifiers.verifier(for: token).provider.clientIDs.first
            } catch {
                #expect(error.code == .issuer)
                return nil
            }
        }
        let version2 = { (tenant: String) in "https://login.microsoftonline.com/\(tenant)/v2.0" }
        let version1 = { (tenant: String) in "https://sts.windows.net/\(tenant)/" }
        let personal = EntraTenants.personalAccountsTenantID
        let listed = [
            try entra(.only(one), "one", version1: true), try entra(.only(two), "two"),
            try .openID(issuer: "https://idp.example", clientIDs: ["other"]),
        ]
        let open = [try entra(.anyOrganization, "any"), try entra(.personalAccounts, "own")]
        #expect(try client(listed, version2(one)) == "one")
        #expect(try client(listed, version1(one)) == "one")
        #expect(try client(listed, version2(two)) == "two")
        #expect(try client(listed, version1(two)) == nil)
        #expect(try client(listed, version2(one.uppercased())) == nil)
        #expect(try client(listed, version2(personal)) == nil)
        #expect(try client(listed, "https://idp.example") == "other")
        for providers in [open, open.reversed()] {
            #expect(try client(providers, version2(one)) == "any")
            #expect(try client(providers, version2(personal)) == "own")
            #expect(try client(providers, version2("organizations")) == nil)
            #expect(try client(providers, version1(one)) == nil)
        }
    }

    /// Each was compared with each: 10,000 took 100 times as long as 1,000.
    @Test("10,000 issuers cost at most 12 times as much as 1,000", .timeLimit(.minutes(20)))
    func many() throws {
        let key = ProviderKey.rsa.set
        let verifiers = try (0..<10_000).map { number in
            try IDTokenVerifier(
                .openID(issuer: "https://idp.example/\(number)", clientIDs: ["\(number)"]),
                keys: .inHand(key), options: .still)
        }
        // With one that is walked.
        let entra = try IDTokenVerifier(
            .entra(tenants: .anyOrganization, clientIDs: ["c"]), keys: .inHand(key),
            options: .still)
        let documents = [verifiers.prefix(1_000), verifiers[...]].map { [entra] + $0 + [] }
        var costs = [Duration.seconds(3_600), .seconds(3_600)]
        var rounds = 0
        // A busy machine adds to single measurements, quadratic work to all.
        repeat {
            for (index, list) in documents.enumerated() {
                let cost = try ThreadClock.measure { _ = try IDTokenVerifiers(list) }
                costs[index] = min(costs[index], cost)
            }
            rounds += 1
        } while rounds < 5 || (costs[1] > costs[0] * 12 && rounds < 50 && costs[1] < .seconds(5))
        print("1,000 issuers: \(costs[0]); 10,000: \(costs[1])")
        #expect(costs[1] <= costs[0] * 12)
        let providers = try IDTokenVerifiers(documents[1])
        for number in [0, 5_000, 9_999] {
            let token = try ProviderKey.rsa.token(#"{"iss":"https://idp.example/\#(number)"}"#)
            #expect(try providers.verifier(for: token).provider.clientIDs == ["\(number)"])
        }
    }

    @Test("Two providers for one issuer, or none at all, are refused")
    func configuration() throws {
        let key = ProviderKey.rsa.set
        func isRefused(_ providers: IdentityProvider...) throws -> Bool {
            let verifiers = try providers.map {
                try IDTokenVerifier($0, keys: .inHand(key), options: .still)
            }
            do throws(IdentityConfigurationError) {
                _ = try IDTokenVerifiers(verifiers)
                return false
            } catch {
                return error.code == .contradiction
            }
        }
        let (one, two) = (ProviderFixture.tenant, ProviderFixture.otherTenant)
        func entra(_ tenants: EntraTenants, _ cloud: EntraCloud = .global) throws
            -> IdentityProvider
        {
            try .entra(tenants: tenants, clientIDs: ["c"], cloud: cloud)
        }
        #expect(try isRefused())
        #expect(try isRefused(.google(clientIDs: ["a"]), .google(clientIDs: ["b"])))
        #expect(
            try isRefused(
                .google(clientIDs: ["a"]),
                .openID(issuer: "https://accounts.google.com", clientIDs: ["b"])))
        #expect(try isRefused(entra(.only(one)), entra(.anyOrganization)))
        #expect(try isRefused(entra(.anyone), entra(.personalAccounts)))
        #expect(try !isRefused(entra(.anyOrganization), entra(.personalAccounts)))
        #expect(try !isRefused(entra(.only(one)), entra(.only(two))))
        #expect(try !isRefused(entra(.only(one)), entra(.only(one), .china)))
        #expect(
            try isRefused(
                entra(.only(one)),
                .openID(issuer: "https://login.microsoftonline.com/\(one)/v2.0", clientIDs: ["c"])))
        #expect(
            try !isRefused(entra(.only(one)), .entraExternalID(tenantID: one, clientIDs: ["c"])))
    }
}
