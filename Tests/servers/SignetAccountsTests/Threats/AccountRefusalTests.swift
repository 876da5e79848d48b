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
        (AccountError(.invalidGrant, ""), .invalidGrant),
        (AccountError(.sessionExpired, ""), .invalidGrant),
        (AccountError(.refreshTokenReused, ""), .invalidGrant),
        (AccountError(.userBanned, ""), .invalidGrant),
        (AccountError(.otherClient, ""), .invalidClient),
        (AccountError(.missingClient, ""), .badRequest),
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
        (AccountError(.tokenTooLarge, ""), .unavailable),
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

    @Test("Only a refused refresh token, or a banned user, is OAuth's invalid_grant")
    func oauthErrors() {
        let ended = Self.cases.filter { HTTPRefusal($0.0).oauthError == "invalid_grant" }
        #expect(
            ended.compactMap { ($0.0 as? AccountError)?.code }
                == [.invalidGrant, .sessionExpired, .refreshTokenReused, .userBanned])
        #expect(ended.count == 4)
        let others: [(any Error, String)] = [
            (JSONError(code: .malformed), "invalid_request"),
            (JSONError(code: .missingMember), "invalid_request"),
            (JSONError(code: .tooLarge), "invalid_request"),
            (AccountError(.invalidToken, ""), "invalid_token"),
            (AccountError(.signInTooOld, ""), "insufficient_user_authentication"),
            (AccountError(.tooManyRequests, ""), "temporarily_unavailable"),
            (AccountError(.busy, retryAfter: .seconds(1), ""), "temporarily_unavailable"),
            (AccountError(.corrupt, ""), "server_error"),
        ]
        for (error, name) in others { #expect(HTTPRefusal(error).oauthError == name, "\(error)") }
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
        let codes: [AccountError.Code] = [
            .invalidGrant, .sessionExpired, .refreshTokenReused, .userBanned,
        ]
        #expect(Set(codes.map { HTTPRefusal(AccountError($0, "")) }).count == 1)
        #expect(HTTPRefusal(AccountError(.sessionEnded, "")).challenge?.contains("ended") == false)
    }
}
