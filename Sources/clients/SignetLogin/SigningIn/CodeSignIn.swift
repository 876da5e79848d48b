// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetSession
internal import SignetSignIn
internal import SignetSupabase

/// Signs a person in at a Supabase project with a one-time code.
struct CodeSignIn {
    /// How many times the person may type a code; the server has limits of its own.
    private static let tries = 3

    let auth: SupabaseAuth
    let destination: SupabaseDestination
    let digitCount: Int
    let read: @Sendable (SignInPrompt) async throws -> String

    /// The name under which the account is shown.
    var user: String {
        switch destination {
        case .phone(let number): number.e164
        case .email(let mailbox): mailbox.text
        }
    }

    /// Sends a code, asks for it, and submits it.
    func run() async throws(LoginError) -> SessionGrant {
        do throws(SupabaseError) {
            try await auth.sendCode(to: destination)
        } catch {
            throw LoginError(
                error, in: .signIn, saying: "\(reported: SignInText.codeNotSent(error.userMessage))"
            )
        }
        var prompt = SignInPrompt.codeSent(to: user)
        for _ in 1..<Self.tries {
            let text = try await typed(at: prompt)
            do throws(LoginError) {
                return try await grant(for: text)
            } catch {
                guard error.code == .wrongCode || error.underlying is SignInInputError else {
                    throw error
                }
                prompt = .wrongCode(error.message)
            }
        }
        return try await grant(for: typed(at: prompt))
    }

    private func typed(at prompt: SignInPrompt) async throws(LoginError) -> String {
        do {
            return try await read(prompt)
        } catch {
            throw LoginError(thrown: error)
        }
    }

    /// - Throws: `wrongCode`, and a `SignInInputError`'s codes, if the person may try again.
    private func grant(for text: String) async throws(LoginError) -> SessionGrant {
        let code: OneTimeCode
        do throws(SignInInputError) {
            code = try OneTimeCode(text, digitCount: digitCount)
        } catch {
            throw LoginError(error, in: .signIn)
        }
        do throws(SupabaseError) {
            return try await auth.verify(code, sentTo: destination)
        } catch {
            guard error.serverCode == .otpExpired else {
                throw LoginError(error, in: .signIn, saying: "\(reported: error.userMessage)")
            }
            throw LoginError(
                .wrongCode, details: .init(problem: .signIn), underlying: error,
                "\(reported: SignInText.wrongCode)")
        }
    }
}
