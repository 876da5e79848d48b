// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Links at the service", .serialized)
struct LinkCallTests {
    private static let other = "https://app.example/other"

    private func scene() async throws -> Scene {
        try await Scene { options in
            options.redirects = try RedirectURIs([Scene.redirect, Self.other])
            options.linkPage = Scene.redirect
        }
    }

    /// What a page posts, as supabase-js does.
    private func post(
        _ scene: Scene, _ link: String, challenge: String? = nil, client: String? = nil
    ) async throws -> Scene.Answer {
        let query = try #require(link.split(separator: "?").last)
        var members: [String: JSONValue] = [:]
        for (name, value) in try #require(FormEncoding.decode(String(query))) {
            members[name.swiftString()] = .string(value.swiftString())
        }
        members["challenge"] = challenge.map { .string($0) }
        let body = try StrictJSON.encode(JSONValue.object(members))
        return try await scene.call(
            "POST /verify", String(decoding: body, as: UTF8.self), client: client)
    }

    @Test("A link signs in as its code does, on the page that was asked for")
    func signsIn() async throws {
        let scene = try await scene()
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        let first = try await scene.link()
        #expect(first.hasPrefix(Scene.redirect + "?token_hash=") && first.hasSuffix("&type=email"))
        let grant = try await post(scene, first)
        #expect(grant.status == 200 && grant.json["user"]?["email"]?.stringValue == Scene.email)
        for answer in [
            try await post(scene, first),
            try await scene.call(
                "POST /verify",
                """
                {"type":"email","email":"\(Scene.email)",
                "token":"\(try await scene.code(to: Scene.email) ?? "")"}
                """),
        ] { #expect(answer.status == 403 && answer.code == "otp_expired") }
        try await scene.pass(61)
        _ = try await scene.call(
            "POST /otp?redirect_to=https%3A%2F%2Fapp.example%2Fother",
            "{\"email\":\"\(Scene.email)\"}")
        let second = try await scene.link()
        #expect(second.hasPrefix(Self.other + "?token_hash="))
        #expect(try await post(scene, second).userID == grant.userID)
    }

    @Test("A page that is not allowed is refused, before anything is sent")
    func pages() async throws {
        let scene = try await scene()
        let pages = ["https://evil.example", "app.example:/callback", "http://127.0.0.1/callback"]
        for (call, page) in ["/otp", "/recover", "/signup", "/resend"].flatMap({ call in
            pages.map { (call, FormEncoding.encode([("redirect_to", $0)])) }
        }) {
            let answer = try await scene.call(
                "POST \(call)?\(page)",
                """
                {"email":"\(Scene.email)","password":"correct horse","type":"signup"}
                """)
            #expect(answer.status == 400, "\(call)")
        }
        #expect(try await scene.count("SELECT count(*) FROM signet_codes") == 0)
        await #expect(throws: AccountError(.invalidParameter, "")) {
            try await Scene { $0.linkPage = "https://app.example/none" }
        }
    }

    @Test("A link leads to https pages alone; for an app's own address to the standard page")
    func apps() async throws {
        // Browsers return to these, to a program with a verifier.
        let apps = ["app.example:/callback", "http://127.0.0.1/callback"]
        let scene = try await Scene { options in
            options.redirects = try RedirectURIs([Scene.redirect, Self.other] + apps)
            options.linkPage = Scene.redirect
        }
        for app in apps + ["http://127.0.0.1/callback?state=a"] {
            let query = FormEncoding.encode([("redirect_to", app)])
            let answer = try await scene.call(
                "POST /otp?\(query)", "{\"email\":\"\(Scene.email)\"}")
            #expect(answer.status == 200, "\(app)")
            let link = try await scene.link()
            #expect(link.hasPrefix(Scene.redirect + "?token_hash="), "\(link)")
            try await scene.pass(61)
        }
        let other = FormEncoding.encode([("redirect_to", "other.example:/callback")])
        let refused = try await scene.call(
            "POST /otp?\(other)", "{\"email\":\"\(Scene.email)\"}")
        #expect(refused.status == 400)
    }

    @Test("A GET with the link changes nothing, and what is no link gets one answer")
    func others() async throws {
        let scene = try await scene()
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        let link = try await scene.link()
        let query = try #require(link.split(separator: "?").last)
        for _ in 0..<3 {
            #expect(try await scene.call("GET /verify?\(query)").status >= 400)
        }
        for hash in ["314159", String(repeating: "A", count: 43)] {
            let answer = try await post(scene, "?token_hash=\(hash)&type=email")
            #expect(answer.status == 403 && answer.code == "otp_expired")
        }
        let token = query.split(separator: "&")[0]
        for wrong in ["?\(token)&type=sms", "?\(token)&email=a@b.example&type=email", "?\(token)"] {
            #expect(try await post(scene, wrong).status == 400)
        }
        // Of another purpose.
        #expect(try await post(scene, "?\(token)&type=recovery").status == 403)
        #expect(try await post(scene, link).status == 200)
    }

    @Test("A link that is opened gives nobody the password of who asked; a shown challenge does")
    func signUp() async throws {
        let scene = try await scene()
        let body = "{\"email\":\"\(Scene.email)\",\"password\":\"of a stranger\"}"
        _ = try await scene.call("POST /signup", body)
        let opened = try await post(scene, try await scene.link())
        #expect(opened.status == 200 && opened.passwordSet == false)
        #expect(try await scene.password("of a stranger").status == 400)

        let other = "bob@company.example"
        let sent = try await scene.call(
            "POST /signup", "{\"email\":\"\(other)\",\"password\":\"correct horse\"}")
        let link = try await scene.link(to: other)
        let own = try await post(scene, link, challenge: sent.challenge)
        #expect(own.status == 200 && own.passwordSet == true)
        #expect(try await scene.password("correct horse", other).status == 200)
        // The same answer again, for the client that asked.
        let again = try await post(scene, link, challenge: sent.challenge)
        #expect(again.response.body == own.response.body)
        #expect(try await post(scene, link).status == 403)
    }

    @Test("A link for a new password leads to a session, and a phone's message has none")
    func recovery() async throws {
        let scene = try await scene()
        let id = try await scene.signIn(Scene.email).userID
        try await scene.pass(61)
        _ = try await scene.call("POST /recover", "{\"email\":\"\(Scene.email)\"}")
        let link = try await scene.link()
        #expect(link.hasSuffix("&type=recovery"))
        let grant = try await post(scene, link)
        #expect(grant.status == 200 && grant.userID == id)
        try await scene.signIn(Scene.phone)
        #expect(scene.sender.messages.last?.link == nil)
    }

    @Test("Strangers who use up the limit of an address do not have a right link refused there")
    func limits() async throws {
        let scene = try await scene()
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        let link = try await scene.link()
        let wrong = "?token_hash=\(String(repeating: "A", count: 43))&type=email"
        var statuses: Set<Int> = []
        for _ in 0..<40 {
            statuses.insert(try await post(scene, wrong, client: "198.51.100.3").status)
        }
        #expect(statuses == [403, 429])
        #expect(try await post(scene, link, client: "198.51.100.3").status == 200)
    }

    @Test("Without a page there are no links, as before")
    func off() async throws {
        let scene = try await Scene()
        let answer = try await scene.call(
            "POST /otp?redirect_to=https%3A%2F%2Fevil.example", "{\"email\":\"\(Scene.email)\"}")
        #expect(answer.status == 200)
        _ = try await scene.code(to: Scene.email)
        #expect(scene.sender.messages.last?.link == nil)
        let hash = String(repeating: "A", count: 43)
        #expect(try await post(scene, "?token_hash=\(hash)&type=email").status == 400)
    }
}
