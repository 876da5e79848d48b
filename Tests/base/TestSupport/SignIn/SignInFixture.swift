// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetSignIn
import Testing

/// What the sign-in tests start from.
package enum SignInFixture {
    package static let issuer = "https://accounts.example"
    package static let redirectURI = "https://app.example/callback"
    package static let stateText = "af0ifjsldkj-af0ifjsldkj-af0ifjsldkj"
    package static let nonceText = "n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj"
    /// RFC 7636, appendix B.
    package static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    package static func state() throws -> AuthorizationState { try AuthorizationState(stateText) }
    package static func nonce() throws -> AuthorizationNonce { try AuthorizationNonce(nonceText) }
    package static func pkce() throws -> PKCE { try PKCE(verifier: verifier) }

    /// What a browser returns of a `Set-Cookie`.
    package static func cookie(_ setCookie: String) -> String {
        setCookie.split(separator: ";").first.map(String.init) ?? ""
    }
}

/// Why a sign-in was refused; nil when it was not. Any other error fails the test.
package func signInRefusal<Value>(_ body: () throws -> Value) -> AuthorizationError.Code? {
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
