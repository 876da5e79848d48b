// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Dispatch
internal import SignetEmail
internal import SignetLogin
internal import SignetPlatform
internal import SignetSupabase

/// The Supabase project at which `signet login` signs in, and where its code goes.
struct SupabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The project's address, without /auth/v1.", valueName: "url"))
    var supabase: String?

    @Option(
        help: ArgumentHelp(
            "The project's publishable key, which is not secret; not needed for a known account.",
            valueName: "key"))
    var key: String?

    @Option(
        help: ArgumentHelp("Send the code to this phone, as in +14155551234.", valueName: "number"))
    var phone: String?

    @Option(help: ArgumentHelp("Send the code to this mailbox.", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("How long the project's codes are: 6 to 10.", valueName: "count"))
    var digits = 6

    /// Whether none of these options was given.
    var isEmpty: Bool { supabase == nil && key == nil && phone == nil && email == nil }

    /// The project from the options or, without them, that of a known account.
    func settings(of known: AccountSettings?) throws -> AccountSettings.Supabase {
        if supabase == nil, key == nil, let settings = known?.supabase { return settings }
        guard let supabase, let key else {
            throw CommandFailure.missing([
                ("--supabase", supabase), ("--key", key), ("--phone or --email", phone ?? email),
            ])
        }
        return AccountSettings.Supabase(url: supabase, key: key)
    }

    /// The sign-in by a code, which the person types at the terminal.
    func way() throws -> SignInWay {
        let destination = try destination()
        let digits = digits
        return .code(to: destination, digitCount: digits) { prompt in
            Output.show(prompt)
            // Waits for a person: not on one of Swift's threads.
            return try await withCheckedThrowingContinuation { waiter in
                DispatchQueue.global().async {
                    waiter.resume(with: Result { try Self.typed(digits) })
                }
            }
        }
    }

    /// The code that the person types. The terminal does not show it.
    private static func typed(_ digits: Int) throws -> String {
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

    /// Where the code goes.
    private func destination() throws -> SupabaseDestination {
        let counts = OneTimeCode.digitCounts
        try require(
            counts.contains(digits),
            otherwise:
                "--digits is \(digits) instead of \(counts.lowerBound) to \(counts.upperBound).")
        switch (phone, email) {
        case (let phone?, nil):
            do {
                return .phone(try PhoneNumber(phone))
            } catch {
                throw CommandFailure.usage(
                    "\(messageOf: error)",
                    advice: "With + and the country, as in: --phone +14155551234")
            }
        case (nil, let email?):
            guard let mailbox = try? Mailbox(email) else {
                throw CommandFailure.usage("--email takes an address, as in: ada@company.example")
            }
            return .email(mailbox)
        default:
            throw CommandFailure.usage(
                "Say where the code goes.", advice: "Give one of --phone and --email.")
        }
    }
}
