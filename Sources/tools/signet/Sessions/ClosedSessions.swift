// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// A vault of sessions that does not open now: why, and which command helps.
struct ClosedSessions: Error {
    /// The kind of reason, which decides what `signet login` does.
    enum Reason: Sendable {
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

    let place: SessionsPlace
    let reason: Reason
    private let cause: CommandFailure
    private let isKeyring: Bool
    private let isAsked: Bool
    /// Whether the keyring is open, and asks a person before it gives the key.
    private let needsConsent: Bool

    /// - Parameters:
    ///   - isKeyring: whether its key is in the keyring.
    ///   - isAsked: whether the keyring was asked.
    init(_ place: SessionsPlace, error: any Error, isKeyring: Bool, isAsked: Bool = true) {
        self.place = place
        self.isKeyring = isKeyring
        self.isAsked = isAsked
        needsConsent = (error as? StoreError)?.needsConsent ?? false
        cause = CommandFailure(thrown: error) ?? CommandFailure(unexpected: error)
        guard let error = error as? StoreError else {
            // Without the Secret Service in this program, there is no keyring.
            reason = isKeyring ? .noKeyring : .outOfReach
            return
        }
        reason =
            switch error.code {
            case .corrupt, .notAVault, .rolledBack, .otherVault: .damaged
            case .missingKeyFile, .authenticationFailure, .invalidValue: .keyLost
            case _ where isKeyring && !isAsked: .notAsked
            case .locked where isKeyring: .keyringLocked
            case .timedOut where isKeyring:
                SystemKeyring.hasShownPrompt ? .keyringLocked : .keyringSilent
            case .unavailable where isKeyring:
                (try? SystemKeyring.isThere()) == false ? .noKeyring : .keyringFails
            default: .outOfReach
            }
    }

    /// Whether only a new vault helps.
    var isBroken: Bool {
        switch reason {
        case .damaged, .keyLost: true
        default: false
        }
    }

    /// Sets the vault aside, unless it is of use by now: while the user was asked, its key may have
    /// been put back, or another process may have made a new vault.
    func setAside() throws {
        do {
            try place.open(asksKeyring: isAsked).store.close()
        } catch {
            // Another process has set it aside.
            guard place.isThere else { return }
            guard error.isBroken else { throw error.failure() }
            _ = try place.setAside()
            return
        }
        throw CommandFailure.refused(
            "changed", "\(path: place.path) opens by now, and was not set aside.",
            advice: "Look at the accounts: signet account list")
    }

    /// The failure of a command that needs what is in this vault.
    ///
    /// - Parameter account: whose session it would be, for the command that the advice names.
    func failure(of account: String? = nil) -> CommandFailure {
        let option = account.map(CommandFailure.optionOf) ?? ""
        let (message, advice) = words("signet login\(option)")
        let status: CommandFailure.Status = reason == .keyringLocked ? .locked : cause.status
        return CommandFailure(
            status: status, code: cause.code, message: message, advice: advice)
    }

    private func words(_ login: String) -> (message: ErrorMessage, advice: String?) {
        let path: ErrorMessage = "\(path: place.path)"
        let elsewhere = "sign in without it: \(login) --without-keyring"
        switch reason {
        case .noKeyring:
            return (
                "The key of \(path) is in the desktop's keyring, and there is no keyring here.",
                "Sign in here as well: \(login) \(Self.server)"
            )
        case .notAsked:
            return (
                "The key of \(path) is in the desktop's keyring, which is not to be asked.",
                "Sign in without it as well: \(login) --without-keyring \(Self.server)"
            )
        case .keyringLocked:
            return (
                "The key of \(path) is in the desktop's keyring. \(cause.message)",
                (needsConsent ? "Switch it off, or " : "Unlock the keyring on the desktop, or ")
                    + elsewhere
            )
        case .keyringSilent:
            return (
                "The keyring is silent: it gave no answer within 10 s and shows no prompt. "
                    + "The key of \(path) belongs there.",
                "Restart the keyring, or \(elsewhere)"
            )
        case .keyringFails:
            return (
                "The key of \(path) belongs in the desktop's keyring. \(cause.message)",
                "Mend the keyring, or \(elsewhere)"
            )
        case .damaged:
            return (
                "The sessions in \(path) cannot be read. \(cause.message)",
                cause.code.utf8.elementsEqual("notAVault".utf8)
                    ? "If a newer signet made it, use that one. Else set it aside and begin anew: "
                        + "\(login) --new-sessions \(Self.server)"
                    : "Set them aside and begin anew: \(login) --new-sessions \(Self.server)"
            )
        case .keyLost:
            return (
                lostKey(path),
                "Put its key back or, if it is lost, begin anew: \(login) --new-sessions "
                    + Self.server
            )
        case .outOfReach:
            return (
                "The sessions in \(path) are out of reach. \(cause.message)",
                place.advice(for: StoreError.Code(rawValue: cause.code)) ?? cause.advice
            )
        }
    }

    /// The settings of the accounts are in the vault too.
    static let server = "--issuer URL --client-id ID (or --supabase URL --key KEY)"

    private func lostKey(_ path: ErrorMessage) -> ErrorMessage {
        let file: ErrorMessage = "\(path: place.keyFile)"
        if isKeyring { return "The desktop's keyring has no key of \(path)." }
        if cause.code.utf8.elementsEqual("missingKeyFile".utf8) {
            return "The key of \(path) is gone: there is no file \(file)."
        }
        return "The key of \(path) is not in \(file). \(cause.message)"
    }
}

extension SessionsPlace {
    /// The command that says where an open vault is damaged.
    var verificationAdvice: String {
        let hasFile = PrivatePlace.identity(ofFileAt: keyFile) != nil
        let way = hasFile ? "--key-file \(Input.quoted(keyFile))" : "--keyring default"
        return "See where: signet vault verify --vault \(Input.quoted(path)) \(way)"
    }

    /// The advice for a vault that cannot be read or written; nil if the error says it.
    func advice(for code: StoreError.Code) -> String? {
        guard code != .busy else { return "Try again when the other process has ended." }
        guard code == .readOnly || code == .unavailable else { return nil }
        let folder = PrivateFile.split(path).folder
        let mode = PrivatePlace.permissions(ofFileBehind: folder)
        if let mode, mode & 0o700 != 0o700 {
            return "Make its folder writable: chmod u+rwx \(Input.quoted(folder))"
        }
        // The error says which permissions to look at.
        guard mode != nil || !PrivatePlace.mayBeFile(at: folder) else { return nil }
        let location = try? PrivatePlace.inspect(path: path)
        let isReadOnly = location.map(PrivatePlace.isMountedReadOnly) ?? (mode == nil)
        return isReadOnly
            ? "Keep sessions in a folder that can be written: XDG_DATA_HOME=FOLDER signet login"
            : nil
    }
}
