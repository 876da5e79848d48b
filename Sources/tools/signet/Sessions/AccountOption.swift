// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetBase
internal import SignetVault

/// Which account a command uses.
struct AccountOption: ParsableArguments {
    @Option(help: ArgumentHelp("Which of several accounts.", valueName: "name"))
    var account = "default"

    func check() throws {
        let byteCount = account.utf8.count
        try require(
            (1...64).contains(byteCount),
            otherwise: "The name after --account has \(byteCount) bytes instead of 1 to 64.")
        try require(
            !account.unicodeScalars.contains(where: \.isObeyed),
            otherwise: "The name after --account has characters that a terminal obeys.")
    }

    /// The account. Refuses an account with which the user never signed in.
    ///
    /// - Throws: `signedOut` only if no vault can have a session of it.
    func found() throws -> Account {
        try check()
        return try Sessions().account(account)
    }
}

extension CommandFailure {
    /// The failure that an account has no session.
    static func signedOut(_ account: String) -> CommandFailure {
        CommandFailure(
            status: .signedOut, code: "signedOut", message: "There is no session of this account.",
            advice: "Sign in: signet login\(optionOf(account))")
    }

    /// The option that names the account, in a command line for the user to type.
    static func optionOf(_ account: String) -> String {
        account.utf8.elementsEqual("default".utf8)
            ? "" : " --account \(Input.quoted(account.onOneLine))"
    }
}
