// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("The server's answer to a sign-in error")
struct IdentityRefusalTests {
    static let cases: [(any Error, HTTPRefusal)] = [
        (IdentityError(.expired, ""), .invalidToken),
        (IdentityError(.unsupportedAlg, ""), .invalidToken),
        (IdentityError(.keySourceUnavailable, ""), .unavailable),
        (IdentityError(.keyHeldBack, retryAfterSeconds: 7, ""), .unavailable),
        (IdentityError(.keyHeldBack, ""), .invalidToken),
        (IdentityError(.libraryFailure, ""), .internalError),
        (IdentityError(.unsupportedType, ""), .internalError),
        (KeySourceError(.timedOut, ""), .unavailable),
        (KeySourceError(.invalidDocument, ""), .unavailable),
        (KeySourceError(.issuerMismatch, ""), .internalError),
        (BearerTokenError(.missing, ""), .authenticate),
        (BearerTokenError(.otherScheme, ""), .authenticate),
        (BearerTokenError(.repeated, ""), .invalidRequest),
        (IdentityConfigurationError(.invalidURL, ""), .internalError),
        (AuthorizationError(.stateMismatch, ""), .badRequest),
        (AuthorizationError(.tooLarge, ""), .badRequest),
        (AuthorizationError(.unavailable, ""), .unavailable),
        (AuthorizationError(.invalidResponse, ""), .internalError),
        (AuthorizationError(.libraryFailure, ""), .internalError),
        (AuthorizationError(.pkceRequired, ""), .internalError),
        (AuthorizationError(.formMismatch, ""), .internalError),
        (refused("access_denied"), .forbidden), (refused("invalid_grant"), .forbidden),
        (refused("made-up"), .forbidden), (refused("server_error"), .unavailable),
        (refused("temporarily_unavailable"), .unavailable),
        (refused("invalid_client"), .internalError),
        (MailboxError(.empty, ""), .badRequest),
        (EmailPolicyError(.noDomains, ""), .internalError),
    ]

    private static func refused(_ error: String) -> AuthorizationError {
        AuthorizationError(.refused, refusal: ProviderRefusal(error: error), "")
    }

    @Test("Every error becomes its HTTP refusal", arguments: cases.indices)
    func answers(_ index: Int) {
        let (error, refusal) = Self.cases[index]
        #expect(HTTPRefusal(error) == refusal, "\(error)")
    }

    @Test("The refusal carries the retry time, which equality ignores")
    func retryAfter() {
        let errors: [(any Error, Int?)] = [
            (IdentityError(.keySourceUnavailable, retryAfterSeconds: -3, ""), 0),
            (IdentityError(.keySourceUnavailable, retryAfterSeconds: 4, ""), 4),
            (IdentityError(.keySourceUnavailable, ""), nil),
            (IdentityError(.keyHeldBack, retryAfterSeconds: 30, ""), 30),
            (IdentityError(.keyHeldBack, ""), nil), (IdentityError(.expired, ""), nil),
            (KeySourceError(.coolingDown, retryAfterSeconds: 2, ""), 2),
        ]
        for (error, seconds) in errors {
            #expect(HTTPRefusal(error).retryAfterSeconds == seconds, "\(error)")
        }
        let refusal = HTTPRefusal(IdentityError(.keyHeldBack, retryAfterSeconds: 30, ""))
        #expect(refusal.description == "503, retry after 30 s")
        #expect(Set([refusal, .unavailable]).count == 1)
    }
}
