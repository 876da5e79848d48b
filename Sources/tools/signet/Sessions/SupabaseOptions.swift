// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetEmail
internal import SignetIdentity
internal import SignetSignIn
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

    /// Where the code goes.
    func destination() throws -> SupabaseDestination {
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
