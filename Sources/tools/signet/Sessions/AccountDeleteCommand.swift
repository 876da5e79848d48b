// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCurl
internal import SignetLogin

/// `signet account delete`
struct AccountDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete the account at its server, and then here.",
        discussion: """
            Sends DELETE with the access token to --url, or to the address given to 'signet \
            login --delete-url'. If the server does not answer with 200 to 299, nothing changes \
            here and you stay signed in. The command asks first, unless you say --yes.

            EXAMPLES
              signet account delete --url https://api.example/v1/auth/me
              signet account delete --account work --yes
            """)

    @OptionGroup var account: AccountOption

    @Option(
        help: ArgumentHelp("Where the server deletes the user's account.", valueName: "url"))
    var url: String?

    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let given = try url.map(EndpointURL.init(_:))
        try account.check()
        let accounts = try Logins.accounts()
        let name = account.account
        let sessions = waiting { await accounts.look() }
        // Read before the deletion: a later session may be of a new account of the same name.
        let all = try Logins.waiting(for: name) { () async throws(LoginError) in
            try await sessions.find(name)
        }
        let found = try Logins.waiting(for: name) { () async throws(LoginError) in
            try sessions.account(in: all)
        }
        let known = try found.settings.deletionURL.map(EndpointURL.init(_:))
        guard let place = given ?? known else {
            throw CommandFailure.usage(
                "The address for deleting accounts is not known.", advice: "Name it: --url URL")
        }
        let manager = found.manager
        let person = try Logins.waiting(for: name) { () async throws(LoginError) in
            try found.user(in: await manager.start())
        }
        if !yes {
            let user = found.settings.user.onOneLine
            try Confirmation(
                question: "This permanently deletes the account of \(user) at "
                    + "\(found.settings.issuer.onOneLine). It cannot be undone. Delete it?"
            ).ask()
            try found.check(isStill: person, in: sessions)
        }
        let client = try BearerClient(
            manager: manager, transport: CurlTransport.curl, origins: [place])
        let request = TransportRequest(url: place, method: .delete, timeout: .seconds(30))
        // By itself, so that a signal during the exchange acts before the deletion request.
        _ = try Logins.waiting(for: name, saying: Self.beginning) { () async throws(LoginError) in
            try await found.accessToken()
        }
        do {
            try waiting { () async throws(APIError) in _ = try await client.send(request) }
        } catch {
            throw Self.failure(error, of: found)
        }
        // The server has ended the session together with the account, so its answer to the sign-out
        // does not matter.
        try Logins.waiting(for: name) { () async throws(LoginError) in
            for account in all.accounts where account.isSamePerson(as: found) {
                let report = await account.manager.signOut()
                if let error = report.storeError {
                    throw LoginError(error, of: name, in: account.vault.place)
                }
                try await account.forget()
            }
        }
        try Output.line("deleted the account of \(found.settings.user.onOneLine)")
    }

    private static let beginning: ErrorMessage = "Could Not Delete Account: "

    private static func failure(_ error: APIError, of account: KeptAccount) -> CommandFailure {
        if let error = error.sessionError {
            let error = LoginError(error, of: account.name, in: account.vault.place)
            return CommandFailure(error, of: account.name, saying: beginning)
        }
        let code = error.code.rawValue
        let message: ErrorMessage = "\(beginning)\(messageOf: error)"
        guard let status = error.status else { return .unavailable(code, message) }
        let answer: ErrorMessage = "\(message) (status \(status))"
        return status == 429 || (500..<600).contains(status)
            ? .unavailable(code, answer) : .refused(code, answer)
    }
}

extension KeptAccount {
    /// Refuses to continue if, while the user answered a question, the account has changed to a
    /// different person or server: the new tokens would go to the server that the question named.
    func check(isStill user: SessionUser, in sessions: SessionVaults) throws {
        let isSame = try Logins.waiting(for: name) { () async throws(LoginError) in
            guard let now = try await sessions.account(name, in: vault),
                now.settings.issuer.utf8.elementsEqual(settings.issuer.utf8)
            else { return false }
            let person = try now.user(in: await now.manager.start())
            return person.id.utf8.elementsEqual(user.id.utf8)
        }
        guard !isSame else { return }
        throw CommandFailure.refused(
            "notConfirmed", "This account has changed meanwhile. Nothing was done.",
            advice: "Look at it, and try again: signet account list")
    }
}
