// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCurl
internal import SignetIdentity
internal import SignetSession

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
        let sessions = try Sessions()
        let found = try sessions.account(account.account)
        let known = try found.settings.deletionURL.map(EndpointURL.init(_:))
        guard let place = given ?? known else {
            throw CommandFailure.usage(
                "The address for deleting accounts is not known.", advice: "Name it: --url URL")
        }
        let manager = try found.manager()
        let person = try found.user(in: waiting { await manager.start() })
        if !yes {
            let user = found.settings.user.onOneLine
            try Confirmation(
                question: "This permanently deletes the account of \(user) at "
                    + "\(found.settings.issuer.onOneLine). It cannot be undone. Delete it?"
            ).ask()
            try found.check(isStill: person)
        }
        let client = try BearerClient(
            manager: manager, transport: CurlTransport.curl, origins: [place])
        let request = TransportRequest(url: place, method: .delete, timeout: .seconds(30))
        do {
            // By itself, so that a signal during the exchange acts before the deletion request.
            _ = try waiting { () async throws(SessionError) in try await manager.accessToken() }
        } catch {
            throw CommandFailure(error, of: found, saying: Self.beginning)
        }
        do {
            try waiting { () async throws(APIError) in _ = try await client.send(request) }
        } catch {
            throw Self.failure(error, of: found)
        }
        // The server has ended the session together with the account, so its answer to the sign-out
        // does not matter.
        let report = waiting { await manager.signOut() }
        if let error = report.storeError {
            throw CommandFailure(error, of: found.name, in: found.vault.place)
        }
        try found.forget()
        for other in try sessions.find(found.name).accounts where other.isSamePerson(as: found) {
            try Account.remove(other.name, in: other.vault)
        }
        try Output.line("deleted the account of \(found.settings.user.onOneLine)")
    }

    private static let beginning: ErrorMessage = "Could Not Delete Account: "

    private static func failure(_ error: APIError, of account: Account) -> CommandFailure {
        if let error = error.sessionError {
            return CommandFailure(error, of: account, saying: beginning)
        }
        let code = error.code.rawValue
        let message: ErrorMessage = "\(beginning)\(messageOf: error)"
        guard let status = error.status else { return .unavailable(code, message) }
        let answer: ErrorMessage = "\(message) (status \(status))"
        return status == 429 || (500..<600).contains(status)
            ? .unavailable(code, answer) : .refused(code, answer)
    }
}
