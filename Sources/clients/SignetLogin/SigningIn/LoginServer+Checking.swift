// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetIdentity
internal import SignetSignIn
internal import SignetSupabase

extension LoginServer {
    /// Refuses a sign-in that cannot end well, before anything is asked.
    func check(
        _ way: SignInWay, allowing staff: BusinessEmailPolicy?, over connection: ServerConnection
    ) throws(LoginError) {
        switch (settings, way) {
        case (.openID, .code):
            throw LoginError(
                .unsupported, in: .signIn,
                "Only a Supabase project sends codes: choose another way.")
        case (.supabase, .code(_, let digitCount, _)):
            let counts = OneTimeCode.digitCounts
            guard counts.contains(digitCount) else {
                throw LoginError(
                    .unsupported, in: .signIn,
                    "A code has \(counts.lowerBound) to \(counts.upperBound) digits, not "
                        + "\(digitCount).")
            }
            guard staff == nil else {
                throw LoginError(
                    .unsupported, in: .signIn,
                    "A Supabase project does not say whose verified address it is: it cannot be "
                        + "compared with those that are allowed.")
            }
        case (.supabase, _):
            throw LoginError(.unsupported, in: .signIn, "A Supabase project signs in by a code.")
        case (.openID, _): break
        }
        do {
            switch settings {
            case .openID(let openID):
                _ = try EndpointURL(openID.issuer)
                _ = try openID.provider()
                try Identifier.checkScopes(openID.scopes)
            case .supabase(let supabase): _ = try supabase.auth(over: connection.transport)
            }
        } catch {
            throw LoginError(thrown: error)
        }
    }
}
