// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetLogin

/// `signet token`
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Write a fresh access token, and nothing else.",
        discussion: """
            For scripts: one line on standard output. A token that is about to expire is \
            refreshed first, by one process at a time, however many ask. The command never \
            prompts. Status 4 when there is no session (any more), 5 when the keyring that holds \
            the key is locked, 3 when the server or the vault cannot be reached. Give a token to \
            other programs by a stream: other users can read arguments in the list of processes. \
            A signal such as Ctrl-C waits until a token that the server gives is stored; then no \
            token is printed.

            EXAMPLES
              token=$(signet token) && printf 'Authorization: Bearer %s\\n' "$token" |
                  curl -H @- https://api.example/me
              signet token --account work
            """)

    @OptionGroup var account: AccountOption

    func run() throws {
        try account.check()
        let accounts = try Logins.accounts()
        let name = account.account
        let token = try Logins.waiting(for: name) { () async throws(LoginError) in
            try await accounts.look().account(name).accessToken()
        }
        try Output.line(token.exposedText)
    }
}
