// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetSession
internal import SignetSignIn
internal import SignetVault

extension CommandFailure {
    /// - Parameters:
    ///   - account: whose session it is, for the command line that the advice suggests.
    ///   - beginning: the start of the message, which says what failed.
    init(_ error: SessionError, of account: String, saying beginning: String = "") {
        if let error = error.storeError, error.code == .corrupt {
            self.init(ofSessions: error, of: account)
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
            case .signedOut: "Sign in: signet login\(Self.optionOf(account))"
            case .locked: Self.unlocking
            default: error.retryAfter.map { "Try again in \($0.components.seconds + 1) s." }
            }
        self.init(
            status: status, code: error.code.rawValue, message: beginning + error.message,
            advice: advice)
    }

    /// A failure of the vault that holds the sessions. A locked vault has its own status.
    ///
    /// - Parameter account: whose session it is, if it concerns one.
    init(ofSessions error: StoreError, of account: String? = nil) {
        self.init(error)
        if let account, error.code == .corrupt { advice = Account.removing(account) }
        guard error.code == .locked else { return }
        self.init(
            status: .locked, code: code, message: message,
            advice: Self.unlocking)
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
        let said = error.refusal.map { " (\($0.description))" } ?? ""
        self.init(
            status: status, code: error.code.rawValue,
            message: "Sign in failed. Please try again. \(error.message)\(said)")
    }
}
