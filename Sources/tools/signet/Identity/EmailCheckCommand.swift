// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetEmail
internal import SignetJOSE

/// `signet email check`
struct EmailCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that an address is well formed and in an allowed domain.",
        discussion: """
            Only the spelling is checked: the person who typed it may not control it. A verified \
            token, or a code sent to the address, shows who controls it.

            Exit status 0 if the address is allowed, 1 otherwise. Comments, quoted local parts, \
            address literals, '%', '!' and everything outside ASCII are refused. A public \
            suffix, a consumer or a disposable domain cannot be allowed. The built-in lists are \
            small: supply newer ones.

            EXAMPLES
              signet email check --allow-domain company.example user@company.example
              signet email check --allow-domain company.example --include-subdomains \\
                  --disposable-list disposable.txt --json < address
              signet email check --allow-domain company.example \\
                  --public-suffix-list /usr/share/publicsuffix/public_suffix_list.dat \\
                  -- "$ADDRESS"
            """)

    @OptionGroup(title: "Policy") var policy: EmailPolicyOptions

    @Flag(help: "Print a JSON object: valid, verdict, and the domain or the error.")
    var json = false

    @Argument(help: "The address; standard input without it.")
    var address: String?

    func run() throws {
        try Input.checkStandardInput(policy.files + [address ?? "-"])
        let policy = try policy.policy()
        let octets = try text()
        // Decoding replaces invalid UTF-8, but the replacement is outside ASCII as well, so the
        // reason for a refusal stays right.
        let verdict = policy.verdict(forUnverifiedText: String(decoding: octets, as: UTF8.self))
        guard case .allowed(let domain) = verdict else { return try refuse(verdict) }
        try Output.printResult(
            json: json,
            members: [
                "valid": true, "verdict": .string(verdict.name), "domain": .string(domain.text),
            ],
            text: "allowed \(domain)")
    }

    /// The address, without a single line end after it. A space there is part of what was given.
    private func text() throws -> [UInt8] {
        if let address, address != "-" { return Array(address.utf8) }
        var octets = try Input.bytes(nil, maximumByteCount: 65_536)
        guard octets.last == 0x0a else { return octets }
        octets.removeLast()
        if octets.last == 0x0d { octets.removeLast() }
        return octets
    }

    private func refuse(_ verdict: EmailVerdict) throws {
        let failure = CommandFailure.refused(Self.code(verdict), Self.message(verdict))
        guard json else { throw failure }
        Output.error(failure)
        try Output.json(
            failure.members.merging(["valid": false, "verdict": .string(verdict.name)]) { $1 })
        throw ExitCode(failure.status.rawValue)
    }

    /// The verdict's name, or the reason why the text is no address.
    private static func code(_ verdict: EmailVerdict) -> String {
        if case .malformed(let error) = verdict { error.code.rawValue } else { verdict.name }
    }

    private static func message(_ verdict: EmailVerdict) -> ErrorMessage {
        switch verdict {
        case .malformed(let error): "\(messageOf: error)"
        case .privateRelay: "It is a relay address: it forwards to a hidden address."
        case .disposable: "Its domain gives disposable addresses to anyone."
        case .consumer: "Its domain gives addresses to anyone."
        case .unverified, .notAllowed, .allowed: "Its domain is not allowed."
        }
    }
}
