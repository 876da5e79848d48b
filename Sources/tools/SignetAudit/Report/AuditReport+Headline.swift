// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The conclusion about the cases that ran. It says nothing about what was not run: the lines
    /// of the summary after it do.
    public var verdict: String {
        let missing = missing.map(\.rawValue).joined(separator: ", ")
        let parts = [
            missing.isEmpty
                ? nil : "DEVIATION: required, and not offered by this provider: \(missing).",
            outcome,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// How many of Signet's own cases ran.
    public var ownCount: Int {
        suites.filter(\.origin.isOwn).flatMap(\.cases).count { !$0.state.isSkipped }
    }

    /// How many cases ran. Those of a file that could not be read did not.
    var runCount: Int { suites.flatMap(\.cases).count { !$0.state.isSkipped } }

    /// The outcome of the cases that ran; nil where they are good and something else is not.
    private var outcome: String? {
        guard caseDeviations.isEmpty else {
            return "DEVIATION: \(caseDeviations.count) of \(runCount) cases or files did not do "
                + "what is expected of them."
        }
        guard undecided.isEmpty else {
            return "UNDECIDED: \(total.undecided) of \(runCount) cases have no recorded decision."
        }
        guard total.passed > 0 else { return "NOTHING WAS RUN." }
        return missing.isEmpty
            ? "No deviation: every case that ran did what is expected of it." : nil
    }
}
