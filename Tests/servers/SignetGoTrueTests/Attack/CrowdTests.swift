// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

/// Many people at once who share three addresses and two numbers, and do whatever they can.
@Suite("A crowd at the service", .serialized)
struct CrowdTests {
    private static let destinations = [
        "\"email\":\"a@x.example\"", "\"email\":\"b@x.example\"", "\"email\":\"c@x.example\"",
        "\"phone\":\"14155550001\"", "\"phone\":\"14155550002\"",
    ]
    private static let addresses = [
        "a@x.example", "b@x.example", "c@x.example", "+14155550001", "+14155550002",
    ]

    private struct Person {
        let scene: Scene
        var random = SystemRandomNumberGenerator()
        var access = ""
        var refresh = ""
        /// The newest challenge of each destination.
        var challenges: [Int: String] = [:]

        mutating func act() async throws -> Scene.Answer {
            let number = Int.random(in: 0..<5, using: &random)
            let member = CrowdTests.destinations[number]
            let isPhone = number > 2
            let known = Bool.random(using: &random) ? challenges[number] : nil
            let shown = known.map { ",\"challenge\":\"\($0)\"" } ?? ""
            let actions = access.isEmpty ? [0, 1, 2, 3, 4, 5, 6, 16, 18] : Array(0..<20)
            let answer: Scene.Answer
            switch actions.randomElement(using: &random) ?? 0 {
            case 0: answer = try await scene.call("POST /otp", "{\(member)\(shown)}")
            case 1:
                answer = try await scene.call(
                    "POST /signup",
                    "{\(member),\"password\":\"password \(number)\"\(shown)}")
            case 2: answer = try await scene.call("POST /signup", "{}")
            case 3, 4, 5:
                let code = try await scene.code(to: CrowdTests.addresses[number]) ?? "000000"
                let types =
                    isPhone ? ["sms", "phone_change"] : ["email", "email_change", "recovery"]
                let type = types.randomElement(using: &random) ?? ""
                answer = try await scene.call(
                    "POST /verify", "{\"type\":\"\(type)\",\(member),\"token\":\"\(code)\"\(shown)}"
                )
            case 6:
                answer = try await scene.call(
                    "POST /resend",
                    "{\"type\":\"\(isPhone ? "phone_change" : "signup")\",\(member)\(shown)}")
            case 7: answer = try await scene.call("PUT /user", "{\(member)}", bearer: access)
            case 8:
                answer = try await scene.call(
                    "PUT /user", "{\(member),\"password\":\"password \(number)\"}", bearer: access)
            case 9:
                answer = try await scene.call(
                    "PUT /user", "{\"data\":{\"n\":\(number)}}", bearer: access)
            case 10: answer = try await scene.call("DELETE /user", bearer: access)
            case 11:
                let scope = ["global", "local", "others"].randomElement(using: &random) ?? ""
                answer = try await scene.call("POST /logout?scope=\(scope)", bearer: access)
            case 12, 13: answer = try await scene.refresh(refresh)
            case 14: answer = try await scene.call("GET /reauthenticate", bearer: access)
            case 15:
                let code = try await scene.code(to: CrowdTests.addresses[number]) ?? "000000"
                answer = try await scene.call(
                    "PUT /user", "{\"password\":\"password 9\",\"nonce\":\"\(code)\"}",
                    bearer: access)
            case 16, 17:
                let token = try scene.provider.idToken("person \(number)")
                answer = try await scene.call(
                    "POST /token?grant_type=id_token",
                    "{\"provider\":\"keycloak\",\"id_token\":\"\(token)\","
                        + "\"link_identity\":\(access.isEmpty ? "false" : "true")}",
                    bearer: access.isEmpty ? nil : access)
            case 18:
                answer = try await scene.call(
                    "POST /token?grant_type=password",
                    "{\(member),\"password\":\"password \(number)\"}")
            default: answer = try await scene.call("GET /user", bearer: access)
            }
            if let challenge = answer.challenge { challenges[number] = challenge }
            if !answer.accessToken.isEmpty {
                (access, refresh) = (answer.accessToken, answer.refreshToken)
            } else if ["session_not_found", "user_not_found"].contains(answer.code) {
                (access, refresh) = ("", "")
            }
            return answer
        }
    }

    @Test(
        "Whatever they do, no answer is a server error, and nothing is left of who is gone",
        .tags(.fuzzing, .sampled), arguments: Engine.allCases)
    func everything(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let rounds = Effort.rounds(500)
        let often = try RateLimit(burst: 100_000, interval: .milliseconds(1))
        let scene = try await Scene(place.open()) {
            $0.codes = try CodePolicy(
                tries: 10, resendAfter: .seconds(1), sentToDestination: often, wrongCodes: often)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var person = Person(scene: scene)
                    for _ in 0..<rounds {
                        let answer = try await person.act()
                        #expect(
                            answer.status < 500, "\(answer.status) \(answer.code ?? "")")
                    }
                }
            }
            group.addTask {
                for _ in 0..<rounds / 4 {
                    try await Task.sleep(for: .milliseconds(20))
                    try await scene.pass(2)
                }
            }
            try await group.waitForAll()
        }
        #expect(scene.errors.withLock { $0 }.isEmpty)
        for statement: SQLStatement in [
            """
            SELECT count(*) FROM signet_identities
            WHERE user_id NOT IN (SELECT id FROM signet_users)
            """,
            """
            SELECT count(*) FROM (SELECT user_id, issuer FROM signet_identities
            WHERE issuer IN ('email', 'phone') GROUP BY user_id, issuer HAVING count(*) > 1) AS two
            """,
            """
            SELECT count(*) FROM signet_gotrue_passwords
            WHERE user_id NOT IN (SELECT user_id FROM signet_identities)
            """,
        ] {
            #expect(try await scene.count(statement) == 0)
        }
        withExtendedLifetime(folder) {}
    }
}
