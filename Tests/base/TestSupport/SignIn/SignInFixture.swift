// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSignIn
import Testing

/// What the sign-in tests start from.
enum SignInFixture {
    static let issuer = "https://accounts.example"
    static let redirectURI = "https://app.example/callback"
    static let stateText = "af0ifjsldkj-af0ifjsldkj-af0ifjsldkj"
    static let nonceText = "n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj"
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    static func state() throws -> AuthorizationState { try AuthorizationState(stateText) }
    static func nonce() throws -> AuthorizationNonce { try AuthorizationNonce(nonceText) }
    static func pkce() throws -> PKCE { try PKCE(verifier: verifier) }
}

/// Why a sign-in was refused; nil when it was not. Any other error fails the test.
func signInRefusal<Value>(_ body: () throws -> Value) -> AuthorizationError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as AuthorizationError {
        return error.code
    } catch {
        Issue.record("not an AuthorizationError: \(error)")
        return nil
    }
}
