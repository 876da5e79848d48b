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
            Sends DELETE with the access token to the address of --url or, without it, of 'signet login --delete-url'. \
            Where the server does not answer with 200 to 299, nothing changes here: you stay signed in. You are \
            asked first, unless you say --yes.

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
        let given = try url.map { text in try EndpointURL(text) }
        let found = try account.found()
        let known = try found.settings.deletionURL.map { text in try EndpointURL(text) }
        guard let place = given ?? known else {
            throw CommandFailure.usage(
                "It is not known where the server deletes accounts.", advice: "Name it: --url URL")
        }
        let manager = try found.manager()
        _ = try found.user(in: waiting { await manager.start() })
        if !yes {
            let user = found.settings.user.onOneLine
            try Confirmation(
                question: "This permanently deletes the account of \(user) at "
                    + "\(found.settings.issuer.onOneLine). It cannot be undone. Delete it?"
            ).ask()
        }
        let status = try waiting { try await Self.delete(place, manager, found.name) }
        guard (200..<300).contains(status) else { throw Self.failure(status) }
        // The server has ended the session with the account: what it says of it counts no more.
        let report = waiting { await manager.signOut() }
        if let error = report.storeError {
            throw CommandFailure(ofSessions: error)
        }
        try found.forget()
        try Output.line("deleted the account of \(found.settings.user.onOneLine)")
    }

    /// The server's answer; after 401 once more, with another token.
    private static func delete(
        _ place: EndpointURL, _ manager: SessionManager, _ account: String
    ) async throws -> Int {
        do throws(SessionError) {
            let token = try await manager.accessToken()
            let status = try await status(of: place, token)
            guard status == 401, let next = try await manager.afterUnauthorized(token) else {
                return status
            }
            return try await self.status(of: place, next)
        } catch {
            throw CommandFailure(error, of: account, saying: "Could Not Delete Account: ")
        }
    }

    private static func status(
        of place: EndpointURL, _ token: AccessToken
    ) async throws(SessionError) -> Int {
        let request = TransportRequest(
            url: place, method: .delete, authorization: "Bearer \(token.exposedText)",
            timeout: .seconds(30))
        do throws(TransportFailure) {
            return try await CurlTransport.curl.exchange(request).status
        } catch {
            throw SessionError(.unreachable, "The server gave no answer (\(error.code)).")
        }
    }

    private static func failure(_ status: Int) -> CommandFailure {
        let message =
            "Could Not Delete Account: the server answered with the status \(status). "
            + "You are still signed in."
        return (500..<600).contains(status) || status == 429
            ? .unavailable("serverFailed", message) : .refused("notDeleted", message)
    }
}
