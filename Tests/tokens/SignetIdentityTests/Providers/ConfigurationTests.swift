// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Configuration of providers")
struct ProviderConfigurationTests {
    private func code<R>(_ body: () throws -> R) -> IdentityConfigurationError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? IdentityConfigurationError)?.code
        }
    }

    @Test("Lists of client identifiers are accepted")
    func lists() throws {
        #expect(
            try IdentityProvider.clientIDs(fromList: "eg.Kinnect.auth,eg.Kinnect") == [
                "eg.Kinnect.auth", "eg.Kinnect",
            ])
        #expect(try IdentityProvider.clientIDs(fromList: " a ,\tb\n") == ["a", "b"])
        #expect(
            try IdentityProvider.clientIDs(fromList: "one.apps.example") == ["one.apps.example"])
    }

    @Test(
        "Invalid lists are refused",
        arguments: [
            "", " ", ",", "a,", ",a", "a,,b", "a, b,,", "a b", "\"a,b\"", "'a'", "a,\u{a0}",
            "a\u{0},b", "é",
            "a;b c",
        ])
    func noLists(_ text: String) {
        #expect(
            code { try IdentityProvider.clientIDs(fromList: text) } == .invalidIdentifier,
            "\(text.debugDescription)")
    }

    @Test("Malformed clients, tenants, projects and issuers are rejected")
    func refused() throws {
        for clients in [[], [""], ["a", ""], [" "], ["a\n"], [String(repeating: "a", count: 256)]] {
            #expect(
                code { try IdentityProvider.google(clientIDs: clients) } == .invalidIdentifier,
                "\(clients)")
            #expect(code { try IdentityProvider.apple(clientIDs: clients) } == .invalidIdentifier)
            #expect(
                code { try IdentityProvider.entra(tenants: .anyone, clientIDs: clients) }
                    == .invalidIdentifier)
            #expect(
                code {
                    try IdentityProvider.openID(issuer: "https://a.example", clientIDs: clients)
                }
                    == .invalidIdentifier)
        }
        for tenant in [
            "", "contoso.example", "common", "9188040d-6c67-4c5b-b112-36a304b66da",
            "{9188040d-6c67-4c5b-b112-36a304b66dad}",
        ] {
            #expect(code { try EntraTenants.only(tenant) } == .invalidIdentifier, "\(tenant)")
            #expect(
                code { try IdentityProvider.entraExternalID(tenantID: tenant, clientIDs: ["c"]) }
                    == .invalidIdentifier)
        }
        #expect(code { try EntraTenants.only([]) } == .invalidIdentifier)
        for reference in ["", "a.b", "a/b", "ABC", "-a", "a-", "a b", "é"] {
            #expect(
                code { try IdentityProvider.supabase(projectRef: reference) } == .invalidIdentifier,
                "\(reference)")
        }
        for project in ["", "a/b", "A", "a b", "é"] {
            #expect(
                code { try IdentityProvider.firebase(projectID: project) } == .invalidIdentifier,
                "\(project)"
            )
        }
        for domain in ["", "corp", "corp.example.", "*.corp.example", "a@corp.example"] {
            #expect(
                code { try IdentityProvider.google(clientIDs: ["c"], hostedDomains: [domain]) }
                    == .invalidIdentifier, "\(domain)")
        }
        for issuer in [
            "", "idp.example", "http://idp.example", "https://user@idp.example",
            "https://idp.example#f",
        ] {
            #expect(
                code { try IdentityProvider.openID(issuer: issuer, clientIDs: ["c"]) }
                    == .invalidURL,
                "\(issuer)")
        }
        #expect(
            code {
                try IdentityProvider.openID(issuer: "https://idp.example/?a=b", clientIDs: ["c"])
            }
                == .invalidIdentifier)
        #expect(
            code {
                try IdentityProvider.openID(
                    issuer: "https://idp.example", clientIDs: ["c"], algorithms: [])
            } == .contradiction)
    }

    @Test("A program's settings are checked when the verifier is made")
    func verifier() throws {
        let keys = ProviderKey.rsa.set
        func code(_ change: (inout IdentityProvider, inout TokenVerificationOptions) -> Void) throws
            -> IdentityConfigurationError.Code?
        {
            var provider = try ProviderFixture.google().provider
            var options = TokenVerificationOptions.still
            change(&provider, &options)
            return self.code {
                try IDTokenVerifier(provider, keys: .inHand(keys), options: options)
            }
        }
        #expect(try code { _, _ in } == nil)
        #expect(try code { provider, _ in provider.authorizedParties = [""] } == .invalidIdentifier)
        #expect(
            try code { provider, _ in provider.trustedAudiences = ["a", ""] } == .invalidIdentifier)
        #expect(try code { provider, _ in provider.requiredClaims = [""] } == .invalidIdentifier)
        #expect(try code { provider, _ in provider.maximumLifetime = .zero } == .outOfRange)
        #expect(try code { _, options in options.leeway = .seconds(301) } == .outOfRange)
        #expect(try code { _, options in options.leeway = .seconds(-1) } == .outOfRange)
        #expect(try code { _, options in options.maximumAge = .zero } == .outOfRange)
        #expect(try code { _, options in options.maximumTokenByteCount = 63 } == .outOfRange)
        #expect(try code { _, options in options.maximumTokenByteCount = .max } == .outOfRange)
    }

    @Test("Secrets and published keys cannot be mixed")
    func contradictions() throws {
        let url = try EndpointURL("https://abc.supabase.co")
        let secret = try HMACKey.generate(.hs256)
        let legacy = try IdentityProvider.supabaseLegacy(url: url, secret: secret)
        #expect(
            code {
                try IDTokenVerifier(legacy, keys: .inHand(ProviderKey.rsa.set), options: .still)
            }
                == .contradiction)
        #expect(
            code {
                try IDTokenVerifier(
                    try ProviderFixture.google().provider, keys: .ownSecret, options: .still)
            }
                == .contradiction)
        #expect(
            code { try IdentityProvider.supabaseLegacy(url: url, secret: .generate(.hs512)) }
                == .contradiction)
    }
}
