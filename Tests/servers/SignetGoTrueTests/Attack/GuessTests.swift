// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Strangers who guess, and the owner who signs in", .serialized, .timeLimit(.minutes(20)))
struct GuessTests {
    private static let minute = Int64(60_000)

    private func password(
        _ scene: Scene, _ password: String, from client: String?, device: String? = nil,
        field: String? = nil
    ) async throws -> Scene.Answer {
        let member = device.map { ",\"device\":\"\($0)\"" } ?? ""
        return try await scene.call(
            "POST /token?grant_type=password",
            "{\"email\":\"\(Scene.email)\",\"password\":\"\(password)\"\(member)}", client: client,
            fields: field.map { [("X-Signet-Device", $0)] } ?? [])
    }

    /// Signs up from an address, as a person at home does.
    private func signUp(_ scene: Scene, from client: String?) async throws -> Scene.Answer {
        _ = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}",
            client: client)
        let code = try await scene.code(to: Scene.email) ?? ""
        return try await scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}",
            client: client)
    }

    @Test("From 1,000 addresses at most 250 guesses a day are checked, and the owner signs in")
    func aDay() async throws {
        let clock = try await ClockedAccounts()
        let scene = try await Scene(clock.database)
        let own = try await signUp(scene, from: "192.0.2.1")
        let device = try #require(own.json["device"]?.stringValue)
        var (checked, refused) = (0, 0)
        // Two guesses a minute for a day, half of them with a secret that was made up.
        for number in 0..<2_880 {
            try await clock.set(Int64(number) * Self.minute / 2)
            let stranger = "198.51.\(number % 1_000 / 250).\(number % 250)"
            let guess = try await password(
                scene, "guess \(number)", from: stranger,
                device: number % 2 == 0 ? nil : DeviceSecret().exposedText)
            switch guess.code {
            case "invalid_credentials": checked += 1
            case "over_request_rate_limit": refused += 1
            default: Issue.record("\(guess.status)")
            }
            guard number % 120 == 119 else { continue }
            // The owner, elsewhere with the secret, and at home without it.
            let travelling = try await password(
                scene, "correct horse", from: "203.0.113.\(number / 120)", device: device)
            #expect(travelling.status == 200)
            #expect(travelling.json["device"]?.stringValue == device)
            let atHome = try await password(scene, "correct horse", from: "192.0.2.1")
            #expect(atHome.status == 200)
        }
        #expect((200...250).contains(checked) && checked + refused == 2_880)
        // Someone who never signed in from there waits with the strangers.
        let elsewhere = try await password(scene, "correct horse", from: "203.0.113.99")
        #expect(elsewhere.status == 429)
        print("guesses that were checked in a day:", checked)
        await clock.close()
    }

    @Test("From one address a stranger keeps no one else from a password, nor from signing up")
    func oneAddress() async throws {
        let clock = try await ClockedAccounts()
        let scene = try await Scene(clock.database)
        _ = try await signUp(scene, from: "192.0.2.1")
        var checked = 0
        // A guess each minute for a day.
        for minute in 0..<Int64(1_440) {
            try await clock.set(minute * Self.minute)
            let guess = try await password(scene, "guess \(minute)", from: "198.51.100.1")
            checked += guess.code == "invalid_credentials" ? 1 : 0
            guard minute % 60 == 59 else { continue }
            // The owner, at an address of which no sign-in is known.
            let own = try await password(
                scene, "correct horse", from: "203.0.113.\(minute / 60)")
            #expect(own.status == 200)
        }
        #expect((60...70).contains(checked))
        await clock.close()
        let other = try await Scene()
        let ask = { (client: String) in
            try await other.call(
                "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}",
                client: client)
        }
        for round in 0..<6 {
            for _ in 0..<12 { _ = try await ask("198.51.100.1") }
            let own = try await ask("203.0.113.1")
            // The message is another limit's.
            if round > 0 { #expect(own.code != "over_request_rate_limit") }
            try await other.pass(720)
        }
    }

    @Test("A known client that guesses uses up its own tries, and no one else's")
    func ownTries() async throws {
        let scene = try await Scene()
        let own = try await signUp(scene, from: "192.0.2.1")
        let device = try #require(own.json["device"]?.stringValue)
        for _ in 0..<10 {
            let wrong = try await password(scene, "wrong", from: nil, field: device)
            #expect(wrong.code == "invalid_credentials")
        }
        #expect(try await password(scene, "wrong", from: nil, field: device).status == 429)
        #expect(
            try await password(scene, "correct horse", from: nil, device: device).status == 429)
        #expect(try await password(scene, "correct horse", from: "198.51.100.1").status == 200)
    }

    @Test("Sign-ins with a code or a password give a secret to keep; others give none")
    func secrets() async throws {
        let scene = try await Scene()
        let first = try await scene.signUp()
        let device = try #require(first.json["device"]?.stringValue)
        #expect(DeviceSecret(device) != nil)
        let field = try await password(scene, "correct horse", from: nil, field: device)
        #expect(field.json["device"]?.stringValue == device)
        // A secret that is none is replaced, and keeps no one out.
        for other in ["", "x", String(repeating: "A", count: 5_000), "null", "\u{e9}"] {
            let answer = try await password(scene, "correct horse", from: nil, device: other)
            #expect(answer.status == 200)
            #expect(DeviceSecret(answer.json["device"]?.stringValue ?? "") != nil)
        }
        let number = try await scene.call(
            "POST /token?grant_type=password",
            "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\",\"device\":7}")
        #expect(number.status == 200)
        let phone = try await scene.signIn()
        #expect(DeviceSecret(phone.json["device"]?.stringValue ?? "") != nil)
        let refreshed = try await scene.refresh(phone.refreshToken)
        let guest = try await scene.call("POST /signup", "{}")
        for answer in [refreshed, guest] {
            #expect(answer.status == 200 && answer.json["device"] == nil)
        }
    }

    @Test("A sign-up that a limit refuses computes nothing of its password")
    func limitsFirst() async throws {
        let scene = try await Scene()
        let signUp = { (password: String) in
            try await scene.call(
                "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"\(password)\"}")
        }
        for _ in 0..<12 { _ = try await signUp("correct horse") }
        // The hasher would refuse this one.
        #expect(try await signUp("short").code == "over_request_rate_limit")
    }

    @Test("No one else's requests keep a client from its session or its code")
    func othersRequests() async throws {
        let scene = try await Scene {
            $0.limits.refreshes = try RateLimit(burst: 2, interval: .seconds(3600))
            $0.limits.verifications = try RateLimit(burst: 2, interval: .seconds(3600))
        }
        let grant = try await scene.signIn()
        let refresh = { (token: String, client: String?) in
            try await scene.call(
                "POST /token?grant_type=refresh_token", "{\"refresh_token\":\"\(token)\"}",
                client: client)
        }
        // Without an address, and from every network of one /56.
        for _ in 0..<250 { _ = try await refresh("made-up", nil) }
        for number in 0..<256 {
            let client = "2001:db8:0:\(String(number, radix: 16))::1"
            for _ in 0..<3 { _ = try await refresh("made-up", client) }
        }
        let kept = try await refresh(grant.refreshToken, nil)
        #expect(kept.status == 200)
        let again = try await refresh(kept.refreshToken, "2001:db8:0:100::1")
        #expect(again.status == 200)
        // Right codes do not count.
        for round in 0..<4 {
            try await scene.pass(720)
            _ = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
            let code = try #require(await scene.code(to: "+" + Scene.phone))
            let answer = try await scene.call(
                "POST /verify",
                "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}",
                client: "192.0.2.1")
            #expect(answer.status == 200, "\(round)")
        }
    }

    @Test(
        "Strangers at a client's own address keep it from nothing that it has a secret for",
        arguments: Engine.allCases)
    func neighbours(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let two = try RateLimit(burst: 2, interval: .seconds(3_600))
        let scene = try await Scene(place.open()) {
            ($0.limits.refreshes, $0.limits.signIns) = (two, two)
            $0.codes = try CodePolicy(sentFromAddress: two)
        }
        let (own, pkce) = ("192.0.2.1", try PKCE())
        let grant = try await signUp(scene, from: nil)
        let device = try #require(grant.json["device"]?.stringValue)
        let browser = try await BrowserCallTests.code(BrowserCallTests.visit(scene, pkce))
        let refresh = { (token: String) in
            try await scene.call(
                "POST /token?grant_type=refresh_token", "{\"refresh_token\":\"\(token)\"}",
                client: own)
        }
        let exchange = { (code: String) in
            try await scene.call(
                "POST /token?grant_type=pkce",
                "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}",
                client: own)
        }
        let send = { (email: String, device: String) in
            try await scene.call(
                "POST /otp", "{\"email\":\"\(email)\",\"device\":\"\(device)\"}", client: own)
        }
        for number in 0..<3 {
            _ = try await refresh("made-up")
            _ = try await exchange("made-up")
            _ = try await send("n\(number)@company.example", "")
        }
        let other = try DeviceSecret().exposedText
        for refused in [
            try await exchange("made-up"), try await send(Scene.email, other),
            try await send("bob@company.example", device),
            try await password(scene, "correct horse", from: own),
            try await password(scene, "correct horse", from: own, device: other),
        ] { #expect(refused.status == 429) }
        // A refresh that is refused by a limit ends no session: 503.
        #expect(try await refresh("made-up").status == 503)
        for right in [
            try await exchange(browser), try await send(Scene.email, device),
            try await password(scene, "correct horse", from: own, device: device),
        ] { #expect(right.status == 200) }
        // A session alone is refused what its address would be, and loses nothing by it.
        var token = grant.refreshToken
        for _ in 0..<2 { token = try await refresh(token).refreshToken }
        #expect(try await refresh(token).status == 503)
        try await scene.pass(3_601)
        #expect(try await refresh(token).status == 200)
    }

    @Test("A try costs nothing where a flood of others leaves no time to look at the password")
    func busy() async throws {
        let hasher = try PasswordHasher(.scrypt(logCost: 4), concurrency: 1, queueLength: 0)
        let scene = try await Scene { $0.passwords = hasher }
        let grant = try await signUp(scene, from: nil)
        let device = try #require(grant.json["device"]?.stringValue)
        let other = try Password("of someone else")
        let slow = try await PasswordHasher(.scrypt()).hash(other)
        let flood = Task {
            while !Task.isCancelled {
                _ = try? await hasher.verify(other, against: slow)
                await Task.yield()
            }
        }
        var busy = 0
        // More than the tries of one client.
        while busy < 12 {
            let own = try await password(scene, "correct horse", from: nil, device: device)
            guard own.status != 200 else { continue }
            #expect(own.status == 503)
            guard own.status == 503 else { break }
            busy += 1
        }
        flood.cancel()
        // The last derivation goes on for a moment.
        var own = 503
        while own == 503 {
            own = try await password(scene, "correct horse", from: nil, device: device).status
        }
        #expect(own == 200)
    }

    @Test(
        "A hash that this libcrypto cannot compute counts no try, and a code leads past it",
        .enabled(
            if: !PasswordAlgorithm.argon2id().isAvailable,
            "every hash can be computed here: OpenSSL 3.2 or newer, without FIPS"))
    func uncomputable() async throws {
        let scene = try await Scene()
        let grant = try await signUp(scene, from: nil)
        let user = try #require(grant.json["user"]?["id"]?.stringValue)
        let hash = try PasswordHash(
            "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$"
                + "RdescudvJCsgt3ub+b5dWRWJTmaaJObGFDCVJuSkEXA")
        try await scene.database.transaction { (transaction) throws(AccountError) in
            try await StoredPasswords.set(hash, of: user, in: transaction)
        }
        // More than the tries of one client.
        for _ in 0..<25 {
            let told = try await password(scene, "correct horse", from: nil)
            #expect(told.status == 422 && told.code == "password_needs_reset")
        }

        try await scene.pass(3_601)
        let token = try #require(
            try await scene.signIn(Scene.email).json["access_token"]?.stringValue)
        let change = try await scene.call(
            "PUT /user", "{\"password\":\"battery staple\"}", bearer: token)
        #expect(change.status == 200)
        #expect(try await password(scene, "battery staple", from: nil).status == 200)
    }

    @Test("Requests without an address are reported once")
    func withoutAddress() async throws {
        let scene = try await Scene()
        for _ in 0..<3 { _ = try await scene.password("wrong") }
        #expect(scene.addressReports.withLock { $0 } == 1)
    }
}
