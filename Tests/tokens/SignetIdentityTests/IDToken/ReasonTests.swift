// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Each typed reason with a token that has it; the outside sees none of them.
@Suite("Typed reasons")
struct ReasonTests {
    static let codes: [IdentityError.Code] = [
        .malformed, .tooLarge, .duplicateMember, .encrypted, .unsupportedAlg, .algMismatch,
        .critUnknown,
        .typeMismatch, .unknownKid,
        .keyUnusable, .badSignature, .issuer, .audienceMissing, .audienceUntrusted, .azp, .subject,
        .expired,
        .notYetValid,
        .issuedInFuture, .tooOld, .lifetimeTooLong, .nonceMissing, .nonceMismatch, .atHash, .cHash,
        .emailUnverified, .hostedDomain,
        .tenant, .authTooOld, .acr, .claimMissing, .claimInvalid, .valueNotAccepted,
        .keySourceUnavailable,
    ]

    @Test("A fault of the machine is a logged server error, never 401")
    func statuses() {
        #expect(HTTPRefusal(IdentityError(.libraryFailure, "")) == .internalError)
        #expect(HTTPRefusal(IdentityError(.unsupportedType, "")) == .internalError)
        #expect(HTTPRefusal(IdentityError(.keySourceUnavailable, "")) == .unavailable)
        #expect(HTTPRefusal(IdentityError(.badSignature, "")) == .invalidToken)
    }

    @Test("Each reason has a token", arguments: codes)
    func oneForEach(_ wanted: IdentityError.Code) async throws {
        var provider = try IdentityProvider.google(
            clientIDs: ["client-1"], hostedDomains: ["corp.example"])
        provider.requiresVerifiedEmail = true
        var fixture = try ProviderFixture(
            name: "strict", provider: provider, key: .rsa,
            claims: ProviderFixture.google().claims.changing([
                "aud": #""client-1""#, "azp": nil, "nonce": nil,
            ]))
        if wanted == .tenant { fixture = try .entra() }
        if wanted == .valueNotAccepted {
            fixture = fixture.with { $0.acceptedValues["hd"] = ["x"] }
        }
        var options = fixture.options()
        options.maximumAge = .seconds(600)
        let published = try KeySet(
            jwks: KeySet([ProviderKey.rsa.verification]).jwksJSON().dropLast(2)
                + #",{"kty":"x","kid":"odd"}]}"#)
        let verifier =
            wanted == .keySourceUnavailable
            ? try IDTokenVerifier(
                provider,
                keys: .fetched(over: FakeTransport(.failure(TransportFailure(.timedOut, "")))),
                options: options)
            : try IDTokenVerifier(fixture.provider, keys: .inHand(published), options: options)
        let (edits, header) = Self.token(wanted)
        var token = try fixture.token(edits, header: header ?? fixture.key.header)
        switch wanted {
        case .malformed: token += "="
        case .tooLarge: token += String(repeating: "A", count: 16_384)
        case .encrypted: token += ".."
        case .badSignature: token = try ProviderKey.foreignRSA.token(fixture.claims.json)
        default: break
        }
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(
                token,
                nonce: wanted == .nonceMissing
                    ? .raw("n") : (wanted == .nonceMismatch ? .raw("m") : .none),
                accessToken: wanted == .atHash ? "t" : nil, code: wanted == .cHash ? "c" : nil,
                maximumAuthenticationAge: wanted == .authTooOld ? .seconds(1) : nil,
                authenticationContexts: wanted == .acr ? ["gold"] : [])
        }
        #expect(error?.code == wanted, "\(String(describing: error))")
        #expect(
            error.map { HTTPRefusal($0) }
                == (wanted == .keySourceUnavailable ? .unavailable : .invalidToken))
        #expect(error?.message.isEmpty == false)
        // Nothing of the token is repeated, not even to the log.
        var text = ""
        if let error { dump(error, to: &text) }
        text += error?.description ?? ""
        for part in token.split(separator: ".") where part.utf8.count > 8 {
            #expect(!text.contains(part))
        }
        for value in ["110169484474386276334", "alice", "Alice"] { #expect(!text.contains(value)) }
    }

    /// What is changed in claims and header to get this reason.
    private static func token(_ code: IdentityError.Code) -> ([String: String?], String?) {
        switch code {
        case .duplicateMember: (["x\":1,\"x": "2"], nil)
        case .unsupportedAlg: ([:], #"{"alg":"none"}"#)
        case .algMismatch: ([:], #"{"alg":"HS256","kid":"rsa-1"}"#)
        case .critUnknown: ([:], #"{"alg":"RS256","kid":"rsa-1","crit":["x"]}"#)
        case .typeMismatch: ([:], #"{"alg":"RS256","kid":"rsa-1","typ":"at+jwt"}"#)
        case .unknownKid: ([:], #"{"alg":"RS256","kid":"other"}"#)
        case .keyUnusable: ([:], #"{"alg":"RS256","kid":"odd"}"#)
        case .issuer: (["iss": #""x""#], nil)
        case .audienceMissing: (["aud": #""x""#], nil)
        case .audienceUntrusted: (["aud": #"["client-1","x"]"#], nil)
        case .azp: (["azp": #""x""#], nil)
        case .subject: (["sub": #""""#], nil)
        case .expired: (["exp": "1"], nil)
        case .notYetValid: (["nbf": "1800009999"], nil)
        case .issuedInFuture: (["iat": "1800009999"], nil)
        case .tooOld: (["iat": "1"], nil)
        case .lifetimeTooLong: (["exp": "1900000000"], nil)
        case .nonceMismatch: (["nonce": #""n""#], nil)
        case .emailUnverified: (["email_verified": "false"], nil)
        case .hostedDomain: (["hd": #""other.example""#], nil)
        case .tenant: (["tid": #""x""#], nil)
        case .claimMissing: (["iat": nil], nil)
        case .claimInvalid: (["azp": "1"], nil)
        default: ([:], nil)
        }
    }

    @Test("All reasons have one external message")
    func externalAnswer() {
        #expect(IdentityError.externalMessage == "The token was not accepted.")
        #expect(
            IdentityError(.issuer, claim: "iss", "a") == IdentityError(.issuer, claim: "iss", "b"))
        #expect(IdentityError(.issuer, claim: "iss", "") != IdentityError(.issuer, ""))
        #expect(
            IdentityError(.issuer, claim: "iss", "Other.").description == "issuer (iss): Other.")
        #expect(Set(Self.codes.map(\.rawValue)).count == Self.codes.count)
    }

    @Test("A printed identity shows the subject and no other personal data")
    func printing() async throws {
        let identity = try await ProviderFixture.google().identity()
        var text = "\(identity) \(String(reflecting: identity)) "
        dump(identity, to: &text)
        #expect(text.contains("110169484474386276334"))
        for value in ["alice", "Alice", "pictures.example", "made-by-the-sdk"] {
            #expect(!text.contains(value))
        }
        var other = ""
        dump(try ProviderFixture.google().provider, to: &other)
        #expect(other.contains("https://accounts.google.com"))
    }
}
