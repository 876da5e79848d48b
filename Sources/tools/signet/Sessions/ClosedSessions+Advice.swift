// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetLogin
internal import SignetPlatform
internal import SignetSession

extension ClosedSessions {
    /// The settings of the accounts are in the vault too.
    static let server = "--issuer URL --client-id ID (or --supabase URL --key KEY)"

    /// Which command helps.
    ///
    /// - Parameter login: the command that signs in to the account.
    func advice(_ login: String) -> String? {
        let elsewhere = "sign in without it: \(login) --without-keyring"
        return switch reason {
        case .noKeyring: "Sign in here as well: \(login) \(Self.server)"
        case .notAsked: "Sign in without it as well: \(login) --without-keyring \(Self.server)"
        case .keyringLocked:
            (cause.needsConsent ? "Switch it off, or " : "Unlock the keyring on the desktop, or ")
                + elsewhere
        case .keyringSilent: "Restart the keyring, or \(elsewhere)"
        case .keyringFails: "Mend the keyring, or \(elsewhere)"
        case .damaged:
            cause.code == .notAVault
                ? "If a newer signet made it, use that one. Else set it aside and begin anew: "
                    + "\(login) --new-sessions \(Self.server)"
                : "Set them aside and begin anew: \(login) --new-sessions \(Self.server)"
        case .keyLost:
            "Put its key back or, if it is lost, begin anew: \(login) --new-sessions "
                + Self.server
        case .outOfReach: place.advice(for: cause.code)
        }
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
