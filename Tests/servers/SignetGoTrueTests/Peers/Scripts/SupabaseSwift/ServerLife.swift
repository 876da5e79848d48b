// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Auth
import Foundation

/// supabase-swift at GoTrueServer: ADDRESS KEY FOLDER [again], as for gotrue_client.mjs, which does
/// the same with auth-js.
struct ServerLife {
    let test: LifeTest
    let folder: URL

    private let email = "cleo@company.example"
    private let phone = "+14155550199"
    private var kept: URL { folder.appending(path: "kept_swift.json") }

    /// What stays on the device while the server starts again.
    private struct Kept: Codable {
        let session: Session
        let factor: String
        let secret: String
    }

    init(arguments: [String]) throws {
        guard arguments.count >= 4, let url = URL(string: arguments[1]) else {
            throw Unexpected(line: #line, seen: "ADDRESS KEY FOLDER [again]")
        }
        test = LifeTest(url: url, key: arguments[2])
        folder = URL(filePath: arguments[3], directoryHint: .isDirectory)
    }

    /// Signed up with a password and signed in by a phone, with a second factor.
    func begin() async throws {
        let (one, two) = (test.client(), test.client())
        try await one.signUp(email: email, password: password, data: ["name": "Cleo"])
        let answer = try await one.verifyOTP(email: email, token: code(to: email), type: .signup)
        let person = answer.session?.user
        try expect(person?.email == email && person?.userMetadata == ["name": "Cleo"])
        try await two.signInWithOTP(phone: phone)
        try await two.verifyOTP(phone: phone, token: code(to: phone), type: .sms)
        try await two.signOut()
        let factor = try await one.mfa.enroll(params: .totp(friendlyName: "phone"))
        guard let secret = factor.totp?.secret else { throw Unexpected(line: #line) }
        try await one.mfa.challengeAndVerify(
            params: .init(factorId: factor.id, code: appCode(secret)))
        try expect(try await test.levels(of: one) == ["aal2", "aal2"])
        let session = try await one.session
        try JSONEncoder().encode(Kept(session: session, factor: factor.id, secret: secret))
            .write(to: kept)
        print("supabase-swift signed up with a password and by a phone, and showed a factor")
    }

    /// After a restart of the server.
    func goOn() async throws {
        let before = try JSONDecoder().decode(Kept.self, from: Data(contentsOf: kept))
        let (one, two, session) = (test.client(), test.client(), before.session)
        try await one.setSession(
            accessToken: session.accessToken, refreshToken: session.refreshToken)
        try expect(try await one.user().id == session.user.id)
        try await one.refreshSession()
        try expect(try await test.levels(of: one) == ["aal2", "aal2"])
        try expect(
            try await two.signIn(email: email, password: password).user.id == session.user.id)
        try expect(try await test.levels(of: two) == ["aal1", "aal2"])
        let unenrolled = MFAUnenrollParams(factorId: before.factor)
        try await refused(.insufficientAAL) { try await two.mfa.unenroll(params: unenrolled) }
        try await two.mfa.challengeAndVerify(
            params: .init(factorId: before.factor, code: appCode(before.secret, steps: 1)))
        try await two.mfa.unenroll(params: unenrolled)
        try await two.refreshSession()
        try expect(try await two.mfa.listFactors().all.isEmpty)
        try expect(try await test.levels(of: two) == ["aal1", "aal1"])
        try await two.signOut()
        try await refused(.sessionNotFound) { try await one.user() }
        print("supabase-swift had its session and factor after the restart, and ended them")
    }

    /// The last message to this person.
    private func code(to destination: String) async throws -> String {
        for _ in 0..<300 {
            let file = folder.appending(path: "messages.txt")
            let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n")
            let fields = (lines ?? []).map { $0.split(separator: "\t") }
            if let found = fields.last(where: { $0.count > 2 && $0[1] == destination }) {
                return String(found[2])
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Unexpected(line: #line, seen: "no code came to \(destination) in 30 s")
    }
}
