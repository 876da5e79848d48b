// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

extension StoreError {
    /// Translates a failure of the service for a store's user.
    init(_ failure: SecretServiceFailure) {
        switch failure.kind {
        case .noBus:
            self.init(
                .unavailable,
                "There is no D-Bus session bus: start the program in a desktop session or under dbus-run-session."
            )
        case .serviceUnavailable:
            self.init(
                .unavailable,
                "No Secret Service answers on the session bus: start gnome-keyring, KeePassXC or KWallet."
            )
        case .locked:
            self.init(.locked, "The keyring is locked: unlock it and try again.")
        case .dismissed:
            self.init(
                .locked, "The keyring's prompt was dismissed, or no program can show one.")
        case .timedOut:
            self.init(
                .timedOut,
                failure.operation == "prompt"
                    ? "The keyring's prompt was not answered in time."
                    : "The Secret Service did not answer in time (\(shown: failure.operation)).")
        case .cancelled:
            self.init(.cancelled, "The call was cancelled.")
        case .noCollection: self = .noCollection(alias: nil)
        case .noSuchObject:
            self.init(
                .unavailable,
                "What the Secret Service named is not there any more (\(shown: failure.operation))."
            )
        case .tooLarge:
            self.init(.tooLarge, "The session bus takes no message of this length.")
        case .forked:
            self.init(
                .forked,
                "The process was forked after the Secret Service was used: use it in one of the two only."
            )
        case .protocol, .other:
            self.init(
                .unavailable,
                "The Secret Service failed (\(shown: failure.operation), \(shown: failure.domain) \(failure.code))."
            )
        }
    }

    /// - Parameter alias: the missing collection's alias, where it is known.
    static func noCollection(alias: String?) -> StoreError {
        let name: ErrorMessage = alias.map { "the alias '\(shown: $0)'" } ?? "this alias"
        return StoreError(
            .unavailable,
            "The Secret Service has no collection of \(name): make or open a keyring, or name "
                + "another alias.")
    }

    /// The keyring is open, and an item in it is locked for this program.
    static var needsConsent: StoreError {
        .consent(
            "The keyring is open, but it asks a person before it gives this program the item. "
                + "Let it ask (unlock), or switch that question off in the keyring's settings."
        )
    }

    /// The error of a call that writes. After a timeout or a cancellation its message says that the
    /// write may have happened.
    var mayHaveWritten: StoreError {
        guard code == .timedOut || code == .cancelled else { return self }
        return StoreError(code, "\(messageOf: self) The write may have happened.")
    }

    /// The error for items whose sealing key was deleted.
    static var lostKey: StoreError {
        StoreError(
            .corrupt,
            "A sealing key was deleted from the keyring, and what it sealed cannot be found or opened any more: put the key back, or call erase(), which removes all items and starts afresh."
        )
    }

    static func damagedItem(_ problem: ErrorMessage) -> StoreError {
        StoreError(.corrupt, "An item in the keyring is not what was written: \(problem).")
    }
}
