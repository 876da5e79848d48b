// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetJOSE
import SignetSignIn
import Testing

@Suite("The server's answer to an account error", .serialized)
struct AccountRefusalTests {
    static let cases: [(any Error, HTTPRefusal)] = [
        (AccountError(.invalidToken, ""), .invalidToken),
        (AccountError(.sessionEnded, ""), .invalidToken),
        (AccountError(.invalidGrant, ""), .badRequest),
        (AccountError(.sessionExpired, ""), .badRequest),
        (AccountError(.refreshTokenReused, ""), .badRequest),
        (AccountError(.unknownUser, ""), .invalidToken),
        (AccountError(.signInTooOld, ""), .insufficientAuthentication),
        (AccountError(.wrongCode, ""), .badRequest),
        (AccountError(.passwordTooShort, ""), .badRequest),
        (AccountError(.invalidDestination, ""), .badRequest),
        (AccountError(.conflict, ""), .conflict), (AccountError(.identityTaken, ""), .conflict),
        (AccountError(.lastIdentity, ""), .conflict), (AccountError(.nameTaken, ""), .conflict),
        (AccountError(.alreadyMigrated, ""), .conflict),
        (AccountError(.tooManyRequests, ""), .tooManyRequests),
        (AccountError(.unavailable, ""), .unavailable),
        (AccountError(.outcomeUnknown, ""), .unavailable),
        (AccountError(.cancelled, ""), .unavailable), (AccountError(.busy, ""), .unavailable),
        (AccountError(.corrupt, ""), .internalError),
        (AccountError(.invalidParameter, ""), .internalError),
        (AccountError(.invalidPasswordHash, ""), .internalError),
        (AccountError(.unsupportedPasswordHash, ""), .internalError),
        (AccountError(.messageRefused, ""), .internalError),
        (SignInInputError(.invalidPhoneNumber, ""), .badRequest),
        (SignInInputError(.invalidCode, ""), .badRequest),
        (SignInInputError(.invalidPassword, ""), .badRequest),
        (SignInInputError(.reservedUsername, ""), .badRequest),
        (SignInInputError(.invalidLength, ""), .internalError),
    ]

    @Test("Each error becomes its HTTP refusal", arguments: cases.indices)
    func answers(_ index: Int) {
        let (error, refusal) = Self.cases[index]
        #expect(HTTPRefusal(error) == refusal, "\(error)")
    }

    @Test("Retry-After is in whole seconds, rounded up")
    func retryAfter() {
        let waits: [(Duration?, Int?)] = [
            (.milliseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2), (.seconds(-5), 0),
            (nil, nil),
        ]
        for (wait, seconds) in waits {
            for code in [AccountError.Code.tooManyRequests, .busy, .unavailable] {
                let refusal = HTTPRefusal(AccountError(code, retryAfter: wait, ""))
                #expect(refusal.retryAfterSeconds == seconds, "\(code) \(String(describing: wait))")
            }
        }
        #expect(HTTPRefusal.tooManyRequests.status == 429 && HTTPRefusal.conflict.status == 409)
    }

    @Test("The answer does not tell why a refresh token was refused")
    func alike() {
        let codes: [AccountError.Code] = [.invalidGrant, .sessionExpired, .refreshTokenReused]
        #expect(Set(codes.map { HTTPRefusal(AccountError($0, "")) }).count == 1)
        #expect(HTTPRefusal(AccountError(.sessionEnded, "")).challenge?.contains("ended") == false)
    }
}
