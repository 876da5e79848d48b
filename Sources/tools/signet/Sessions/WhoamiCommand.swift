// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetBase
internal import SignetJOSE
internal import SignetLogin

/// `signet whoami`
struct WhoamiCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who is signed in.",
        discussion: """
            Reads the vault only and asks no server: a session that the server has ended is \
            shown until a token is requested. The exit statuses are those of 'signet token'.

            EXAMPLES
              signet whoami
              signet whoami --account work --json
            """)

    @OptionGroup var account: AccountOption

    @Flag(help: "Print a JSON object: account, user, subject, issuer, expires.")
    var json = false

    func run() throws {
        try account.check()
        let accounts = try Logins.accounts()
        let name = account.account
        let found = try Logins.waiting(for: name) { () async throws(LoginError) in
            try await accounts.look().account(name)
        }
        let user = try Logins.waiting(for: name) { () async throws(LoginError) in
            try found.user(in: await found.manager.start())
        }
        let expiry = waiting { await found.manager.expiry }
        guard !json else {
            return try Output.shownJSON([
                "account": .string(found.name), "user": .string(found.settings.user),
                "subject": .string(user.id), "issuer": .string(found.settings.issuer),
                "expires": expiry?.number,
            ])
        }
        var table = Table()
        table.add(["account", found.name])
        table.add(["user", found.settings.user])
        table.add(["subject", user.id])
        table.add(["issuer", found.settings.issuer])
        if let expiry { table.add(["token until", expiry.inWords]) }
        try Output.line(table.text)
    }
}

extension NumericDate {
    /// A time in UTC, to the second; the bare number if it is before 1970 or after the year 9999.
    fileprivate var inWords: String {
        guard secondsSince1970 >= 0, secondsSince1970 < Double(CivilTime.latest + 1) else {
            return description
        }
        return Date(timeIntervalSince1970: secondsSince1970).formatted(.iso8601)
    }
}
