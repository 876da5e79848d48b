// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetPlatform
internal import SignetSession
internal import SignetSignIn
internal import SignetSupabase

/// Signs a person in at a Supabase project with a one-time code.
struct SupabaseLogin {
    /// How many times the person may type a code; the server has limits of its own.
    private static let tries = 3

    let auth: SupabaseAuth
    let destination: SupabaseDestination
    let digits: Int

    /// The name under which the account is shown.
    var user: String {
        switch destination {
        case .phone(let number): number.e164
        case .email(let mailbox): mailbox.text
        }
    }

    /// Sends a code, asks for it at the terminal, and submits it.
    func run() throws -> SessionGrant {
        do {
            try waiting { [auth, destination] () async throws(SupabaseError) in
                try await auth.sendCode(to: destination)
            }
        } catch {
            throw CommandFailure(error, saying: SignInText.codeNotSent(error.userMessage))
        }
        Output.errorLine("signet: a code was sent to \(user.onOneLine)")
        for _ in 1..<Self.tries {
            if let grant = try verified(mayFail: true) { return grant }
        }
        guard let grant = try verified(mayFail: false) else { throw Self.wrong }
        return grant
    }

    /// - Parameter mayFail: whether a wrong code is only reported, and the result nil.
    private func verified(mayFail: Bool) throws -> SessionGrant? {
        let text = try typed()
        let code: OneTimeCode
        do {
            code = try OneTimeCode(text, digitCount: digits)
        } catch {
            guard mayFail else {
                throw CommandFailure.refused(error.code.rawValue, "\(messageOf: error)")
            }
            Output.errorLine("signet: \(error.message)")
            return nil
        }
        do {
            return try waiting { [auth, destination] () async throws(SupabaseError) in
                try await auth.verify(code, sentTo: destination)
            }
        } catch {
            guard error.serverCode == .otpExpired else {
                throw CommandFailure(error, saying: error.userMessage)
            }
            guard mayFail else { throw Self.wrong }
            Output.errorLine("signet: \(SignInText.wrongCode)")
            return nil
        }
    }

    /// The code that the person types. The terminal does not show it.
    private func typed() throws -> String {
        do {
            let line = try Terminal.readPassphrase(
                prompt: SignInText.enterCode(digitCount: digits) + ": ")
            return line.withBytes { bytes in
                String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            }
        } catch {
            var failure = CommandFailure(error)
            failure.advice = "Entering a code needs a terminal."
            throw failure
        }
    }

    private static let wrong = CommandFailure.refused(
        "wrongCode", "\(reported: SignInText.wrongCode)")
}

extension CommandFailure {
    /// - Parameter sentence: what the person reads. It contains none of the server's words.
    fileprivate init(_ error: SupabaseError, saying sentence: String) {
        let status: Status =
            switch error.code {
            case .refused, .invalidInput, .confirmationPending: .refused
            default: .unavailable
            }
        self.init(status: status, code: error.code.rawValue, message: "\(reported: sentence)")
        advice = error.retryAfter.map { "Try again in \(($0 + .seconds(1)).wholeSeconds) s." }
    }
}
