// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
package import SignetJOSE

/// Why a ``SignIn`` came to nothing. It holds no code, no token and no secret.
public enum SignInError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The callback, the exchange, or a sign-in that is not pending.
    case authorization(AuthorizationError)
    /// The ID token is refused, or the keys to verify it with are out of reach.
    case identity(IdentityError)
    /// The provider's metadata are out of reach, or not what they must be.
    case metadata(KeySourceError)
    /// What the program, or the provider's metadata, ask for does not fit together.
    case configuration(IdentityConfigurationError)

    static func wrapping<R: Sendable>(
        _ body: () async throws(AuthorizationError) -> R
    ) async throws(SignInError) -> R {
        do throws(AuthorizationError) {
            return try await body()
        } catch {
            throw .authorization(error)
        }
    }

    /// The stable reason.
    public var code: String {
        switch self {
        case .authorization(let error): error.code.rawValue
        case .identity(let error): error.code.rawValue
        case .metadata(let error): error.code.rawValue
        case .configuration(let error): error.code.rawValue
        }
    }

    /// Whether to send the person to the beginning: nothing is wrong but that this sign-in is over,
    /// or was finished before (a double click, the back button).
    public var shouldBeginAgain: Bool {
        guard case .authorization(let error) = self else { return false }
        return error.code == .notPending || error.code == .expired
    }

    /// The code and a sentence for a person who operates the server.
    public var description: String {
        switch self {
        case .authorization(let error): error.description
        case .identity(let error): error.description
        case .metadata(let error): error.description
        case .configuration(let error): error.description
        }
    }
}

extension SignInError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        switch self {
        case .authorization(let error): error.httpRefusal
        // The browser presented no token of its own that it could replace.
        case .identity(let error):
            error.httpRefusal == .invalidToken ? .forbidden : error.httpRefusal
        case .metadata(let error): error.httpRefusal
        case .configuration: .internalError
        }
    }
}
