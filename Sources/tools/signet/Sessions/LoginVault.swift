// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetBase
internal import SignetVault

/// Which vault `signet login` writes to.
struct LoginVault {
    let sessions: Sessions
    /// Whose session it will be, for the commands that failures name.
    let account: String
    /// Whether the key of a new vault may be in the keyring.
    let usesKeyring: Bool
    /// Whether a vault that is damaged or has lost its key is set aside without a question.
    let beginsAnew: Bool

    /// Refuses to continue with a vault that does not open and will not be set aside.
    ///
    /// - Parameter knowsServer: whether the server is known without this vault. If not, the failure
    ///   says why the vault does not tell it.
    func checkIsUsable(knowsServer: Bool) throws {
        guard let closed = sessions.closed.first(where: { isMain($0.place) }) else { return }
        let makesAnother =
            switch closed.reason {
            case .noKeyring, .notAsked: true
            default: closed.isBroken && (beginsAnew || isatty(STDIN_FILENO) == 1)
            }
        guard knowsServer, makesAnother else { throw closed.failure(of: account) }
    }

    /// The vault for a new session, made if there is none.
    ///
    /// - Throws: the failure of a vault that does not open and is not set aside.
    func choose() throws -> SessionsVault {
        if let vault = sessions.open.first(where: { isMain($0.place) }) {
            // The other one's messages name this way to be rid of it.
            for other in sessions.closed where beginsAnew && other.isBroken { try other.setAside() }
            return vault
        }
        guard let closed = sessions.closed.first(where: { isMain($0.place) }) else {
            return try new()
        }
        switch closed.reason {
        case .noKeyring, .notAsked: return try withoutKeyring()
        default:
            try setAside(closed)
            return try new()
        }
    }

    /// Makes a vault where there is no main vault. If there is no keyring either, but a vault for
    /// logins without a keyring, no new vault is made.
    private func new() throws -> SessionsVault {
        let hasKeyring: Bool
        do {
            hasKeyring = try usesKeyring && SystemKeyring.isThere()
        } catch {
            throw ClosedSessions(sessions.main, error: error, isKeyring: true).failure(of: account)
        }
        if !hasKeyring, sessions.withoutKeyring.isThere { return try withoutKeyring() }
        return try sessions.main.create(for: account, usesKeyring: hasKeyring)
    }

    private func withoutKeyring() throws -> SessionsVault {
        if let vault = sessions.open.first(where: { !isMain($0.place) }) { return vault }
        if let closed = sessions.closed.first(where: { !isMain($0.place) }) {
            try setAside(closed)
        }
        return try sessions.withoutKeyring.create(for: account, usesKeyring: false)
    }

    /// Sets a vault aside that is damaged or has lost its key, if the user agrees.
    ///
    /// - Throws: the vault's failure otherwise.
    private func setAside(_ closed: ClosedSessions) throws {
        let failure = closed.failure(of: account)
        guard closed.isBroken else { throw failure }
        if !beginsAnew {
            guard isatty(STDIN_FILENO) == 1 else { throw failure }
            Output.errorLine("signet: \(failure.message)")
            do {
                try Confirmation(question: "Set these sessions aside, and begin anew?").ask()
            } catch {
                throw failure
            }
        }
        try closed.setAside()
    }

    private func isMain(_ place: SessionsPlace) -> Bool {
        place.path.utf8.elementsEqual(sessions.main.path.utf8)
    }
}
