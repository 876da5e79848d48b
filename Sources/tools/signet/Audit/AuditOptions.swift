// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetAudit
internal import SignetJOSE

extension FIPSOmission: ExpressibleByArgument {}

// The parser gives a command the options of its line before it looks for a subcommand. So what
// `signet audit` shares with its subcommands are groups, which it parses once for both, and they
// refuse the rest.

/// What only `signet audit` itself takes.
struct AuditOptions: ParsableArguments {
    @Flag(help: "Print the report as JUnit XML.")
    var junit = false

    @Option(file: "Write the report to this file instead of standard output.")
    var output: String?

    @Option(file: "Write the report as one HTML page.")
    var html: String?

    @Option(
        file: """
            Write the outcome of each case, and the file's SHA-256 beside it (.sha256). The same \
            vectors with the same outcomes give the same bytes.
            """)
    var results: String?

    @Option(
        file: """
            Sign each report that is written with this private key: its signature is beside it \
            (.jws). A JWK, PEM or DER; - for standard input, /dev/fd/N for a descriptor.
            """)
    var sign: String?

    @Flag(help: "Replace the files if they exist.")
    var force = false

    @Option(
        folder: "Run the vectors of this checkout of Wycheproof, or of its folder testvectors_v1.")
    var vectors: String?

    @Flag(help: "Run the slow vectors as well (minutes, up to 1 GiB).")
    var slow = false

    @Option(
        name: .customLong("require"),
        help: ArgumentHelp(
            """
            Fail unless libcrypto offers this: scrypt, argon2id, x25519 or short-keys (HMAC keys \
            under 112 bits). May be repeated.
            """, valueName: "name"))
    var required: [FIPSOmission] = []

    /// Refuses each of these options, for a command that takes none.
    func refuse(for command: String) throws {
        let options: [(name: String, isGiven: Bool)] = [
            ("--junit", junit), ("--output", output != nil), ("--html", html != nil),
            ("--results", results != nil), ("--sign", sign != nil), ("--force", force),
            ("--vectors", vectors != nil), ("--slow", slow), ("--require", !required.isEmpty),
        ]
        for option in options {
            try require(
                !option.isGiven,
                otherwise: "\(shown: option.name) means nothing for 'signet \(shown: command)'.",
                advice: "signet \(command) --help says which options there are.")
        }
    }
}

/// What the audit and its subcommands take.
struct AuditFormOption: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false
}

/// The algorithm of a key that signs or verifies a report.
struct ReportAlgorithmOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The algorithm of the key: needed for RSA in PEM, which does not name it.",
            valueName: "name"),
        completion: .list(SignatureAlgorithm.allCases.map(\.name)))
    var algorithm: String?

    /// Refuses the option, for a line that takes no key.
    func refuse(_ why: ErrorMessage) throws {
        try require(algorithm == nil, otherwise: why, advice: "Leave it out.")
    }
}
