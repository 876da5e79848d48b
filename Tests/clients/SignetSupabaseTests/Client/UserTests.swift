// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetSupabase
import TestSupport
import Testing

struct UserTests {
    /// S1-26: dates with and without fractions, in any zone; S0-10: id and phone.
    @Test("A user's id, addresses and dates are read")
    func isRead() async throws {
        let auth = try Fixture.auth(FakeTransport(body: Fixture.user))
        let user = try await auth.user(Fixture.token)
        #expect(user.id == Fixture.userID)
        #expect(user.email == "ann@company.example")
        #expect(user.phone?.e164 == "+14155551234")
        #expect(user.createdAt?.secondsSince1970 == 1_787_229_296)
        #expect(
            user.emailConfirmedAt.map { abs($0.secondsSince1970 - 1_787_229_296.789) < 1e-3 }
                == true)
        #expect(!user.isAnonymous)
    }

    @Test(
        "Text that is not a full date and time is not read as a time",
        arguments: [
            "", "2026-08-20", "2026-08-20T12:34:56", "2026-02-29T00:00:00Z", "null",
            "2026-08-20T12:34:56Z" + String(repeating: "0", count: 100),
        ])
    func takesNoOtherTextForATime(_ text: String) throws {
        #expect(try SupabaseUser(profile: #"{"id":"a","created_at":"\#(text)"}"#).createdAt == nil)
    }

    /// GoTrue writes absent values as empty texts.
    @Test("Empty text counts as absent")
    func emptyIsAbsent() throws {
        let user = try SupabaseUser(
            profile: #"{"id":"a","email":"","phone":"","is_anonymous":true}"#)
        #expect(user.email == nil && user.phone == nil && user.isAnonymous)
    }

    @Test("The rest of a user decodes as a type of the program")
    func givesTheRestAsATypeOfTheProgram() throws {
        struct Metadata: Decodable {
            struct Provider: Decodable { let provider: String }
            let appMetadata: Provider

            enum CodingKeys: String, CodingKey { case appMetadata = "app_metadata" }
        }
        let user = try SupabaseUser(profile: Fixture.user)
        #expect(try user.decoded(as: Metadata.self).appMetadata.provider == "email")
        #expect(throws: SupabaseError.self) { try user.decoded(as: [String].self) }
    }

    @Test(
        "A profile without a user's id is refused",
        arguments: ["", "{}", "null", "[]", #"{"id":""}"#, #"{"id":null}"#, #"{"id":"a""#])
    func refusesAProfileOfNoUser(_ profile: String) {
        #expect(throws: SupabaseError(.invalidAnswer, "")) {
            try SupabaseUser(profile: profile)
        }
    }

    @Test("A change is sent with its members only, and prints no password")
    func changesAreSent() async throws {
        let transport = FakeTransport(body: Fixture.user)
        let auth = try Fixture.auth(transport)
        var change = SupabaseUserChange()
        change.password = "correct horse"
        change.nonce = try Fixture.code
        _ = try await auth.update(change, with: Fixture.token)
        let request = try #require(transport.requests.all.first)
        #expect(request.method == .put)
        #expect(request.text == #"{"nonce":"012345","password":"correct horse"}"#)
        #expect(!"\(change)".contains("horse"))
    }

    /// The first of two addresses: there is no session yet, and the code has not failed.
    @Test("The first code of two is reported as confirmationPending")
    func anotherAddressMayHaveToBeConfirmed() async throws {
        let body = #"{"code":"200","msg":"Confirm the link that was sent to the other email"}"#
        let auth = try Fixture.auth(FakeTransport(body: body))
        let (code, email) = (try Fixture.code, try Fixture.email)
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.verify(code, sentTo: email, purpose: .change)
        }
        #expect(error?.code == .confirmationPending)
    }

    @Test("Settings of a wrong type are absent, and the others are read")
    func settingsAreRead() async throws {
        let body = """
            {"disable_signup":false,"mailer_autoconfirm":true,"phone_autoconfirm":"no",\
            "external":{"google":true,"apple":false,"a b":true,"phone":true,"x":1}}
            """
        let settings = try await Fixture.auth(FakeTransport(body: body)).settings()
        #expect(settings.disablesSignUp == false)
        #expect(settings.mailerAutoconfirm == true)
        #expect(settings.phoneAutoconfirm == nil)
        #expect(settings.providers == ["google", "phone"])
    }
}

/// S3-47: what an address is worth. A wrong yes lets a stranger into a company.
struct EmailEvidenceTests {
    static func evidence(
        user: String = Fixture.user,
        settings: FakeTransport.Answer = .body(#"{"mailer_autoconfirm":false}"#),
        isNamed: Bool = true
    ) async throws -> EmailClaims {
        let transport = FakeTransport { request in
            request.url.path == "/auth/v1/settings" ? settings : .body(user)
        }
        let auth = try Fixture.auth(transport, hasAlwaysConfirmedEmail: isNamed)
        return try await auth.emailClaims(of: Fixture.token)
    }

    @Test("An address is evidence where the program, the settings and the user agree")
    func isOnWhereAllThreeAllowIt() async throws {
        let claims = try await Self.evidence()
        #expect(claims.evidence == .verifiedAddress)
        #expect(claims.address == "ann@company.example")
        let policy = try BusinessEmailPolicy(allowing: ["company.example"])
        #expect(policy.verdict(for: claims).isAllowed)
    }

    @Test("An address is no evidence by default")
    func isOffByDefault() async throws {
        let claims = try await Self.evidence(isNamed: false)
        #expect(claims.evidence == .none)
        let policy = try BusinessEmailPolicy(allowing: ["company.example"])
        #expect(policy.verdict(for: claims) == .unverified)
    }

    @Test(
        "An address is no evidence unless the settings exclude autoconfirmation",
        arguments: [
            FakeTransport.Answer.body(#"{"mailer_autoconfirm":true}"#), .body("{}"), .body("[]"),
            .body(#"{"mailer_autoconfirm":null}"#), .body(#"{"mailer_autoconfirm":"false"}"#),
            .body(#"{"mailer_autoconfirm":0}"#), .status(500), .status(404, body: "{}"),
            .body(#"{"mailer_autoconfirm":true,"mailer_autoconfirm":false}"#),
            .failure(TransportFailure(.unreachable, "")),
        ])
    func isOffWhereSettingsDoNotAllowIt(_ settings: FakeTransport.Answer) async throws {
        #expect(try await Self.evidence(settings: settings).evidence == .none)
    }

    static let confirmed = #""email_confirmed_at":"2026-08-20T12:34:56Z""#
    static let identity =
        #""identities":[{"provider":"email","identity_data":{"email":"ann@company.example"}}]"#
    static let address = #""id":"a","email":"ann@company.example""#

    @Test("Address, confirmation and identity are enough evidence")
    func needsNothingElse() async throws {
        let user = "{\(Self.address),\(Self.confirmed),\(Self.identity)}"
        #expect(try await Self.evidence(user: user).evidence == .verifiedAddress)
    }

    /// `app_metadata.provider` and `user_metadata` prove nothing here, and neither does a provider
    /// that GoTrue believes (an Entra tenant writes any address into its tokens).
    @Test(
        "An address that is not confirmed by its own identity is no evidence",
        arguments: [
            "{\(address),\(identity)}",
            "{\(address),\(identity),\"email_confirmed_at\":null}",
            "{\(address),\(identity),\"email_confirmed_at\":\"\"}",
            "{\(address),\(identity),\"email_confirmed_at\":true}",
            "{\(address),\(identity),\"email_confirmed_at\":\"yes\"}",
            "{\(address),\(identity),\"confirmed_at\":\"2026-08-20T12:34:56Z\"}",
            "{\(address),\(identity),\"phone_confirmed_at\":\"2026-08-20T12:34:56Z\"}",
            "{\(address),\(identity),\(confirmed),\"is_anonymous\":true}",
            "{\(address),\(confirmed)}", "{\(address),\(confirmed),\"identities\":[]}",
            "{\(address),\(confirmed),\"identities\":{\"provider\":\"email\"}}",
            "{\(address),\(confirmed),\"identities\":[{\"provider\":\"email\"}]}",
            #"{\#(address),\#(confirmed),"identities":[{"provider":"azure","#
                + #""identity_data":{"email":"ann@company.example","email_verified":true}}]}"#,
            #"{\#(address),\#(confirmed),"identities":[{"provider":"email","#
                + #""identity_data":{"email":"eve@evil.example"}},{"provider":"azure","#
                + #""identity_data":{"email":"ann@company.example"}}]}"#,
            #"{\#(address),"app_metadata":{"provider":"google"},\#(identity),"#
                + #""user_metadata":{"email_verified":true,"hd":"company.example"}}"#,
            #"{"id":"a","email":"",\#(confirmed),\#(identity),"#
                + #""user_metadata":{"email":"ann@company.example"}}"#,
            #"{"id":"a","email":null,"new_email":"ann@company.example",\#(confirmed),\#(identity)}"#,
        ])
    func isOffForAnUnconfirmedAddress(_ user: String) async throws {
        #expect(try await Self.evidence(user: user).evidence == .none)
    }

    @Test("A server error is thrown, and not taken for missing evidence")
    func anErrorLeavesItUndecided() async throws {
        let auth = try Fixture.auth(
            FakeTransport(.status(403, body: #"{"code":"session_not_found"}"#)),
            hasAlwaysConfirmedEmail: true)
        let token = try Fixture.token
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.emailClaims(of: token)
        }
        #expect(error?.serverCode == .sessionNotFound)
    }
}
