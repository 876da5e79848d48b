// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import SignetSessionTesting
import TestSupport
import Testing

@Suite("BearerClient: 401 that asks for a fresh sign-in", .timeLimit(.minutes(20)))
struct StepUpTests {
    private static let error = "error=\"insufficient_user_authentication\""

    private static func challenge(_ fields: [String], status: Int = 401) -> StepUpChallenge? {
        StepUpChallenge(
            TransportResponse(
                status: status,
                fields: fields.map { .init(name: "www-AUTHENTICATE", value: $0) }, body: []))
    }

    @Test("In the form of Signet's servers it is an error of its own, without retry or exchange")
    func server() async throws {
        let refusals: [(HTTPRefusal, Duration?)] = [
            (.insufficientAuthentication, nil),
            (.insufficientAuthentication(maximumAge: nil), nil),
            (.insufficientAuthentication(maximumAge: .seconds(600)), .seconds(600)),
        ]
        let resource = try ProtectedResource(
            EndpointURL("https://api.example"), authorizationServers: ["https://idp.example"])
        let answers = refusals.flatMap { refusal, age in
            [(refusal.challenge, age), (resource.challenge(of: refusal), age)]
        }
        for (challenge, age) in answers {
            let fixture = try await BearerFixture()
            let field = try #require(challenge)
            try await fixture.api.set(
                "/thing",
                Behaviour("{}") {
                    $0.status = HTTPRefusal.insufficientAuthentication.status
                    $0.fields = [["WWW-Authenticate", field]]
                })
            let error = try #require(
                await fixture.failure(fixture.request("/thing", method: .post, body: [])))
            #expect(error.code == .insufficientAuthentication && error.status == 401)
            #expect(error.maximumAuthenticationAge == age && error.exposedBody == Array("{}".utf8))
            #expect(try await fixture.api.facts("/thing").count == 1)
            #expect(fixture.managers.server.exchangeCount == 0 && fixture.manager.state.isSignedIn)
        }
    }

    @Test("max_age is reported, and a challenge of another kind is a 401 as before")
    func age() async throws {
        for (challenge, code, exchanges) in [
            ("Bearer \(Self.error), max_age=300", APIError.Code.insufficientAuthentication, 0),
            ("Bearer error=\"invalid_token\", max_age=300", .unauthorized, 2),
        ] {
            let fixture = try await BearerFixture()
            try await fixture.api.set(
                "/thing",
                Behaviour("{}") {
                    $0.status = 401
                    $0.fields = [["WWW-Authenticate", challenge]]
                })
            let error = try #require(await fixture.failure(fixture.request("/thing")))
            #expect(error.code == code && fixture.managers.server.exchangeCount == exchanges)
            #expect(
                error.maximumAuthenticationAge == (exchanges == 0 ? .seconds(300) : nil))
        }
    }

    @Test(
        "What RFC 9110 and RFC 9470 allow is read",
        arguments: [
            (["Bearer \(error)"], Int?.none),
            (["bearer ERROR = insufficient_user_authentication , max_age = \"0\""], 0),
            (["Bearer realm=\"a, b\\\" c\", \(error), error_description=\"x\", max_age=\"5\""], 5),
            (["Basic realm=\"x\", Bearer \(error),max_age=999999999"], 999_999_999),
            (["Negotiate", "Bearer \(error)"], nil), (["Negotiate YII/a+==, Bearer \(error)"], nil),
            (["Bearer \(error), Basic", ""], nil), ([",, Bearer \(error) ,,max_age=7,"], 7),
            (["Bearer error=\"insufficient_user\\_authentication\""], nil),
            (["DPoP algs=\"ES256\"", "Bearer \(error), acr_values=\"a b\", max_age=60"], 60),
            // An age that is none is not said.
            (["Bearer \(error), max_age=\"\""], nil), (["Bearer \(error), max_age=-1"], nil),
            (["Bearer \(error), max_age=9999999999"], nil),
            (["Bearer \(error), max_age=\"\u{0661}\""], nil),
        ])
    func read(_ fields: [String], _ seconds: Int?) throws {
        let challenge = try #require(Self.challenge(fields), "\(fields)")
        #expect(challenge.maximumAuthenticationAge == seconds.map { .seconds($0) })
        #expect(Self.challenge(fields, status: 403) == nil)
    }

    @Test(
        "Anything else is no such challenge",
        arguments: [
            [], [""], [","], ["Bearer"], ["Bearer error"], ["Bearer error="], [error],
            ["Bearer error=\"insufficient_user_authentication"],
            ["Bearer error=\"insufficient_user_authentication\\"],
            ["Bearer error=\"invalid_token\""],
            ["Bearer error=\"INSUFFICIENT_USER_AUTHENTICATION\""],
            ["Bearer error=\"insufficient_user_authentication \""],
            ["Bearer error_description=\"\(error)\""], ["Basic realm=\"Bearer error=x\""],
            ["Basic realm=\"Bearer \\\"insufficient_user_authentication\\\"\""],
            ["DPoP \(error)"], ["Bearer, \(error)"], ["Bearer\(error)"],
            ["Bearer \(error), error=\"invalid_token\""],
            ["Bearer \(error), ERROR=\"insufficient_user_authentication\""],
            ["Bearer \(error)", "Bearer error=\"invalid_token\""],
            ["Bearer \(error), max_age=1, max_age=2"], ["Bearer \(error) max_age=1"],
            ["Bearer \(error); max_age=1"], ["Bearer \(error), \u{0}"], ["Bearer \(error), ="],
            ["Bearer error=\"insufficient_user_authentication\u{301}\""],
            ["Bearer \(error), a=\"" + String(repeating: "x", count: 9_000) + "\""],
            ["Bearer \(error)"] + (0..<5_000).map { _ in "Basic" },
            ["Bearer \(error), " + (0..<20).map { "a\($0)=b" }.joined(separator: ",")],
        ])
    func none(_ fields: [String]) {
        #expect(Self.challenge(fields) == nil)
    }

    @Test("Random texts of its pieces crash nothing, and only a whole challenge counts")
    func anything() {
        let pieces = [
            "Bearer \(Self.error)", "Bearer", " ", ",", "=", "\"", "\\", Self.error, "max_age", "1",
            "error", "\t", "é",
            "/",
            "insufficient_user_authentication", "Basic", "\u{301}", "\u{7f}",
        ]
        var generator = SeededGenerator(seed: 9470)
        var found = 0
        for _ in 0..<50_000 {
            let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            guard Self.challenge([text]) != nil else { continue }
            found += 1
            #expect(text.utf8.count > 40, "\(text)")
        }
        print("step-up: \(found) of 50000 random texts are challenges")
    }
}
