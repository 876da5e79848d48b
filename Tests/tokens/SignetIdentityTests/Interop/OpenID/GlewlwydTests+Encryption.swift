// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// Debian 12 has glewlwyd 2.7.5, which encrypts with rhonabwy 1.1.11. They cannot do this:
/// - CBC, if the signed token has a multiple of 16 bytes: no padding is added, which RFC 7518,
///   section 5.2.2.1, requires. rhonabwy 1.1.14 adds it.
/// - `ECDH-ES` without key wrap, with `A192CBC-HS384` or `A256CBC-HS512`: half of the key is wrong.
///   rhonabwy 1.1.12 derives it.
/// - A key on P-521: the token endpoint answers 500.
/// - Userinfo with `aud`, which OpenID Connect Core 1.0, section 5.3.2, recommends, or with another
///   `typ` than its own. It is a token only where `Accept` names nothing else, or by an address.
extension GlewlwydTests {
    static let encrypted = [
        Variant(.es256, "agreeing", ClientAuthentication.clientSecretBasic),
        // With this name the length of its ID tokens is not a multiple of 16.
        Variant(.rs256, "wrapping", ClientAuthentication.clientSecretBasic),
    ]

    @Test(
        "A person signs in with an encrypted ID token where the program decrypts it, and only there",
        arguments: encrypted)
    func encryptedSignIn(_ variant: Variant) async throws {
        let provider = try await Self.provider.value
        let encryption = try #require(provider.encryptions[variant.clientID])
        let keys = encryption.keys
        let finished = try await Self.flow(variant, .required(keys)).signIn(provider.visit)
        #expect(finished.identity.name == "Alice")
        let opened = try keys.decrypter.decrypt(#require(finished.tokens.idToken))
        #expect(opened.header.algorithm == keys.current.algorithm)
        #expect(opened.header.contentEncryption == encryption.content)
        #expect(opened.header.keyID == keys.current.keyID)
        #expect(String(decoding: opened.payload, as: UTF8.self) == finished.identity.idTokenHint)
        let others = try DecryptionKeySet(current: .generate(keys.current.algorithm))
        let refusals: [(Variant, IDTokenVerifier.Decryption, String)] = [
            (variant, .notOffered, "encrypted"), (variant, .required(others), "decryptionFailed"),
            (Self.variants[0], .required(keys), "notEncrypted"),
        ]
        for (variant, decryption, code) in refusals {
            let error = await #expect(throws: SignInError.self) {
                try await Self.flow(variant, decryption).signIn(provider.visit)
            }
            #expect(error?.code.rawValue == code)
        }
    }

    @Test(
        "Its encrypted userinfo is decrypted and its signature fits, and its type is refused",
        arguments: encrypted)
    func encryptedUserInfo(_ variant: Variant) async throws {
        let provider = try await Self.provider.value
        let keys = try #require(provider.encryptions[variant.clientID]).keys
        let flow = try await Self.flow(variant, .required(keys))
        let finished = try await flow.signIn(provider.visit)
        #expect(try await flow.signIn.userInfo(of: finished).name == "Alice")
        // It answers with JSON although tokens are accepted too.
        let json = await #expect(throws: SignInError.self) {
            try await flow.signIn.userInfo(of: finished, expecting: .encrypted)
        }
        #expect(json?.code.rawValue == "formMismatch")
        let metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(flow.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
        let url = try EndpointURL(#require(metadata.userInfoEndpoint).text + "?format=jwt")
        let access = try #require(finished.tokens.accessToken)
        let endpoint = try UserInfoEndpoint(
            url: url, verifier: flow.signIn.verifier, expecting: .encrypted,
            transport: CurlTransport.curl, timeout: SignInSteps.timeout)
        let error = await SignInSteps.refusal {
            try await endpoint.userInfo(of: finished.identity, accessToken: access)
        }
        #expect(error?.fullCode == "invalidResponse.typeMismatch")
        let verifier = EncryptedTokenVerifier(
            decryption: keys.decrypter,
            inner: TokenVerifier(
                keys: try KeySet(jwks: try await Self.answer(at: metadata.jwksURI)),
                policy: try TokenPolicy(
                    issuer: .exactly(flow.issuer), audience: .notChecked,
                    type: .exactly("token-userinfo+jwt"), expiration: .optional, clock: .peers)))
        let token = try await Self.answer(at: url, authorization: "Bearer " + access)
        #expect(try verifier.verify(token).claims.subject == finished.identity.subject)
    }

    private static func flow(
        _ variant: Variant, _ decryption: IDTokenVerifier.Decryption
    ) async throws -> WholeSignIn {
        try await WholeSignIn(
            issuer: issuer(variant), clientID: variant.clientID, variant.authentication,
            algorithm: variant.algorithm, decryption: decryption)
    }

    private static func answer(
        at url: EndpointURL, authorization: String? = nil
    ) async throws -> String {
        let answer = try await CurlTransport.curl.exchange(
            TransportRequest(
                url: url, accept: "application/jwt", authorization: authorization,
                timeout: SignInSteps.timeout))
        return String(decoding: answer.body, as: UTF8.self)
    }
}
