// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetAudit

/// `signet audit`
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Run the published test vectors against the libcrypto of this machine.",
        discussion: """
            Exit status 1 on any deviation. Wycheproof's files are not part of Signet: name a folder that holds them \
            in SIGNET_WYCHEPROOF; without it they are listed as not run.

            EXAMPLES
              signet audit
              signet audit --html audit.html --json > audit.json
              SIGNET_WYCHEPROOF=wycheproof/testvectors_v1 signet audit --junit
            """)

    @Flag(name: .long, help: "Print the report as JSON.")
    var json = false

    @Flag(name: .long, help: "Print the report as JUnit XML.")
    var junit = false

    @Option(
        name: .long, help: ArgumentHelp("Write the report as one HTML page.", valueName: "file"),
        completion: .file())
    var html: String?

    @Flag(name: .long, help: "Replace the HTML file if it is there.")
    var force = false

    @Flag(name: .long, help: "Run the slow vectors as well (minutes, up to 1 GiB).")
    var slow = false

    @Flag(name: .long, help: "List each suite.")
    var verbose = false

    func run() throws {
        try failing {
            try check()
            let page = html.map { OutputFile($0, overwrite: force) }
            try page?.check()
            let catalog = try AuditCatalog(environment: ProcessInfo.processInfo.environment)
            let report = AuditRunner(includesSlow: slow).run(catalog)
            let date = Date().formatted(.iso8601)
            // The page is for other people's browsers, and holds no secret.
            try page?.write(Array(report.html(date: date).utf8), mode: 0o644)
            try Output.bytes(Array(text(report, date).utf8))
            guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
        }
    }

    private func check() throws {
        guard !(json && junit) else {
            throw CommandFailure.usage(
                "--json and --junit cannot both be printed.", advice: "Give one of them.")
        }
        guard html != "-" else { throw CommandFailure.usage("--html takes the name of a file.") }
    }

    private func text(_ report: AuditReport, _ date: String) -> String {
        if json { return report.json(date: date) }
        return junit ? report.junit() : report.text(isVerbose: verbose) + "\n"
    }
}
