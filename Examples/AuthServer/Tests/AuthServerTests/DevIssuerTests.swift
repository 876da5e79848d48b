// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetCrypto
import SignetIdentity
import SignetJOSE
import Testing

@Suite("The issuer for development")
struct DevIssuerTests {
    /// Discovery, authorization, code and PKCE, and the token goes to the server: a browser's whole
    /// flow.
    @Test("The authorization code flow with PKCE gives a token that the server accepts")
    func theWholeAuthorizationCodeFlow() async throws {
        try await World.with { world in
            let issuer = WebClient(
                port: try #require(Int(world.issuer.issuer.split(separator: ":").last ?? "")))
            let metadata = try await issuer.get("/.well-known/openid-configuration")
            #expect(metadata.body.contains(#""issuer":"\#(world.issuer.issuer)""#))
            let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            let authorize =
                // Most clients write a space like this.
                "/authorize?response_type=code&client_id=dev-client&scope=email+openid&state=x+y%2Bz"
                + "&nonce=n+0%2BS6"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Fcallback"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
            let redirect = try await issuer.send("GET", authorize)
            #expect(redirect.status == 302)
            let location = try #require(
                redirect.header("location").flatMap { URLComponents(string: $0) })
            let code = try #require(location.queryItems?.first { $0.name == "code" }?.value)
            #expect(location.queryItems?.first { $0.name == "state" }?.value == "x y+z")
            func exchange(_ code: String, _ verifier: String) async throws -> WebAnswer {
                try await issuer.send(
                    "POST", "/token",
                    headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: .whole(
                        "grant_type=authorization_code&code=\(code)&client_id=dev-client&code_verifier=\(verifier)"
                            + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A7777%2Fcallback"))
            }
            let answer = try await exchange(code, verifier)
            #expect(answer.status == 200)
            struct Token: Decodable {
                let idToken: String
                private enum CodingKeys: String, CodingKey { case idToken = "id_token" }
            }
            let idToken = try answer.json(Token.self).idToken
            struct Nonce: Decodable { let nonce: String }
            let payload = try Base64URL.decode(String(idToken.split(separator: ".")[1]))
            #expect(try JSONDecoder().decode(Nonce.self, from: Data(payload)).nonce == "n 0+S6")
            // The server was not told the nonce, as with Google, whose SDKs generate one.
            #expect(try await world.presents(idToken).status == 200)
            #expect(try await exchange(code, verifier).status == 400, "a code works once")

            let refused = [
                authorize.replacingOccurrences(of: "dev-client", with: "evil"),
                authorize.replacingOccurrences(of: "callback", with: "callback2"),
                authorize.replacingOccurrences(of: "S256", with: "plain"),
                authorize.replacingOccurrences(
                    of: "response_type=code", with: "response_type=token"),
                authorize + "&client_id=dev-client",
                authorize.replacingOccurrences(of: "email+openid", with: "email%2Bopenid"),
            ]
            for path in refused { #expect(try await issuer.send("GET", path).status == 400) }
        }
    }

    @Test("A web page cannot ask for tokens or rotate keys")
    func aWebPageCannotAskForTokens() async throws {
        try await World.with { world in
            let issuer = WebClient(
                port: try #require(Int(world.issuer.issuer.split(separator: ":").last ?? "")))
            let body = #"{"person":{"sub":"1"}}"#
            #expect(try await issuer.post("/dev/token", json: body).status == 200)
            #expect(
                try await issuer.send(
                    "POST", "/dev/token", headers: [("Content-Type", "text/plain")],
                    body: .whole(body)
                ).status == 400)
            // The router confuses the second with the first.
            for path in [
                "/dev/rotate-keys?forget=1", "//dev/rotate-keys?forget=1", "/dev//rotate-keys",
            ] {
                let answer = try await issuer.send(
                    "POST", path, headers: [("Content-Type", "text/plain")], body: .whole(""))
                #expect(answer.status == 400, "\(path)")
            }
            #expect(
                try await issuer.post("/dev/token", json: body, headers: [("Host", "evil.example")])
                    .status
                    == 400)
        }
    }
}
