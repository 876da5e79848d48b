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
