// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetAudit
internal import SignetPlatform

/// `signet audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Run the published test vectors against this machine's libcrypto.",
        usage: """
            signet audit [<options>]
            signet audit <subcommand>
            """,
        discussion: """
            Exit status 1 on any deviation, for what --require names and libcrypto does not \
            offer, and for a case whose publisher allows both outcomes and for which Signet has \
            recorded no decision. A FIPS provider may lack scrypt, argon2id, x25519 and \
            short-keys: cases that need one are counted apart. Wycheproof's files are not part of \
            Signet: name a checkout with --vectors or in SIGNET_WYCHEPROOF; without it they are \
            listed as not run.

            The report names Signet, this machine, the libcrypto that is loaded and the vectors, \
            each with its SHA-256. With --sign others can verify that they have the very file; \
            where the key is, the report does not say.

            EXAMPLES
              signet audit
              signet audit --html audit.html --json > audit.json
              signet audit --require scrypt --require argon2id
              signet audit --vectors wycheproof --results audit.results
              sha256sum --check audit.results.sha256
              signet audit --json --output audit.json --sign key.json
            """,
        subcommands: [AuditVerifyCommand.self, AuditDiffCommand.self])

    @OptionGroup var form: AuditFormOption
    @OptionGroup var options: AuditOptions
    @OptionGroup var algorithm: ReportAlgorithmOption

    func run() throws {
        try require(
            !(form.json && options.junit), otherwise: "--json and --junit cannot both be printed.",
            advice: "Give one of them.")
        let files = AuditFiles(options)
        try files.check()
        if options.sign == nil { try algorithm.refuse("--algorithm means nothing without --sign.") }
        let signer = try options.sign.map {
            try ReportSignature.signer(KeyFile.read($0), algorithm: algorithm.algorithm)
        }
        let catalog = try AuditCatalog(wycheproof: options.vectors)
        var runner = AuditRunner(
            includesSlow: options.slow, commit: ProgramVersion.commit,
            commandLine: Self.commandLine)
        runner.required = options.required
        // Reading a file is one call, for which nothing is shown.
        let line = ProgressLine("auditing", counting: .cases)
        defer { line.finish() }
        runner.caseDone = { line.show($0, of: $1) }
        let report = runner.run(catalog)
        line.finish()
        let text = form.json ? report.json : options.junit ? report.junit : report.text
        try files.write(report, text: text, signer: signer)
        guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    /// The line for the report, which others read: they need not know where the private key is.
    private static var commandLine: [String] {
        var isKey = false
        return ProgramArguments.all.map { argument in
            defer { isKey = argument.utf8.elementsEqual("--sign".utf8) }
            if isKey { return "…" }
            return argument.utf8.starts(with: "--sign=".utf8)
                ? "--sign=…" : PathText.shown(argument)
        }
    }
}
