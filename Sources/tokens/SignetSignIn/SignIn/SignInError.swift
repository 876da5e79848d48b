// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity
public import SignetJOSE

/// Why a ``SignIn`` failed. It holds no code, no token and no secret.
///
/// Code, message and description are its `cause`'s. Two errors are equal when their causes are.
public typealias SignInError = CodedError<SignInErrorDomain>

/// The domain of ``SignInError``. Its codes are the causes' codes.
public enum SignInErrorDomain: ErrorDomain {
    /// The error of the part that failed.
    public enum Details: Equatable, Sendable {
        /// The callback, the exchange, or a sign-in that is not pending.
        case authorization(AuthorizationError)
        /// The ID token is rejected, or the keys to verify it are unavailable.
        case identity(IdentityError)
        /// The provider's metadata are unavailable or invalid.
        case metadata(KeySourceError)
        /// The program's settings, or the provider's metadata, contradict each other.
        case configuration(IdentityConfigurationError)
    }

    /// The code and a sentence for the server's operator.
    public static func description(of error: SignInError) -> String {
        switch error.cause {
        case .authorization(let cause): cause.description
        case .identity(let cause): cause.description
        case .metadata(let cause): cause.description
        case .configuration(let cause): cause.description
        }
    }
}

extension SignInError {
    /// The callback, the exchange, or a sign-in that is not pending.
    public static func authorization(_ error: AuthorizationError) -> Self {
        Self(error, cause: .authorization(error))
    }

    /// The ID token is rejected, or the keys to verify it are unavailable.
    public static func identity(_ error: IdentityError) -> Self {
        Self(error, cause: .identity(error))
    }

    /// The provider's metadata are unavailable or invalid.
    public static func metadata(_ error: KeySourceError) -> Self {
        Self(error, cause: .metadata(error))
    }

    /// The program's settings, or the provider's metadata, contradict each other.
    public static func configuration(_ error: IdentityConfigurationError) -> Self {
        Self(error, cause: .configuration(error))
    }

    private init<Cause: ErrorDomain>(_ error: CodedError<Cause>, cause: Domain.Details) {
        self.init(
            Code(rawValue: error.code.rawValue), details: cause, underlying: error.underlying,
            "\(messageOf: error)")
    }

    static func translatingErrors<R: Sendable>(
        _ body: () async throws(AuthorizationError) -> R
    ) async throws(SignInError) -> R {
        do {
            return try await body()
        } catch {
            throw .authorization(error)
        }
    }

    /// The error of the part that failed.
    public var cause: Domain.Details { details }

    /// Whether to send the person back to the beginning: this sign-in has merely expired or is
    /// already finished (a double click, the back button).
    public var shouldBeginAgain: Bool {
        guard case .authorization(let error) = cause else { return false }
        return error.code == .notPending || error.code == .expired
    }
}

extension SignInErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: SignInError) -> HTTPRefusal {
        switch error.cause {
        case .authorization(let cause): cause.httpRefusal
        // The browser presented no token that it could replace, so 401 would mislead it.
        case .identity(let cause):
            cause.httpRefusal == .invalidToken ? .forbidden : cause.httpRefusal
        case .metadata(let cause): cause.httpRefusal
        case .configuration: .internalError
        }
    }
}
