// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabaseAdmin
import TestSupport
import Testing

@Suite("Links that an administrator makes")
struct AdminLinkTests {
    static func link(
        _ answer: String, kind: SupabaseLink.Kind = .recovery,
        redirectTo: String? = "https://app.example/in"
    ) async throws -> SupabaseLink {
        try await AdminFixture.admin(FakeTransport(body: answer)).generateLink(
            kind, for: Mailbox("Ann@company.example"), redirectTo: redirectTo)
    }

    @Test("A link, its hash and its code are read, and none is printed")
    func reads() async throws {
        let link = try await Self.link(AdminFixture.link())
        #expect(link.exposedURL == "https://abcdefgh.supabase.co/auth/v1/verify?token=3f1c")
        #expect(link.exposedTokenHash == "3f1c-hash")
        #expect(link.code.exposedText == "012345")
        #expect(link.purpose == .recovery && link.user.id == Fixture.userID)
        let kind = SupabaseLink.Kind.signUp(password: "correct horse")
        var shown = "\(link) \(kind) \(String(reflecting: link))"
        dump(link, to: &shown)
        dump(kind, to: &shown)
        for hidden in ["3f1c", "012345", "horse", "ann@company"] {
            #expect(!shown.contains(hidden))
        }
    }

    @Test("Each kind of link has the purpose that a client verifies it for")
    func purposes() async throws {
        let new = try Mailbox("ann@new.example")
        let rows: [(SupabaseLink.Kind, String, SupabaseDestination.Purpose)] = [
            (.signUp(password: "p"), "signup", .signUp), (.invitation, "invite", .invitation),
            (.signIn, "magiclink", .signIn), (.signIn, "signup", .signUp),
            (.recovery, "recovery", .recovery),
            (.changeFromCurrent(to: new), "email_change_current", .change),
            (.changeToNew(new), "email_change_new", .change),
        ]
        for (kind, type, purpose) in rows {
            let answer = AdminFixture.link(["verification_type": "\"\(type)\""])
            #expect(try await Self.link(answer, kind: kind).purpose == purpose)
        }
    }

    static let wrong: [[String: String?]] = [
        // A link for somebody else.
        ["email": #""eve@company.example""#], ["email": nil], ["email": #""""#],
        ["email": #""ann@company.example.evil.example""#], ["id": nil], ["id": "7"],
        // Of another kind.
        ["verification_type": #""signup""#], ["verification_type": nil],
        ["verification_type": #""email_change_new""#], ["verification_type": "[\"recovery\"]"],
        // Elsewhere.
        ["redirect_to": #""https://abcdefgh.example""#], ["redirect_to": nil],
        ["redirect_to": #""https://app.example/in/""#],
        ["action_link": #""javascript:alert(1)""#], ["action_link": nil], ["action_link": #""""#],
        ["action_link": #""http://abcdefgh.supabase.co/""#], ["action_link": #""https:/a""#],
        ["action_link": #""https://a\r\nBcc: eve@evil.example""#],
        ["action_link": #""HTTPS://a""#], ["action_link": "7"],
        ["hashed_token": nil], ["hashed_token": #""a b""#], ["hashed_token": #""é""#],
        ["email_otp": nil], ["email_otp": #""12345""#], ["email_otp": #""12345678901""#],
        ["email_otp": #""01234a""#], ["email_otp": "123456"], ["email_otp": #""١٢٣""#],
    ]

    @Test("An answer that is not the link is refused, and not quoted", arguments: wrong.indices)
    func refuses(_ index: Int) async throws {
        let answer = AdminFixture.link(Self.wrong[index])
        do {
            _ = try await Self.link(answer)
            Issue.record("taken for a link: \(Self.wrong[index])")
        } catch let error as SupabaseError {
            #expect(error.code == .invalidAnswer)
            for hidden in ["evil", "3f1c", "012345"] { #expect(!"\(error)".contains(hidden)) }
        }
    }

    @Test("Without a redirect the project's site is taken")
    func site() async throws {
        let answer = AdminFixture.link(["redirect_to": #""https://site.example""#])
        _ = try await Self.link(answer, redirectTo: nil)
    }

    @Test("What cannot be sent is refused before any request")
    func refusesInput() async throws {
        let transport = FakeTransport(body: AdminFixture.link())
        let admin = try AdminFixture.admin(transport)
        let email = try Mailbox("ann@company.example")
        for redirect in ["javascript:alert(1)", "http://evil.example/", "app://in", "", "a b"] {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await admin.generateLink(.recovery, for: email, redirectTo: redirect)
            }
            #expect(error?.code == .invalidInput)
        }
        for kind in [
            SupabaseLink.Kind.recovery, .changeToNew(email), .changeFromCurrent(to: email),
        ] {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await admin.generateLink(kind, for: email, metadata: ["name": "Ann"])
            }
            #expect(error?.code == .invalidInput)
        }
        #expect(transport.count == 0)
    }
}
