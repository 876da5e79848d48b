// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Userinfo")
struct UserInfoTests {
    static let json = ["Content-Type": "application/json; charset=utf-8"]

    static func userInfo(
        _ answer: FakeTransport.Answer, accessToken: String = "at-secret",
        _ fixture: ProviderFixture? = nil
    ) async throws -> Result<UserInfo, AuthorizationError> {
        let fixture = try fixture ?? .openID()
        let transport = FakeTransport(answer)
        let identity = try await fixture.identity()
        let endpoint = try UserInfoEndpoint(
            url: EndpointURL("https://idp.example/userinfo"), verifier: fixture.verifier(),
            transport: transport)
        do throws(AuthorizationError) {
            let info = try await endpoint.userInfo(of: identity, accessToken: accessToken)
            let request = transport.requests.all.first
            #expect(request?.authorization == "Bearer at-secret" && request?.method == .get)
            #expect(!"\(info)".contains("@"))
            return .success(info)
        } catch {
            #expect(!"\(error)".contains("secret"))
            return .failure(error)
        }
    }

    static func subject(_ fixture: ProviderFixture) -> String { fixture.claims["sub"] ?? "" }

    @Test("Answers are read, leniently where they are only shown")
    func reads() async throws {
        let fixture = try ProviderFixture.openID()
        let sub = Self.subject(fixture)
        let rich =
            #"{"sub":\#(sub),"name":"Älice","picture":"p","email":"a@b.example","email_verified":true,"x":[1]}"#
        let info = try await Self.userInfo(.body(rich, Self.json)).get()
        #expect(info.name == "Älice" && info.picture == "p")
        #expect(info.email.address == "a@b.example" && info.email.evidence == .verifiedAddress)
        struct More: Decodable { let x: [Int] }
        struct Wrong: Decodable { let x: [String: Int] }
        #expect(try info.claims(as: More.self).x == [1])
        #expect(throws: IdentityError(.claimInvalid, claim: "x", "")) {
            try info.claims(as: Wrong.self)
        }
        let odd = #"{"sub":\#(sub),"name":7,"picture":null,"email":[],"email_verified":"no"}"#
        let poor = try await Self.userInfo(.body(odd, Self.json)).get()
        #expect(poor.name == nil && poor.picture == nil)
        #expect(poor.email.address == nil && poor.email.evidence == .none)
    }

    @Test(
        "sub equals the ID token's byte for byte",
        arguments: [
            #"{}"#, #"{"sub":null}"#, #"{"sub":7}"#, #"{"sub":""}"#, #"{"sub":["S"]}"#,
            #"{"sub":"S "}"#, #"{"sub":"SX"}"#, #"{"sub":"S\u0301"}"#, #"{"sub":"\u0000S"}"#,
        ])
    func otherSubjects(_ body: String) async throws {
        let sub = Self.subject(try .openID()).dropFirst().dropLast()
        let outcome = try await Self.userInfo(.body(body.replacing("S", with: sub), Self.json))
        guard case .failure(let error) = outcome else {
            return #expect(Bool(false), "accepted")
        }
        #expect(error.code == .subjectMismatch && HTTPRefusal(error).status == 403)
        #expect(error.underlying is IdentityError, "the reason was lost")
    }

    @Test("A subject in another case or normalisation is another")
    func otherSpelling() async throws {
        var fixture = try ProviderFixture.openID()
        fixture = ProviderFixture(
            name: "sub", provider: fixture.provider, key: fixture.key,
            claims: fixture.claims.changing(["sub": #""Alice""#]))
        for sub in ["alice", "ALICE"] {
            let outcome = try await Self.userInfo(
                .body(#"{"sub":"\#(sub)"}"#, Self.json), fixture)
            guard case .failure(let error) = outcome else {
                return #expect(Bool(false), "accepted")
            }
            #expect(error.code == .subjectMismatch)
        }
    }

    @Test(
        "Malformed answers are refused",
        arguments: [
            (.status(401), .refused, "invalid_token"),
            (.status(403), .refused, "insufficient_scope"),
            (.status(503), .unavailable, nil), (.status(429), .unavailable, nil),
            (.failure(TransportFailure(.timedOut, "")), .unavailable, nil),
            (.failure(TransportFailure(.cancelled, "")), .cancelled, nil),
            (.status(302), .invalidResponse, nil), (.status(204), .invalidResponse, nil),
            (.body("e30.e30.e30", ["Content-Type": "application/jwt"]), .formMismatch, nil),
            (.body("e30.e30.e30", ["Content-Type": "Application/JWT; a=b"]), .formMismatch, nil),
            (.body("{}"), .invalidResponse, nil), (.body("[]", json), .invalidResponse, nil),
            (.body(#"{"sub":"a","sub":"b"}"#, json), .invalidResponse, nil),
            (.body(String(repeating: " ", count: 131_073), json), .invalidResponse, nil),
        ] as [(FakeTransport.Answer, AuthorizationError.Code, String?)])
    func noAnswers(
        _ answer: FakeTransport.Answer, _ code: AuthorizationError.Code, _ refusal: String?
    ) async throws {
        guard case .failure(let error) = try await Self.userInfo(answer) else {
            return #expect(Bool(false), "accepted")
        }
        #expect(error.code == code && error.refusal?.error == refusal, "\(error)")
    }

    @Test("A malformed access token is not sent", arguments: ["", "a b", "a\r\nX: y", "é"])
    func tokens(_ token: String) async throws {
        let outcome = try await Self.userInfo(.status(200), accessToken: token)
        guard case .failure(let error) = outcome else { return #expect(Bool(false)) }
        #expect(error.code == .malformed)
    }

    @Test("Authoritative domains do not apply, since userinfo cannot tell guests")
    func authority() async throws {
        let fixture = try ProviderFixture.openID().with {
            $0.authoritativeDomains = ["company.example"]
        }
        let sub = Self.subject(fixture)
        let body = #"{"sub":\#(sub),"email":"boss@company.example"}"#
        let info = try await Self.userInfo(.body(body, Self.json), fixture).get()
        #expect(info.email.evidence == .none)
    }
}
