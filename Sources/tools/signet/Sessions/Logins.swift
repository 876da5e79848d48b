// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCurl
internal import SignetLogin
internal import SignetPlatform

/// The accounts of `signet login`.
enum Logins {
    /// The accounts, for one command.
    static func accounts() throws -> LocalAccounts {
        do {
            let accounts = try LocalAccounts(
                application: "signet", keyring: SystemKeyring.ofSessions,
                connection: ServerConnection(transport: CurlTransport.curl, hold: SignalHold()),
                notice: say)
            OpenedVaults.add { accounts.close() }
            return accounts
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Runs work with the accounts, and waits for it.
    ///
    /// - Parameters:
    ///   - account: which account the work is about, for the advice; nil for all.
    ///   - beginning: the start of a failure's message, which says what failed.
    static func waiting<R: Sendable>(
        for account: String?, saying beginning: ErrorMessage = "",
        _ work: @escaping @Sendable () async throws(LoginError) -> R
    ) throws -> R {
        do {
            return try signet.waiting(work)
        } catch {
            throw CommandFailure(error, of: account, saying: beginning)
        }
    }

    @Sendable
    private static func say(_ notice: LoginNotice) {
        let words =
            switch notice {
            case .setAside(let path):
                "set aside as \(SystemFailure.quoted(path)). Its sessions still live at their "
                    + "servers."
            case .salvaged(let path):
                "what can be read of it is in \(SystemFailure.quoted(path)) again"
            case .putBack(let path): "put back as \(SystemFailure.quoted(path))"
            case .businessOnly: SignInText.businessAccount
            case .noRefreshToken(let lifetime, let leftOut):
                "warning: the server gave no refresh token: the session ends with its access "
                    + "token, in \(lifetime.wholeSeconds) s." + (leftOut ? offlineAccess : "")
            case .serverNotTold(let error):
                "signed out here. \(error.message) [\(error.code.rawValue)]"
            }
        Output.errorLine("signet: \(words)")
    }

    /// What may make a session longer.
    private static let offlineAccess =
        "\nsignet: the scope offline_access was left out, because the server does not list it. "
        + "To ask for it all the same, sign out, and sign in again with --scope email "
        + "--scope profile --scope offline_access besides the other options."
}

extension Output {
    /// Says what the user has to do next.
    @Sendable
    static func show(_ prompt: SignInPrompt) {
        switch prompt {
        case .address(let address, let isOpening):
            errorLine(
                isOpening
                    ? "signet: your browser opens; if not, open this address on this machine, once:"
                    : "signet: open this address once, with your browser on this machine:")
            errorLine(address)
        case .deviceCode(let code):
            errorLine("signet: on any device go to \(code.verificationURI)")
            errorLine("        and enter the code \(code.userCode)")
        case .codeSent(let user): errorLine("signet: a code was sent to \(user.onOneLine)")
        case .wrongCode(let sentence): errorLine("signet: \(sentence)")
        }
    }
}

/// Holds signals back while tokens are exchanged.
private struct SignalHold: ExchangeHold {
    func begin(_ kind: ExchangeKind) throws(SessionError) {
        do throws(SystemFailure) {
            try RunningExchange.current.begin(kind) {
                Output.errorLine("signet: finishing the exchange")
            }
        } catch {
            throw SessionError(.unavailable, "The server was not asked: \(error).")
        }
    }

    func releaseSignIn() { RunningExchange.current.releaseSignIn() }

    func add(drain: @escaping @Sendable () async -> Void) {
        RunningExchange.current.add(drain: drain)
    }
}
