// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

struct SupabaseProjectTests {
    /// S0-4, S1-2.
    @Test("A project's address comes from its reference or its URL")
    func hasItsAddress() throws {
        #expect(try SupabaseProject(ref: "abcdefgh").url.text == "https://abcdefgh.supabase.co")
        let own = try SupabaseProject(url: EndpointURL("http://127.0.0.1:54321/"))
        #expect(own.authURL.text == "http://127.0.0.1:54321/auth/v1")
    }

    @Test(
        "A reference that is not a label of a host name is refused",
        arguments: ["", "ABC", "a.b", "a/b", "a b", "evil.com#", "x@evil", "é", "-a", "a%2e"])
    func refusesAnImpossibleReference(_ ref: String) {
        #expect(throws: IdentityConfigurationError(.invalidIdentifier, "")) {
            try SupabaseProject(ref: ref)
        }
    }

    @Test("An address with a query is refused")
    func refusesAnAddressWithAQuery() {
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
            try SupabaseProject(url: EndpointURL("https://db.example/?x=1"))
        }
    }

    static func key(role: String) -> String {
        let part = { (text: String) in Base64URL.encode(text.utf8) }
        return [part(#"{"alg":"HS256","typ":"JWT"}"#), part(role), part("signature")]
            .joined(separator: ".")
    }

    /// S0-5.
    @Test(
        "Publishable and anonymous keys are accepted",
        arguments: [Fixture.key, key(role: #"{"iss":"supabase","role":"anon"}"#)])
    func takesPublishableKeys(_ key: String) throws {
        _ = try SupabaseAuth(
            Fixture.project, publishableKey: key, transport: FakeTransport(body: "{}"))
    }

    /// S0-6, S1-23.
    @Test(
        "Secret and malformed keys are refused, and not quoted",
        arguments: [
            "sb_secret_3kf9aJd0", "", " sb_publishable_x", "sb_publishable_x\n", "sb_secret_",
            "SB_SECRET_x", "sb_publishablex", key(role: #"{"role":"service_role"}"#),
            key(role: #"{"role":"supabase_admin"}"#), key(role: #"{"role":"authenticated"}"#),
            key(role: #"{"role":"anon","role":"service_role"}"#), key(role: #"{"role":null}"#),
            key(role: #"{"Role":"anon"}"#), key(role: #"{"role":["anon"]}"#), key(role: "anon"),
            "anon", "a.b.c", "..", "sb_publishable_" + String(repeating: "x", count: 5_000),
        ])
    func refusesSecretAndMalformedKeys(_ key: String) throws {
        let error = #expect(throws: IdentityConfigurationError.self) {
            try SupabaseAuth(
                Fixture.project, publishableKey: key, transport: FakeTransport(body: "{}"))
        }
        #expect(error?.code == .invalidSecret)
        if key.utf8.count > 8 { #expect(error.map { !"\($0)".contains(key) } == true) }
    }

    @Test(
        "Fields that the client sets itself are refused",
        arguments: ["apikey", "APIKey", "x-supabase-api-version", "X-Supabase-Api-Version"])
    func refusesFieldsOfItsOwn(_ name: String) throws {
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try Fixture.auth(
                FakeTransport(body: "{}"), fields: [TransportRequest.Field(name: name, value: "x")])
        }
    }

    @Test(
        "A time limit out of range is refused",
        arguments: [Duration.zero, .seconds(-1), .seconds(61)])
    func refusesTimesOutOfRange(_ timeout: Duration) throws {
        #expect(throws: IdentityConfigurationError(.outOfRange, "")) {
            try SupabaseAuth(
                Fixture.project, publishableKey: Fixture.key,
                transport: FakeTransport(body: "{}"), timeout: timeout)
        }
    }

    @Test("A client prints its project, and not its key")
    func isPrintedWithoutItsKey() throws {
        let auth = try Fixture.auth(FakeTransport(body: "{}"))
        var dumped = ""
        dump(auth, to: &dumped)
        for text in ["\(auth)", String(reflecting: auth), dumped] {
            #expect(!text.contains(Fixture.key))
            #expect(text.contains("abcdefgh"))
        }
    }
}
