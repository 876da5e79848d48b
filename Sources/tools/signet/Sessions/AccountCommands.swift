// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetJOSE
internal import SignetLogin

/// `signet account …`
struct AccountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "The accounts of 'signet login': show, delete.",
        subcommands: [AccountListCommand.self, AccountDeleteCommand.self])
}

/// `signet account list`
struct AccountListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the accounts, and who is signed in to each.",
        discussion: """
            EXAMPLES
              signet account list
              signet account list --json
            """)

    @Flag(help: "Print a JSON object: accounts, each with account, user, issuer, signedIn.")
    var json = false

    func run() throws {
        let accounts = try Logins.accounts()
        let sessions = waiting { await accounts.look() }
        if sessions.open.isEmpty, let closed = sessions.closedFirst {
            throw CommandFailure(LoginError(closed))
        }
        for closed in sessions.closed { Self.warn(LoginError(closed)) }
        var rows: [(account: KeptAccount, state: String)] = []
        let names = try Logins.waiting(for: nil) { () async throws(LoginError) in
            try await sessions.names { Self.warn($0) }
        }
        for name in names {
            let found = try Logins.waiting(for: name) { () async throws(LoginError) in
                try await sessions.find(name)
            }
            if let damage = found.damage { Self.warn(damage, of: name) }
            if let account = found.accounts.first {
                rows.append((account, Self.word(for: found.state)))
            }
        }
        guard !json else {
            return try Output.shownJSON(["accounts": .array(rows.map { .object(Self.members($0)) })]
            )
        }
        guard !rows.isEmpty else { return Output.errorLine("signet: there are no accounts") }
        var table = Table(["ACCOUNT", "USER", "ISSUER", "STATE"])
        for (account, state) in rows {
            table.add([account.name, account.settings.user, account.settings.issuer, state])
        }
        try Output.line(table.text)
    }

    /// Reports an account that cannot be shown, so that the list goes on.
    private static func warn(_ error: LoginError, of account: String? = nil) {
        let failure = CommandFailure(error, of: account)
        Output.errorLine("signet: warning: \(failure.message) \(failure.advice ?? "")")
    }

    private static let signedIn = "signed in"

    private static func word(for state: SessionState) -> String {
        switch state {
        case .signedIn: signedIn
        case .locked: "locked"
        case .unavailable(let error): error.code == .corrupt ? "damaged" : "out of reach"
        case .signedOut, .checking: "signed out"
        }
    }

    private static func members(_ row: (account: KeptAccount, state: String)) -> [String: JSONValue]
    {
        [
            "account": .string(row.account.name), "user": .string(row.account.settings.user),
            "issuer": .string(row.account.settings.issuer),
            "signedIn": .bool(row.state.utf8.elementsEqual(signedIn.utf8)),
        ]
    }
}
