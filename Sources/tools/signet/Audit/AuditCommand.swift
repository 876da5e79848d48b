// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetAudit
internal import SignetPlatform

extension FIPSOmission: ExpressibleByArgument {}

/// `signet audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Run the published test vectors against this machine's libcrypto.",
        discussion: """
            Exit status 1 on any deviation, for what --require names and libcrypto does not \
            offer, and for a case whose publisher allows both outcomes and for which Signet has \
            recorded no decision. A FIPS provider may lack scrypt, argon2id, x25519 and \
            short-keys: cases that need one are counted apart. Wycheproof's files are not part of \
            Signet: name a checkout with --vectors or in SIGNET_WYCHEPROOF; without it they are \
            listed as not run.

            The report names Signet, this machine, the libcrypto that is loaded and the vectors, \
            each with its SHA-256. It is not signed: sign the file if others are to trust it.

            EXAMPLES
              signet audit
              signet audit --html audit.html --json > audit.json
              signet audit --require scrypt --require argon2id
              signet audit --vectors wycheproof --results audit.results
              sha256sum --check audit.results.sha256
            """)

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Flag(help: "Print the report as JUnit XML.")
    var junit = false

    @Option(file: "Write the report as one HTML page.")
    var html: String?

    @Option(
        file: """
            Write the outcome of each case, and the file's SHA-256 beside it (.sha256). The same \
            vectors with the same outcomes give the same bytes.
            """)
    var results: String?

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

    func run() throws {
        try check()
        let page = html.map { OutputFile($0, overwrite: force) }
        let outcomes = results.map { OutputFile($0, overwrite: force) }
        let digest = results.map { OutputFile($0 + ".sha256", overwrite: force) }
        for file in [page, outcomes, digest] { try file?.check() }
        let catalog = try AuditCatalog(wycheproof: vectors)
        var runner = AuditRunner(
            includesSlow: slow, commit: ProgramVersion.commit,
            commandLine: ProgramArguments.all.map(PathText.shown))
        runner.required = required
        let report = runner.run(catalog)
        // The files are for other people's browsers and tools, and hold no secret.
        try page?.write(Array(report.html.utf8), mode: 0o644)
        try outcomes?.write(Array(report.results.utf8), mode: 0o644)
        if let results {
            let name = PrivateFile.split(results).name
            let line = Array("\(report.resultsDigest)  ".utf8) + PathText.bytes(of: name) + [0x0a]
            try digest?.write(line, mode: 0o644)
        }
        try Output.bytes(Array((json ? report.json : junit ? report.junit : report.text).utf8))
        guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
    }

    private func check() throws {
        try require(
            !(json && junit), otherwise: "--json and --junit cannot both be printed.",
            advice: "Give one of them.")
        try require(
            html != "-" && results != "-",
            otherwise: "--html and --results take the name of a file.")
        guard let html, let results else { return }
        try require(
            !PrivatePlace.isSame(html, results) && !PrivatePlace.isSame(html, results + ".sha256"),
            otherwise: "--html and --results would write the same file.")
    }
}
