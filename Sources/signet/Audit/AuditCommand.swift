// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Foundation
internal import SignetAudit
internal import SystemBridge

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
              SIGNET_WYCHEPROOF=wycheproof/testvectors_v1 signet audit --html audit.html --junit audit.xml
            """)

    @Flag(name: .long, help: "Print the report as JSON.")
    var json = false

    @Flag(name: .long, help: "Print the report as JUnit XML.")
    var junit = false

    @Option(name: .long, help: ArgumentHelp("Write the report as one HTML page.", valueName: "file"))
    var html: String?

    @Flag(name: .long, help: "Run the slow vectors as well (minutes, up to 1 GiB).")
    var slow = false

    @Flag(name: .long, help: "List each suite.")
    var verbose = false

    func validate() throws {
        guard !(json && junit) else { throw ValidationError("Give one of --json and --junit.") }
    }

    func run() throws {
        try failing {
            let catalog = try AuditCatalog(environment: ProcessInfo.processInfo.environment)
            let report = AuditRunner(includesSlow: slow).run(catalog)
            let date = Date().formatted(.iso8601)
            if let html {
                try PrivateFile.write(
                    Array(report.html(date: date).utf8), to: html, mode: 0o644, overwrite: true)
            }
            if json {
                Output.line(report.json(date: date))
            } else if junit {
                Output.line(report.junit())
            } else {
                Output.line(report.text(isVerbose: verbose))
            }
            guard report.isClean else { throw ExitCode(CommandFailure.Status.refused.rawValue) }
        }
    }
}
