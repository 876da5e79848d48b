// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The results alone. This text is the same wherever the same cases had the same outcomes: it
    /// names no date, time, machine or library, and quotes no error.
    ///
    /// Lines of JSON, in the order in which the cases ran:
    /// - `["signet-audit-results/1"]`;
    /// - `["suite", name, document, SHA-256 of its file, declared cases, whether it could be
    ///   read]`, and then its cases:
    /// - `["case", id, "passed" | "failed" | "undecided" | "not offered" | "not run", reason of the
    ///   override or null]`;
    /// - `["required", name, whether it is offered]` for what was required;
    /// - `["not run", document, subject, cases or null, reason]` for what was left out.
    public var results: String {
        var lines: [[ReportJSON]] = [[.string("signet-audit-results/1")]]
        for suite in suites {
            lines.append([
                .string("suite"), .string(suite.name), .string(suite.source),
                .string(suite.origin.sha256),
                .integer(suite.declaredCount), .bool(suite.problem == nil),
            ])
            lines += suite.cases.map {
                [
                    .string("case"), .string($0.id), .string($0.state.name),
                    $0.override.map(ReportJSON.string) ?? .null,
                ]
            }
        }
        lines += required.map {
            [.string("required"), .string($0.rawValue), .bool(!missing.contains($0))]
        }
        lines += gaps.map {
            [
                .string("not run"), .string($0.source), .string($0.subject),
                $0.count.map(ReportJSON.integer) ?? .null, .string($0.reason.rawValue),
            ]
        }
        return lines.map { ReportJSON.array($0).description + "\n" }.joined()
    }

    /// The SHA-256 of ``results`` in hexadecimal, as `sha256sum` writes it.
    ///
    /// Two audits with the same results for the same vectors have the same digest. It is not a
    /// signature: anyone who edits a report can replace the digest as well.
    public var resultsDigest: String { Digest.text(results.utf8) ?? "unknown" }
}

extension AuditReport.State {
    fileprivate var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .undecided: "undecided"
        case .notOffered: "not offered"
        case .notRun: "not run"
        }
    }
}
