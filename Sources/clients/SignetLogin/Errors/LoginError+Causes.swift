// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetPlatform
package import SignetSession
internal import SignetSignIn
internal import SignetSupabase

extension LoginError {
    init(_ code: Code, in problem: LoginProblem, _ message: ErrorMessage) {
        self.init(code, details: .init(problem: problem), message)
    }

    /// The error of a part, with its code and its sentence.
    init<Cause: ErrorDomain>(_ error: CodedError<Cause>, in problem: LoginProblem) {
        self.init(error, in: problem, saying: "\(messageOf: error)")
    }

    /// The error of a part, with its code unless there is another.
    init<Cause: ErrorDomain>(
        _ error: CodedError<Cause>, in problem: LoginProblem, code: Code? = nil,
        saying message: ErrorMessage
    ) {
        self.init(
            code ?? Code(rawValue: error.code.rawValue), details: .init(problem: problem),
            underlying: error, message)
    }

    /// A vault that does not open.
    package init(_ closed: ClosedSessions) {
        self.init(
            closed.cause, in: .closed(closed), code: Self.code(of: closed), saying: closed.message)
    }

    /// A vault that does not open, after a sign-out in the other one.
    init(remaining closed: ClosedSessions) {
        self.init(
            closed.cause, in: .closed(closed), code: Self.code(of: closed),
            saying: "Signed out, except perhaps in another vault. \(closed.message)")
    }

    /// The code of a vault that may have a session.
    private static func code(of closed: ClosedSessions) -> Code {
        switch closed.reason {
        case .keyringLocked: .locked
        case .damaged: .corrupt
        default: .unavailable
        }
    }

    /// An open vault's error.
    ///
    /// - Parameter account: the account that it concerns; nil for all.
    package init(_ error: StoreError, of account: String? = nil, in place: SessionsPlace) {
        let path: ErrorMessage = "\(path: place.path)"
        let message: ErrorMessage
        switch error.code {
        case .corrupt:
            let what: ErrorMessage =
                account.map { "The account \(shown: $0)" } ?? "The list of accounts"
            message = "\(what) in \(path) cannot be read. \(messageOf: error)"
        case .locked: message = "\(path): \(messageOf: error)"
        default: message = "The sessions in \(path) are out of reach. \(messageOf: error)"
        }
        // The session may be there. An application that knows of `unavailable` knows that.
        let says = [.locked, .corrupt, .cancelled].contains(error.code)
        let isOutOfReach = !says && (error.kind != .refused || error.code == .readOnly)
        self.init(
            error, in: .store(error, account: account, place: place),
            code: isOutOfReach ? .unavailable : nil, saying: message)
    }

    /// A session's error.
    package init(_ error: SessionError, of account: String, in place: SessionsPlace) {
        if let error = error.storeError, error.code == .corrupt {
            self.init(error, of: account, in: place)
        } else {
            self.init(error, in: .session(error, place: place))
        }
    }

    /// What a sign-in throws.
    init(thrown error: any Error) {
        switch error {
        case let error as LoginError: self = error
        case let error as SignInError: self.init(error, in: .signIn)
        case let error as AuthorizationError: self.init(error, in: .signIn)
        case let error as KeySourceError: self.init(error, in: .signIn)
        case let error as IdentityError: self.init(error, in: .signIn)
        case let error as IdentityConfigurationError: self.init(error, in: .signIn)
        case let error as SessionError: self.init(error, in: .signIn)
        case let error as SignInInputError: self.init(error, in: .signIn)
        case let error as APIError: self.init(error, in: .signIn)
        default:
            self.init(
                Code(rawValue: (error as? any AnyCodedError)?.stableCode ?? "unexpected"),
                details: .init(problem: .signIn), underlying: error,
                "A part of the program failed.")
        }
    }

    /// There is certainly no session.
    package static var signedOut: LoginError {
        LoginError(.signedOut, in: .signedOut, "There is no session of this account.")
    }
}
