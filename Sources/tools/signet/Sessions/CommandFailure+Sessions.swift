// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetPlatform
internal import SignetSession
internal import SignetSignIn
internal import SignetVault

extension CommandFailure {
    /// - Parameters:
    ///   - account: whose session it is, for the command line that the advice suggests.
    ///   - beginning: the start of the message, which says what failed.
    init(_ error: SessionError, of account: Account, saying beginning: ErrorMessage = "") {
        let place = account.vault.place
        if let error = error.storeError, error.code == .corrupt {
            self.init(error, of: account.name, in: place)
            return
        }
        let status: Status =
            switch error.code {
            case .signedOut, .expired, .refused: .signedOut
            case .locked: .locked
            default: .unavailable
            }
        let advice: String? =
            switch status {
            case .signedOut: "Sign in: signet login\(Self.optionOf(account.name))"
            case .locked: Self.unlocking
            default:
                error.retryAfter.map { "Try again in \(($0 + .seconds(1)).wholeSeconds) s." }
                    ?? error.storeError.flatMap { place.advice(for: $0.code) }
            }
        self.init(
            status: status, code: error.code.rawValue, message: "\(beginning)\(messageOf: error)",
            advice: advice)
    }

    /// A failure of an open vault with sessions. A vault that has been locked since has its own
    /// status.
    ///
    /// - Parameter account: whose session it is, if it concerns a session.
    init(_ error: StoreError, of account: String? = nil, in place: SessionsPlace) {
        let general = CommandFailure(error)
        let path: ErrorMessage = "\(path: place.path)"
        switch error.code {
        case .corrupt:
            let what: ErrorMessage =
                account.map { "The account \(shown: $0)" } ?? "The list of accounts"
            self.init(
                status: general.status, code: general.code,
                message: "\(what) in \(path) cannot be read. \(messageOf: error)",
                advice: account.map(Account.removalAdvice) ?? place.verificationAdvice)
        case .locked:
            self.init(
                status: .locked, code: general.code, message: "\(path): \(messageOf: error)",
                advice: error.needsConsent ? nil : Self.unlocking)
        default:
            self.init(
                status: general.status, code: general.code,
                message: "The sessions in \(path) are out of reach. \(messageOf: error)",
                advice: place.advice(for: error.code))
        }
    }

    private static let unlocking = "Unlock the keyring on the desktop, and try again."

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
