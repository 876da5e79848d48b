// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The official Swift client (supabase-swift) goes through its life cycle at Signet's service. Lines
// of standard input and output are those of official_life.py; with arguments it lives at
// GoTrueServer instead (ServerLife.swift). Nothing in this package compiles it: make one whose
// executable target has the files of this folder and depends on the products `Auth` of
// supabase-swift and `Crypto` of swift-crypto.

import Auth
import Foundation
import Synchronization

let password = "correct horse"

@main
struct SupabaseLife {
    let test: LifeTest

    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 1 else {
            let life = try ServerLife(arguments: words)
            return try await words.last == "again" ? life.goOn() : life.begin()
        }
        let life = Self(test: try .named())
        try await life.signUp()
        try await life.otherAddress()
        try await life.link()
        try await life.lostAnswers()
        try await life.browser()
        try await life.factorsAndIdentities()
        try await life.signOut()
        let done = [
            "implicit", "pkce", "phone", "address", "link", "lost answers", "browser", "provider",
            "factors", "unlinked", "sign-out",
        ]
        try LifeTest.write("done", value: done)
    }

    /// Signed up, signed in, and a new password, in both of the client's flows, and by phone.
    func signUp() async throws {
        for (name, flow) in [("implicit", AuthFlowType.implicit), ("pkce", .pkce)] {
            let (email, one) = (name + "@company.example", test.client(flow))
            let back = URL(string: "https://app.example/signed-in")
            let answer = try await one.signUp(
                email: email, password: password, data: ["name": "Ann"], redirectTo: back)
            try expect(answer.session == nil)
            let code = try test.code(to: email)
            let wrong = code == "000000" ? "000001" : "000000"
            try await refused(.otpExpired) {
                try await one.verifyOTP(email: email, token: wrong, type: .signup)
            }
            let verified = try await one.verifyOTP(email: email, token: code, type: .signup)
            try expect(verified.session?.user.userMetadata == ["name": "Ann"])
            let changed = try await one.update(user: UserAttributes(data: ["theme": "dark"]))
            try expect(changed.userMetadata == ["name": "Ann", "theme": "dark"])
            try await refused(.invalidCredentials) {
                try await test.client().signIn(email: email, password: "wrong horse")
            }
            let (other, two) = (try await test.signedIn(email), test.client(flow))
            try expect(try await other.getClaims().claims.email == email)
            try await two.resetPasswordForEmail(email, redirectTo: back)
            try await two.verifyOTP(
                email: email, token: test.code(to: email), type: .recovery)
            try await refused(.weakPassword) {
                try await two.update(user: UserAttributes(password: "short"))
            }
            try await two.update(user: UserAttributes(password: password))
            // It ended the others.
            try await refused(.sessionNotFound) { try await other.user() }
            try expect(other.currentSession == nil)
            try test.ask("pass", value: 700)
            let later = UserAttributes(password: "battery staple")
            try await refused(.reauthenticationNeeded) { try await two.update(user: later) }
            try await two.reauthenticate()
            let nonce = try test.code(to: email)
            try await two.update(user: UserAttributes(password: password, nonce: nonce))
        }
        let (phone, one) = ("+14155551234", test.client())
        try await one.signInWithOTP(phone: phone)
        let signedIn = try await one.verifyOTP(
            phone: phone, token: test.code(to: phone), type: .sms)
        try expect(signedIn.session?.user.phone == String(phone.dropFirst()))
    }

    /// Another address, with the codes of both.
    func otherAddress() async throws {
        let (ends, dora) = (["dora@company.example", "doris@company.example"], test.client())
        try await dora.signInWithOTP(email: ends[0])
        try await dora.verifyOTP(email: ends[0], token: test.code(to: ends[0]), type: .email)
        try expect(
            try await dora.update(user: UserAttributes(email: ends[1])).newEmail == ends[1])
        let half = try await dora.verifyOTP(
            email: ends[0], token: test.code(to: ends[0]), type: .emailChange)
        try expect(half.session == nil)
        try expect(try await dora.user().email == ends[0])
        let moved = try await dora.verifyOTP(
            email: ends[1], token: test.code(to: ends[1]), type: .emailChange)
        try expect(moved.session?.user.email == ends[1])
    }

    /// A link to a page, which posts its token.
    func link() async throws {
        let email = "frida@company.example"
        try await test.client().signInWithOTP(
            email: email, redirectTo: URL(string: "https://app.example/signed-in"))
        let token = try test.ask("link", value: email)
        let posted = try await test.client().verifyOTP(tokenHash: token, type: .email)
        try expect(posted.session?.user.email == email)
        try await refused(.otpExpired) {
            try await test.client().verifyOTP(tokenHash: token, type: .email)
        }
    }

    /// Two clients of one session, each of which refreshes while answers are lost.
    func lostAnswers() async throws {
        let (storage, email, text) = (Storage(), "pkce@company.example", "refresh_token")
        let first = try await test.signedIn(
            email, storage: storage, network: Network(losing: text))
        let second = test.client(storage: storage, network: Network(losing: text))
        for _ in 0..<6 {
            async let one = first.refreshSession()
            async let two = second.refreshSession()
            _ = try await (one, two)
            try test.ask("pass", value: 61)
        }
        try expect(try await first.user() == second.user())
    }

    func browser() async throws {
        let (back, web, test) = ("http://127.0.0.1:49152/callback", test.client(.pkce), test)
        let session = try await web.signInWithOAuth(
            provider: .keycloak, redirectTo: URL(string: back)
        ) { url in
            let code = try test.ask("visit", value: url.absoluteString)
            guard let arrived = URL(string: back + "?code=" + code) else {
                throw Unexpected(line: #line, seen: code)
            }
            return arrived
        }
        try expect(session.user.appMetadata["providers"] == ["keycloak"])
    }

    /// A second factor of a provider's user, and one way to sign in less.
    func factorsAndIdentities() async throws {
        let kay = try await test.providerClient(network: Network(losing: "/factors"))
        let elsewhere = try await test.providerClient()
        let person = try await kay.user()
        try expect(person.userMetadata["name"] == "Ann Example")
        let picture = person.userMetadata["picture"]
        try expect(picture == "https://accounts.example/dora.png")
        try expect(person.identities?.first?.identityData?["picture"] == picture)
        let phone = "+14155550123"
        try await kay.update(user: UserAttributes(phone: phone))
        try await kay.verifyOTP(phone: phone, token: test.code(to: phone), type: .phoneChange)
        try expect(try await test.levels(of: kay) == ["aal1", "aal1"])

        let factor = try await kay.mfa.enroll(params: .totp(friendlyName: "phone"))
        guard let totp = factor.totp else { throw Unexpected(line: #line) }
        try expect(totp.uri.hasPrefix("otpauth://totp/") && factor.type == "totp")
        try await kay.refreshSession()
        let listed = try await kay.mfa.listFactors()
        try expect(listed.totp.isEmpty && listed.all.map(\.status) == [.unverified])
        let challenge = try await kay.mfa.challenge(params: .init(factorId: factor.id))
        let right = appCode(totp.secret)
        let missed = String(format: "%06d", ((Int(right) ?? 0) + 1) % 1_000_000)
        let shown = { MFAVerifyParams(factorId: factor.id, challengeId: challenge.id, code: $0) }
        try await refused(.mfaVerificationFailed) {
            try await kay.mfa.verify(params: shown(missed))
        }
        let events = Mutex([AuthChangeEvent]())
        let heard = await kay.onAuthStateChange { event, _ in events.withLock { $0.append(event) } }
        try await kay.mfa.verify(params: shown(right))
        heard.remove()
        try expect(events.withLock { $0.contains(.mfaChallengeVerified) })
        try expect(try await test.levels(of: kay) == ["aal2", "aal2"])
        try await kay.refreshSession()
        try expect(try await test.levels(of: kay) == ["aal2", "aal2"])
        let methods = try await kay.mfa.getAuthenticatorAssuranceLevel()
            .currentAuthenticationMethods
        try expect(methods.contains { $0.method == "totp" })
        try expect(try await kay.mfa.listFactors().totp.map(\.friendlyName) == ["phone"])
        try await refused(.sessionNotFound) { try await elsewhere.user() }
        let later = try await test.providerClient()
        try expect(try await test.levels(of: later) == ["aal1", "aal2"])
        try await refused(.insufficientAAL) {
            try await later.mfa.unenroll(params: .init(factorId: factor.id))
        }
        try await later.mfa.challengeAndVerify(
            params: .init(factorId: factor.id, code: appCode(totp.secret, steps: 1)))

        let ways = try await later.userIdentities()
        try expect(ways.map(\.provider).sorted() == ["keycloak", "phone"])
        for way in ways where way.provider == "phone" { try await later.unlinkIdentity(way) }
        let left = try await later.userIdentities()
        try expect(left.map(\.provider) == ["keycloak"])
        try await refused(.singleIdentityNotDeletable) { try await later.unlinkIdentity(left[0]) }
        try await later.mfa.unenroll(params: .init(factorId: factor.id))
        try await later.refreshSession()
        try expect(try await later.mfa.listFactors().all.isEmpty)
        try expect(try await test.levels(of: later) == ["aal1", "aal1"])
    }

    func signOut() async throws {
        var devices: [AuthClient] = []
        for _ in 0..<4 { devices.append(try await test.signedIn("pkce@company.example")) }
        func alive() async -> [Bool] {
            var found: [Bool] = []
            for device in devices { found.append((try? await device.user()) != nil) }
            return found
        }
        try await devices[0].signOut(scope: .local)
        try expect(await alive() == [false, true, true, true])
        try await devices[1].signOut(scope: .others)
        try expect(await alive() == [false, true, false, false])
        try await devices[1].signOut()
        try expect(await alive() == [false, false, false, false])
    }
}
