// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
package import SignetVault

/// A vault of sessions that does not open now, and why.
package struct ClosedSessions: Error {
    /// The kind of reason, which decides what a sign-in does.
    package enum Reason: Sendable {
        /// The vault's key is in a keyring, and there is none here. The vault is not damaged.
        case noKeyring
        /// Its key is in a keyring that was not asked for it.
        case notAsked
        /// Its key is in a keyring that is locked, silent, or refuses.
        case keyringLocked, keyringSilent, keyringFails
        /// The file is not what was written.
        case damaged
        /// The vault's key is missing, or a different key is in its place.
        case keyLost
        /// The vault cannot be read or written here, for example in a read-only folder.
        case outOfReach
    }

    /// Where the vault's key is.
    enum Key { case inFile, inKeyring, inKeyringNotAsked }

    package let place: SessionsPlace
    package let reason: Reason
    /// The vault's error, or the keyring's.
    package let cause: StoreError
    private let key: Key
    /// Whether there is a vault, and not only the remains of its key.
    private let hasVault: Bool

    init(_ place: SessionsPlace, error: StoreError, key: Key, opener: VaultOpener) async {
        self.place = place
        self.key = key
        hasVault = place.isThere
        cause = error
        reason =
            switch error.code {
            case .corrupt, .notAVault, .rolledBack, .otherVault: .damaged
            case .missingKeyFile, .authenticationFailure, .invalidValue: .keyLost
            case _ where key == .inKeyringNotAsked: .notAsked
            case .locked where key == .inKeyring: .keyringLocked
            case .timedOut where key == .inKeyring:
                opener.hasShownPrompt ? .keyringLocked : .keyringSilent
            case .unavailable where key == .inKeyring:
                (try? await opener.hasKeyring()) == false ? .noKeyring : .keyringFails
            default: .outOfReach
            }
    }

    /// Whether the keyring was asked, if the key is there.
    var wasKeyringAsked: Bool { key != .inKeyringNotAsked }

    /// Whether only a new vault helps, in the place of one that is there.
    package var isBroken: Bool {
        switch reason {
        case .damaged, .keyLost: hasVault
        default: false
        }
    }

    /// What is wrong with the vault, as a sentence.
    var message: ErrorMessage {
        let path: ErrorMessage = "\(path: place.path)"
        return switch reason {
        case .noKeyring:
            "The key of \(path) is in the desktop's keyring, and there is no keyring here."
        case .notAsked:
            "The key of \(path) is in the desktop's keyring, which is not to be asked."
        case .keyringLocked:
            "The key of \(path) is in the desktop's keyring. \(messageOf: cause)"
        case .keyringSilent:
            "The keyring is silent: it gave no answer within 10 s and shows no prompt. "
                + "The key of \(path) belongs there."
        case .keyringFails:
            "The key of \(path) belongs in the desktop's keyring. \(messageOf: cause)"
        case .damaged: "The sessions in \(path) cannot be read. \(messageOf: cause)"
        case .keyLost: lostKey(path)
        case .outOfReach: "The sessions in \(path) are out of reach. \(messageOf: cause)"
        }
    }

    private func lostKey(_ path: ErrorMessage) -> ErrorMessage {
        let file: ErrorMessage = "\(path: place.keyFile)"
        if key != .inFile { return "The desktop's keyring has no key of \(path)." }
        if cause.code == .missingKeyFile {
            return "The key of \(path) is gone: there is no file \(file)."
        }
        return "The key of \(path) is not in \(file). \(messageOf: cause)"
    }
}
