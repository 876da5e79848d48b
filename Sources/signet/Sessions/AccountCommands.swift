// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetPlatform
internal import SignetSession

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
        let vault = try SessionsVault().open()
        let accounts = try vault.map { vault in
            try Account.names(in: vault).compactMap { try Account($0, in: vault) }
        }
        var rows: [(account: Account, isSignedIn: Bool)] = []
        for account in accounts ?? [] {
            let manager = try account.manager()
            let state = waiting { await manager.start() }
            var isSignedIn = false
            if case .signedIn = state { isSignedIn = true }
            rows.append((account, isSignedIn))
        }
        guard !json else {
            return try Output.shownJSON(["accounts": .array(rows.map { .object(Self.members($0)) })]
            )
        }
        guard !rows.isEmpty else { return Output.errorLine("signet: there are no accounts") }
        var table = Table(["ACCOUNT", "USER", "ISSUER", "STATE"])
        for (account, isSignedIn) in rows {
            table.add([
                account.name, account.settings.user, account.settings.issuer,
                isSignedIn ? "signed in" : "signed out",
            ])
        }
        try Output.line(table.text)
    }

    private static func members(_ row: (account: Account, isSignedIn: Bool)) -> [String: JSONValue]
    {
        [
            "account": .string(row.account.name), "user": .string(row.account.settings.user),
            "issuer": .string(row.account.settings.issuer), "signedIn": .bool(row.isSignedIn),
        ]
    }
}
