// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetIdentity
internal import SignetJOSE

/// Further claims and the time: the rules that ID tokens and access tokens share.
struct ClaimRuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A claim that the token must have, with an accepted value; may be repeated.",
            valueName: "claim=value"))
    var accept: [String] = []

    @Option(
        help: ArgumentHelp("A claim that the token must have; may be repeated.", valueName: "claim")
    )
    var requireClaim: [String] = []

    @Option(help: ArgumentHelp("Maximum seconds since iat.", valueName: "seconds"))
    var maxAge: Int64?

    @Option(help: ArgumentHelp("Seconds that clocks may differ, 0 to 300.", valueName: "seconds"))
    var leeway: Int64 = 30

    @Option(
        help: ArgumentHelp(
            "Verify as if it were this time (seconds since 1970).", valueName: "time"))
    var at: Int64?

    var accepted: [String: [String]] { Self.pairs(accept) }

    func options() -> TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.leeway = .seconds(leeway)
        options.maximumAge = maxAge.map { .seconds($0) }
        options.clock = CommandClock.current
        if let at {
            options.clock = .fixed(secondsSince1970: Double(at))
            options.keySet.clock = options.clock
        }
        return options
    }

    func check() throws { try Self.check(accept, option: "--accept") }

    /// Refuses anything but `CLAIM=VALUE` before anything is read.
    static func check(_ pairs: [String], option: String) throws {
        for text in pairs {
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            try require(
                !name.isEmpty && name.count < text.utf8.count,
                otherwise: "\(shown: option) takes CLAIM=VALUE.",
                advice: "\(option) hd=company.example")
        }
    }

    /// The values by the claims' names.
    static func pairs(_ texts: [String]) -> [String: [String]] {
        var pairs: [String: [String]] = [:]
        for text in texts {
            // By bytes, because "=" and a combining mark after it are another Character.
            let name = text.utf8.prefix { $0 != UInt8(ascii: "=") }
            let value = text.utf8.dropFirst(name.count + 1)
            pairs[String(decoding: name, as: UTF8.self), default: []]
                .append(String(decoding: value, as: UTF8.self))
        }
        return pairs
    }
}
