// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetAudit
internal import SignetCrypto
internal import SignetIdentity
internal import SignetJOSE
internal import SignetPlatform
internal import SignetSignIn
internal import SignetVault

extension CommandFailure {
    /// The failure for what a command has thrown; nil for an error that is not a library's.
    init?(thrown error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as TokenError: self.init(error)
        case let error as KeyError: self.init(error)
        case let error as CryptographyError: self.init(error)
        case let error as SystemFailure: self.init(error)
        case let error as AuditError: self.init(error)
        case let error as StoreError: self.init(error)
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
        self.init(
            status: status, code: error.code.rawValue, message: error.message,
            advice: Self.advice(error.code),
            claim: error.claim)
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
            message: (place.map { "\($0): " } ?? "") + error.message,
            advice: Self.advice(error.code))
    }

    init(_ error: CryptographyError) {
        let isMissing = error.code == .unsupported || error.code == .libraryFailure
        self.init(
            status: isMissing ? .unavailable : .refused, code: error.code.rawValue,
            message: error.message)
    }

    /// A failure to write. Nothing was refused: the disk or a quota was full, for example.
    init(writing error: SystemFailure) {
        self.init(status: .unavailable, code: "system", message: error.description)
    }

    /// A failure to read. Input that is too large is refused.
    init(_ error: SystemFailure) {
        // When reading, "too large" means our own limit; when writing, the machine's (ulimit -f).
        let isTooLarge = error.number.isTooLarge && !error.operation.hasPrefix("write ")
        self.init(
            status: isTooLarge ? .refused : .unavailable, code: isTooLarge ? "tooLarge" : "system",
            message: error.description)
    }

    init(_ error: AuditError) {
        let isMissing = error.code == .vectorsNotFound || error.code == .unreadable
        self.init(
            status: isMissing ? .unavailable : .refused, code: error.code.rawValue,
            message: error.message,
            advice: Self.advice(error.code))
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
            status: status, code: error.code.rawValue, message: error.message,
            advice: error.needsConsent ? "With --unlock it may ask." : Self.advice(error.code))
    }

    /// An error that no command foresaw: named by its type, because its text may hold anything.
    init(unexpected error: any Error) {
        self.init(
            status: .unavailable, code: "unexpected",
            message: "Something failed that should not have (\(type(of: error))).",
            advice: "This is a fault of Signet: please report it.")
    }

    private static func advice(_ code: TokenError.Code) -> String? {
        switch code {
        case .noMatchingKey:
            "Look at the token's \"kid\" with 'signet jwt inspect' and load the issuer's newest key set."
        case .ambiguousKey: "Give the keys of the set a \"kid\", or the one key by itself."
        case .algorithmNotAllowed:
            "'signet jwt inspect' shows the token's \"alg\"; the key's is in its file, or what "
                + "--algorithm says."
        case .typeMismatch: "Name the type that you expect, for example --type at+jwt"
        case .expired: "Ask for a new token, or check this machine's clock."
        case .notYetValid: "Check this machine's clock."
        default: nil
        }
    }

    private static func advice(_ code: KeyError.Code) -> String? {
        switch code {
        case .algorithmRequired: "Name it, as in: --algorithm RS256"
        case .privateKeyRequired: "Name the file with the private key: --key FILE"
        case .mixedKeySet: "Keep secrets and published keys in files of their own."
        default: nil
        }
    }

    private static func advice(_ code: StoreError.Code) -> String? {
        switch code {
        case .locked: "Unlock the keyring on the desktop, or have it asked for with --unlock."
        case .authenticationFailure:
            "'signet vault slot list' shows which ways into the vault there are."
        case .corrupt:
            "'signet vault verify' says where the damage is, and 'signet vault salvage' takes out what is whole."
        case .rolledBack: "Otherwise put the newest backup back: signet vault restore --input FILE"
        case .busy: "Another process is writing; wait longer with --timeout SECONDS."
        case .timedOut: "Wait longer with --timeout SECONDS."
        case .conflict: "Look at what is there now, and run the command again."
        default: nil
        }
    }

    private static func advice(_ code: AuditError.Code) -> String? {
        switch code {
        case .vectorsNotFound:
            "Set SIGNET_TEST_VECTORS to the folder that holds MANIFEST.json (TestVectors/Figures in the sources)."
        case .unreadable: "Check what --vectors, SIGNET_TEST_VECTORS and SIGNET_WYCHEPROOF name."
        case .malformed, .digestMismatch, .countMismatch: "Take the vectors from the sources again."
        default: nil
        }
    }
}
