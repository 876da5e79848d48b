// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetVault
import Testing

@Suite("The server's answer to an error")
struct HTTPRefusalTests {
    struct Foreign: Error {}

    static let cases: [(any Error, HTTPRefusal)] = [
        (TokenError(.expired, ""), .invalidToken), (TokenError(.malformed, ""), .invalidToken),
        (TokenError(.tooLarge, ""), .invalidToken), (TokenError(.noMatchingKey, ""), .invalidToken),
        (TokenError(.invalidPolicy, ""), .internalError),
        (TokenError(.signingFailed, ""), .internalError),
        (TokenError(.unsupportedType, ""), .internalError),
        (TokenError(.libraryFailure, ""), .internalError),
        (JSONError(code: .malformed), .badRequest), (JSONError(code: .missingMember), .badRequest),
        (JSONError(code: .tooLarge), .contentTooLarge),
        (JSONError(code: .unsupportedType), .internalError),
        (JOSEEncodingError(code: .invalidLength), .badRequest),
        (KeyError(.malformed, ""), .internalError), (KeyError(.libraryFailure, ""), .internalError),
        (CryptographyError(.authenticationFailure, ""), .internalError),
        (StoreError(.locked, ""), .unavailable), (StoreError(.busy, ""), .unavailable),
        (StoreError(.timedOut, ""), .unavailable), (StoreError(.corrupt, ""), .internalError),
        (StoreError(.insecureFile, ""), .internalError), (Foreign(), .internalError),
    ]

    @Test("Every error becomes its HTTP refusal", arguments: cases.indices)
    func answers(_ index: Int) {
        let (error, refusal) = Self.cases[index]
        #expect(HTTPRefusal(error) == refusal, "\(error)")
    }

    @Test("Only a client's error has a challenge, and status and challenge agree")
    func challenges() {
        #expect(
            HTTPRefusal.authenticate.status == 401 && HTTPRefusal.authenticate.challenge == "Bearer"
        )
        let invalid = HTTPRefusal.invalidToken
        #expect(invalid.status == 401 && invalid.challenge == #"Bearer error="invalid_token""#)
        let request = HTTPRefusal.invalidRequest
        #expect(request.status == 400 && request.challenge == #"Bearer error="invalid_request""#)
        let scope = HTTPRefusal.insufficientScope()
        #expect(scope.status == 403 && scope.challenge == #"Bearer error="insufficient_scope""#)
        #expect(scope.description == #"403, Bearer error="insufficient_scope""#)
        #expect(HTTPRefusal.badRequest.status == 400 && HTTPRefusal.badRequest.challenge == nil)
        let client = HTTPRefusal.invalidClient
        #expect(client.status == 401 && client.challenge == #"Basic realm="client""#)
        #expect(HTTPRefusal.unsupportedGrantType.status == 400)
        #expect(HTTPRefusal.unsupportedGrantType.challenge == nil)
        #expect(
            HTTPRefusal.internalError.status == 500 && HTTPRefusal.internalError.challenge == nil)
        #expect(HTTPRefusal.unavailable.status == 503 && HTTPRefusal.unavailable.challenge == nil)
    }

    @Test(
        "Scopes that would break out of the challenge are left out",
        arguments: [
            ["a\" realm=\"b"], ["a\\"], ["a\r\nSet-Cookie: b=c"], ["a\nb"], ["a b"], [""], ["é"],
            ["a\0"], ["a\u{7f}"], ["read", "a\""], ["read", ""],
        ])
    func scopes(_ scopes: [String]) {
        let refusal = HTTPRefusal.insufficientScope(scopes)
        #expect(refusal.challenge == #"Bearer error="insufficient_scope""#)
        let good = HTTPRefusal.insufficientScope(["read", "https://api.example/write"]).challenge
        #expect(
            good
                == #"Bearer error="insufficient_scope", scope="read https://api.example/write""#)
    }

    @Test("The answer holds nothing from the error")
    func silent() {
        let refusal = HTTPRefusal(TokenError(.claimInvalid, claim: "hunter2", "hunter2"))
        #expect(!"\(refusal)\(String(reflecting: refusal))".contains("hunter2"))
    }
}
