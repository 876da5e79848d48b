// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAudit
internal import SignetJOSE
internal import SignetPlatform

/// The files that an audit writes, each with its signature beside it if there is a key.
struct AuditFiles {
    /// The report as it would be printed; nil for standard output.
    private let output: String?
    private let options: AuditOptions

    init(_ options: AuditOptions) {
        output = options.output == "-" ? nil : options.output
        self.options = options
    }

    /// The reports, by the options that name them. Each may have a signature.
    private var reports: [(option: String, path: String)] {
        [("--output", output), ("--html", options.html), ("--results", options.results)]
            .compactMap { option, path in path.map { (option, $0) } }
    }

    /// Refuses, before anything is run, what writing would refuse.
    func check() throws {
        try require(
            options.html != "-" && options.results != "-",
            otherwise: "--html and --results take the name of a file.")
        try require(
            options.sign == nil || !reports.isEmpty,
            otherwise: "--sign needs a file to sign: standard output is not signed.",
            advice: "Add --output FILE, --html FILE or --results FILE.")
        var written = reports
        if let results = options.results { written.append(("--results", results + ".sha256")) }
        if options.sign != nil {
            written += reports.map { ($0.option, ReportSignature.path(for: $0.path)) }
        }
        for (index, file) in written.enumerated() {
            for other in written.dropFirst(index + 1) where other.option != file.option {
                try require(
                    !PrivatePlace.isSame(file.path, other.path),
                    otherwise:
                        "\(shown: file.option) and \(shown: other.option) would write the same file."
                )
            }
            try outputFile(file.path).check(keeping: [options.sign])
        }
        for report in reports { try check(signatureOf: report.path) }
    }

    /// A signature that is there already must not be left beside another report.
    private func check(signatureOf path: String) throws {
        guard options.sign == nil else {
            // The signature names the report, in JSON, which has no other bytes.
            return try require(
                PathText.name(PrivateFile.split(path).name) != nil,
                otherwise: "The name of a signed report has to be UTF-8.",
                advice: "Choose another name.")
        }
        let signature = ReportSignature.path(for: path)
        guard PrivatePlace.identity(ofFileAt: signature) != nil else { return }
        throw CommandFailure.unavailable(
            "exists", "There is a signature at \(typed: signature), and it is another report's.",
            advice: "Sign the new report with --sign, choose another name, or remove the signature."
        )
    }

    /// Writes the files, and what is left to standard output.
    ///
    /// - Parameter text: the report as it is printed.
    func write(_ report: AuditReport, text: String, signer: JWSSigner?) throws {
        let contents: [(path: String, text: String)] = [
            options.html.map { ($0, report.html) }, options.results.map { ($0, report.results) },
            output.map { ($0, text) },
        ].compactMap(\.self)
        // All are signed before any file is touched.
        let files = try contents.map {
            try AuditFile($0.text, at: $0.path, overwrite: options.force, signer: signer)
        }
        for file in files { try file.write() }
        if let results = options.results {
            let name = PathText.bytes(of: PrivateFile.split(results).name)
            try outputFile(results + ".sha256").write(
                Array("\(report.resultsDigest)  ".utf8) + name + [0x0a], mode: AuditFile.mode)
        }
        if output == nil { try Output.bytes(Array(text.utf8)) }
    }

    private func outputFile(_ path: String) -> OutputFile {
        OutputFile(path, overwrite: options.force)
    }
}
