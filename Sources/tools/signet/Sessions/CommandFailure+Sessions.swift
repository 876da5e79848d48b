// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetLogin
internal import SignetPlatform
internal import SignetSupabase

extension CommandFailure {
    /// - Parameters:
    ///   - account: which account it is about, for the command line that the advice suggests; nil
    ///     for all.
    ///   - beginning: the start of the message, which says what failed.
    init(
        _ error: LoginError, of account: String? = nil, saying beginning: ErrorMessage = ""
    ) {
        let message: ErrorMessage = "\(beginning)\(messageOf: error)"
        let login = "signet login\(account.map(Self.optionOf) ?? "")"
        let code = error.code.rawValue
        switch error.problem {
        case .folders:
            self = .usage(message, advice: "Set HOME, or XDG_DATA_HOME and XDG_STATE_HOME.")
        case .closed(let closed):
            self.init(
                status: closed.reason == .keyringLocked
                    ? .locked : CommandFailure(closed.cause).status,
                code: closed.cause.code.rawValue, message: message, advice: closed.advice(login))
        case .opensByNow:
            self = .refused(code, message, advice: "Look at the accounts: signet account list")
        case .store(let cause, let name, let place):
            let isLocked = cause.code == .locked
            self.init(
                status: isLocked ? .locked : CommandFailure(cause).status,
                code: cause.code.rawValue, message: message)
            switch cause.code {
            case .corrupt: advice = name.map(Self.removal) ?? place.verificationAdvice
            case .locked: advice = cause.needsConsent ? nil : Self.unlocking
            default: advice = place.advice(for: cause.code)
            }
        case .settings: self = .refused(code, message, advice: account.map(Self.removal))
        case .session(let cause, let place):
            self.init(cause, message: message, login: login, place: place)
        case .signedOut:
            self.init(
                status: .signedOut, code: code, message: message, advice: "Sign in: \(login)")
        case .signedIn:
            let option = account.map(Self.optionOf) ?? ""
            self = .refused(
                code, message,
                advice: "Sign out first (signet logout\(option)), or name another account: "
                    + "--account NAME")
        case .signedInMeanwhile:
            self = .refused(code, message, advice: "Name another account: --account NAME")
        case .otherPerson:
            self = .refused(
                code, message,
                advice:
                    "Sign in with another account, or allow its domain: --allow-domain DOMAIN")
        case .signIn: self.init(signIn: error, message: message)
        }
    }

    private init(
        _ error: SessionError, message: ErrorMessage, login: String, place: SessionsPlace
    ) {
        let status: Status =
            switch error.code {
            case .signedOut, .expired, .refused: .signedOut
            case .locked: .locked
            default: .unavailable
            }
        let advice: String? =
            switch status {
            case .signedOut: "Sign in: \(login)"
            case .locked: Self.unlocking
            default:
                Self.waiting(error.retryAfter)
                    ?? error.storeError.flatMap { place.advice(for: $0.code) }
            }
        self.init(status: status, code: error.code.rawValue, message: message, advice: advice)
    }

    private init(signIn error: LoginError, message: ErrorMessage) {
        let code = error.code.rawValue
        switch error.underlying {
        case nil:
            self = .refused(
                code, message, advice: error.code == .unsupported ? "Leave --device out." : nil)
        case let cause as SupabaseError:
            let status: Status =
                switch cause.code {
                case .refused, .invalidInput, .confirmationPending: .refused
                default: .unavailable
                }
            self.init(
                status: status, code: code, message: message,
                advice: Self.waiting(cause.retryAfter))
        case is SignInInputError: self = .refused(code, message)
        case let cause?: self = CommandFailure(thrown: cause) ?? .unavailable(code, message)
        }
    }

    private static func waiting(_ time: Duration?) -> String? {
        time.map { "Try again in \(($0 + .seconds(1)).wholeSeconds) s." }
    }

    private static let unlocking = "Unlock the keyring on the desktop, and try again."

    /// The advice for an account that cannot be read.
    private static func removal(of name: String) -> String {
        "Remove it: signet logout --forget\(optionOf(name))"
    }

    /// The option that names the account, in a command line for the user to type.
    static func optionOf(_ account: String) -> String {
        account.utf8.elementsEqual("default".utf8)
            ? "" : " --account \(Input.quoted(account.onOneLine))"
    }

    init(_ error: SignInError) {
        switch error.cause {
        case .authorization(let cause): self.init(cause)
        case .identity(let cause): self.init(cause)
        case .metadata(let cause): self.init(cause)
        case .configuration(let cause): self.init(cause)
        }
    }

    init(_ error: AuthorizationError) {
        let status: Status =
            switch error.code {
            case .unavailable, .cancelled, .storeUnavailable, .libraryFailure: .unavailable
            default: .refused
            }
        let said: ErrorMessage = error.refusal.map { " (\(reported: $0.description))" } ?? ""
        self.init(
            status: status, code: error.code.rawValue,
            message: "Sign in failed. Please try again. \(messageOf: error)\(said)")
    }
}
