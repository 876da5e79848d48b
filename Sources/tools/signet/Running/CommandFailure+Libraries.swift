// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetAudit
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
internal import SignetLogin
internal import SignetPlatform
internal import SignetSignIn
internal import SignetVault

extension CommandFailure {
    /// The failure for what a command has thrown; nil for an error that is not a library's.
    init?(thrown error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LoginError: self.init(error)
        case let error as TokenError: self.init(error)
        case let error as KeyError: self.init(error)
        case let error as CryptographyError: self.init(error)
        case let error as SystemFailure: self.init(error)
        case let error as ReplacingProgram.Failure: self.init(error)
        case let error as AuditError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as SealedFileError: self.init(error)
        case let error as IdentityError: self.init(error)
        case let error as KeySourceError: self.init(error)
        case let error as IdentityConfigurationError: self.init(error)
        case let error as SignInError: self.init(error)
        case let error as AuthorizationError: self.init(error)
        default: return nil
        }
    }

    init(_ error: TokenError) {
        let status: Status =
            HTTPRefusal(error).status < 500
            ? .refused : (error.code == .invalidPolicy ? .usage : .unavailable)
        let detail: Advice.Cause.Detail? =
            switch error.detail {
            case .unusableKey: .unusableKey
            case .encrypted: .encrypted
            case .signed: .signed
            default: nil
            }
        self.init(
            status: status, code: error.code.rawValue, message: "\(messageOf: error)",
            cause: Advice.Cause(error.code, detail: detail), claim: error.claim)
    }

    /// - Parameter place: the file that the key came from.
    init(_ error: KeyError, in place: String? = nil) {
        let status: Status =
            switch error.code {
            case .algorithmRequired: .usage
            case .libraryFailure: .unavailable
            default: .refused
            }
        self.init(
            status: status, code: error.code.rawValue,
            message: place.map { "\(typed: $0): \(messageOf: error)" } ?? "\(messageOf: error)",
            cause: Advice.Cause(error.code))
    }

    init(_ error: CryptographyError) {
        let isMissing = error.code == .unsupported || error.code == .libraryFailure
        self.init(
            status: isMissing ? .unavailable : .refused, code: error.code.rawValue,
            message: "\(messageOf: error)")
    }

    /// A failure to write. Nothing was refused: the disk or a quota was full, for example.
    init(writing error: SystemFailure) {
        self.init(status: .unavailable, code: "system", message: "\(error)")
        isQuiet = error.number.isClosedPipe
    }

    /// A failure to read. Input that is too large is refused.
    init(_ error: SystemFailure) {
        // When reading, "too large" means our own limit; when writing, the machine's (ulimit -f).
        let isTooLarge = error.number.isTooLarge && !error.operation.hasPrefix("write ")
        self.init(
            status: isTooLarge ? .refused : .unavailable, code: isTooLarge ? "tooLarge" : "system",
            message: "\(error)")
    }

    init(_ error: ReplacingProgram.Failure) {
        self.init(
            status: error.isMissing ? .notFound : .notExecutable,
            code: error.isMissing ? "notFound" : "notExecutable", message: "\(error.reason)")
    }

    init(_ error: AuditError) {
        let isMissing = error.code == .vectorsNotFound || error.code == .unreadable
        self.init(
            status: isMissing ? .unavailable : .refused, code: error.code.rawValue,
            message: "\(messageOf: error)", cause: Advice.Cause(error.code))
    }

    init(_ error: StoreError) {
        let status: Status =
            switch error.code {
            case .locked, .unavailable, .busy, .timedOut, .cancelled, .unsupported, .forked,
                .readOnly,
                .missingKeyFile:
                .unavailable
            case .invalidItem, .emptyMatch: .usage
            default: .refused
            }
        self.init(
            status: status, code: error.code.rawValue, message: "\(messageOf: error)",
            cause: Advice.Cause(error.code, detail: error.needsConsent ? .consent : nil))
    }

    /// An error that no command foresaw: named by its type, because its text may hold anything.
    init(unexpected error: any Error) {
        self.init(
            status: .unavailable, code: "unexpected",
            message: "Something failed that should not have (\(shown: "\(type(of: error))")).",
            advice: "This is a fault of Signet: please report it.")
    }
}
