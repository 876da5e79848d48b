// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// A service whose clock the test sets, and an app that shows codes.
struct FactorScene {
    /// A factor in the app of a person.
    struct App {
        let id: String
        let totp: TOTP
    }

    let scene: Scene
    /// Nil where the database has the system's clock.
    private let stoppedClock: ClockedAccounts?

    init() async throws {
        let clock = try await ClockedAccounts()
        stoppedClock = clock
        scene = try await Scene(clock.database)
    }

    init(_ scene: Scene) {
        self.scene = scene
        stoppedClock = nil
    }

    var clock: ClockedAccounts {
        get throws { try #require(stoppedClock) }
    }

    func enroll(_ bearer: String, named name: String = "") async throws -> Scene.Answer {
        try await scene.call(
            "POST /factors", "{\"factor_type\":\"totp\",\"friendly_name\":\"\(name)\"}",
            bearer: bearer)
    }

    /// Adds a factor that is not verified.
    func app(_ bearer: String, named name: String = "") async throws -> App {
        let answer = try await enroll(bearer, named: name)
        #expect(answer.status == 200)
        let secret = try #require(answer.json["totp"]?["secret"]?.stringValue)
        return App(
            id: try #require(answer.json["id"]?.stringValue),
            totp: try TOTP(key: SecretKey(copying: try Self.base32(secret))))
    }

    /// The code that the app shows now, or so many steps later.
    func code(_ app: App, later steps: Int64 = 0) async throws -> String {
        let now = try await now()
        return try app.totp.code(
            at: NumericDate(secondsSince1970: Double(now / 1000 + 30 * steps)))
    }

    /// The database's clock in milliseconds.
    private func now() async throws -> Int64 { try await scene.count("SELECT {now}") }

    func challenge(_ app: App, _ bearer: String) async throws -> String {
        let answer = try await scene.call("POST /factors/\(app.id)/challenge", bearer: bearer)
        #expect(answer.status == 200 && answer.json["type"] == "totp")
        return try #require(answer.json["id"]?.stringValue)
    }

    /// - Parameter device: the secret that the client shows.
    func verify(
        _ app: App, _ bearer: String, code: String, challenge: String, device: String? = nil
    ) async throws -> Scene.Answer {
        try await scene.call(
            "POST /factors/\(app.id)/verify",
            "{\"challenge_id\":\"\(challenge)\",\"code\":\"\(code)\"}", bearer: bearer,
            fields: device.map { [("X-Signet-Device", $0)] } ?? [])
    }

    /// Asks for a challenge, and shows a code with it.
    func verify(
        _ app: App, _ bearer: String, later steps: Int64 = 0, device: String? = nil
    ) async throws -> Scene.Answer {
        try await verify(
            app, bearer, code: try await code(app, later: steps),
            challenge: try await challenge(app, bearer), device: device)
    }

    /// Shows a code, and another one if that one ended on the way: a machine may be slow.
    func verifyInTime(_ app: App, _ bearer: String, later steps: Int64 = 0) async throws
        -> Scene.Answer
    {
        while true {
            let start = try await now()
            let answer = try await verify(app, bearer, later: steps)
            guard answer.code == "mfa_verification_failed", try await now() - start >= 30_000
            else { return answer }
        }
    }

    func claims(_ answer: Scene.Answer) throws -> JSONValue {
        try scene.service.sessions.issuer.verify(answer.accessToken).claims(as: JSONValue.self)
    }

    /// RFC 4648, section 6.
    private static func base32(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for character in text.utf8 {
            bits = (bits << 5 | (try #require(alphabet.firstIndex(of: character)))) & 0xfff
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
