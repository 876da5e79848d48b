// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("SignIn: encrypted ID tokens and userinfo", .timeLimit(.minutes(20)))
struct EncryptedSignInTests {
    let stub: StubProvider
    let keys: DecryptionKeySet

    init() throws {
        stub = try StubProvider()
        let jwk = JWK(material: .key(.ecPrivate(try .generate(curve: .p256))), keyID: nil)
        keys = try DecryptionKeySet(current: DecryptionKey(jwk: jwk, algorithm: .ecdhESA256KW))
    }

    /// From now on the provider encrypts to the key that the program publishes.
    private func encrypt() throws {
        let encrypter = try JWEEncrypter(
            to: EncryptionKey(jwk: JWK(keys.publicJSON())), content: .a256GCM, contentType: "JWT")
        stub.state.withLock {
            $0.idToken = { provider, nonce in
                try encrypter.encrypt(provider.token(nonce: nonce).utf8)
            }
        }
    }

    private func signIn(_ decryption: IDTokenVerifier.Decryption) throws -> SignIn {
        try SignIn(
            SignInConfigurationTests.openID(), authentication: .clientSecretBasic("secret"),
            redirectURI: StubProvider.redirectURI, keeping: SignInConfigurationTests.keeping,
            transport: stub, decryption: decryption, options: .still)
    }

    private func code(_ decryption: IDTokenVerifier.Decryption) async throws -> String {
        let signIn = try signIn(decryption)
        let begun = try await signIn.begin()
        return try await SignInTests.code {
            try await signIn.finish(query: stub.signIn(begun.url), ticket: begun.ticket)
        }
    }

    @Test("A person signs in with an encrypted token where the program says so, and only there")
    func signsIn() async throws {
        try encrypt()
        #expect(try await code(.required(keys)) == "signed in")
        #expect(try await code(.offered(keys)) == "signed in")
        #expect(try await code(.notOffered) == "encrypted")
    }

    @Test("A provider that does not encrypt is refused where that is required")
    func onlySigned() async throws {
        #expect(try await code(.required(keys)) == "notEncrypted")
        #expect(try await code(.offered(keys)) == "signed in")
    }

    @Test("Userinfo comes encrypted to the sign-in's key, and only where the program expects it")
    func userInfo() async throws {
        let endpoint = ",\"userinfo_endpoint\":\"\(StubProvider.issuer)/me\""
        stub.state.withLock { $0.metadata = endpoint }
        let encrypter = try JWEEncrypter(
            to: EncryptionKey(jwk: JWK(keys.publicJSON())), content: .a256GCM, contentType: "JWT")
        let answer = try encrypter.encrypt(stub.token(nonce: nil).utf8)
        stub.state.withLock {
            $0.answers["/me"] = TransportResponse(
                status: 200, fields: [.init(name: "Content-Type", value: "application/jwt")],
                body: Array(answer.utf8))
        }
        let cases: [(IDTokenVerifier.Decryption, UserInfoEndpoint.Form, String)] = [
            (.offered(keys), .encrypted, "user"), (.offered(keys), .signed, "formMismatch"),
            (.offered(keys), .json, "formMismatch"), (.notOffered, .encrypted, "contradiction"),
        ]
        for (decryption, form, outcome) in cases {
            let signIn = try signIn(decryption)
            let begun = try await signIn.begin()
            let finished = try await signIn.finish(
                query: stub.signIn(begun.url), ticket: begun.ticket)
            do throws(SignInError) {
                let info = try await signIn.userInfo(of: finished, expecting: form)
                #expect(info.subject == outcome)
            } catch {
                #expect(error.code.rawValue == outcome)
            }
        }
        #expect(stub.requests("/me") == 3)
    }

    @Test("A logout names the signed token, and not the encrypted one")
    func logout() async throws {
        let endpoint = ",\"end_session_endpoint\":\"\(StubProvider.issuer)/end\""
        stub.state.withLock { $0.metadata = endpoint }
        try encrypt()
        let signIn = try signIn(.required(keys))
        let begun = try await signIn.begin()
        let finished = try await signIn.finish(query: stub.signIn(begun.url), ticket: begun.ticket)
        let hint = finished.identity.idTokenHint
        let request = try await signIn.logoutRequest(idToken: hint, returningTo: nil)
        #expect(request.url.contains("?id_token_hint=\(hint)&"))
        let error = await #expect(throws: SignInError.self) {
            try await signIn.logoutRequest(idToken: finished.tokens.idToken, returningTo: nil)
        }
        #expect(error?.code.rawValue == "contradiction")
    }

    @Test("The nonce inside must be the sign-in's")
    func nonce() async throws {
        let encrypter = try JWEEncrypter(
            to: EncryptionKey(jwk: JWK(keys.publicJSON())), content: .a256GCM)
        stub.state.withLock {
            $0.idToken = { provider, _ in
                try encrypter.encrypt(provider.token(nonce: "another").utf8)
            }
        }
        #expect(try await code(.required(keys)) == "nonceMismatch")
    }
}
