// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// The times among a token's claims, for people.
struct ClaimTimes {
    /// In the order of a token's life.
    private static let names = ["auth_time", "iat", "nbf", "exp"]

    /// An object of claims.
    let claims: JSONNode
    let now: NumericDate
    /// How far the clocks may differ: a verifier accepts an expired token for so long.
    var leewaySeconds: Double = 0

    /// A line for each time: the claim, its seconds, the moment in UTC, and how far that is from
    /// now. Nil without a time.
    func text(_ style: TerminalStyle) -> String? {
        var table = Table()
        for name in Self.names {
            // A claim of another kind is shown with the others, and no verifier takes it for a time.
            guard let seconds = claims.member(name)?.doubleValue else { continue }
            let moment = MomentText(NumericDate(secondsSince1970: seconds), now: now)
            let isClose =
                leewaySeconds > 0 && abs(seconds - now.secondsSince1970) <= leewaySeconds
            let (text, meaning) = Self.words(for: name, at: moment, isClose: isClose)
            table.add([name, moment.seconds, moment.utc, text], lastAs: meaning)
        }
        return table.isEmpty ? nil : table.text(style)
    }

    private static func words(
        for name: String, at moment: MomentText, isClose: Bool
    ) -> (text: String, meaning: TerminalStyle.Meaning?) {
        let (text, meaning): (String, TerminalStyle.Meaning?) =
            switch name {
            case "exp": (moment.expiry, moment.isPast ? .bad : .good)
            case "nbf" where !moment.isPast: ("valid \(moment.distance)", .bad)
            default: (moment.distance, nil)
            }
        // Two verdicts on a screen would contradict each other.
        return meaning == .bad && isClose
            ? ("\(text), within the leeway", .warning) : (text, meaning)
    }
}
