// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The conclusion: what passed, and right after it what was not run.
    public var verdict: String {
        [requirement, outcome, lacking, leftOut].compactMap(\.self).joined(separator: " ")
    }

    /// How many of Signet's own cases ran.
    public var ownCount: Int {
        suites.filter(\.origin.isOwn).flatMap(\.cases).count { !$0.state.isSkipped }
    }

    private var requirement: String? {
        missing.isEmpty
            ? nil
            : "DEVIATION: required, and not offered by this provider: \(Self.list(missing))."
    }

    private var lacking: String? {
        guard total.notOffered > 0 else { return nil }
        let states = suites.flatMap(\.cases).map(\.state)
        let needs = FIPSOmission.allCases.filter { states.contains(.notOffered($0.rawValue)) }
        return "Not offered by this provider: \(total.notOffered) cases (\(Self.list(needs)))."
    }

    private static func list(_ names: [FIPSOmission]) -> String {
        names.map(\.rawValue).joined(separator: ", ")
    }

    private var outcome: String {
        let total = total
        let run = total.passed + total.failed + total.undecided
        let kinds = "\(run - ownCount) published, \(ownCount) of Signet's own"
        guard caseDeviations.isEmpty else {
            return
                "DEVIATION: \(caseDeviations.count) of \(run) cases (\(kinds)) or files did not do "
                + "what is expected of them"
                + (total.undecided == 0 ? "." : ", and \(total.undecided) are undecided.")
        }
        guard undecided.isEmpty else {
            return
                "UNDECIDED: \(total.undecided) of \(run) cases (\(kinds)) have no recorded decision;"
                + " the other \(total.passed) did what is expected of them."
        }
        guard total.passed > 0 else { return "NOTHING WAS RUN." }
        return
            "\(missing.isEmpty ? "No deviation: " : "")\(total.passed) of \(run) cases that ran (\(kinds)) did what is "
            + "expected of them, \(total.overridden) by a recorded decision of Signet's instead "
            + "of the publisher's label."
    }

    private var leftOut: String {
        let parts: [String] = AuditGap.Reason.allCases.flatMap { reason in
            let gaps = gaps.filter { $0.reason == reason }
            let counts = gaps.compactMap(\.count)
            let families = gaps.count - counts.count
            let cases = counts.reduce(0, +)
            return (cases == 0 ? [] : ["\(cases) \(reason.phrase)"])
                + (families == 0 ? [] : ["\(families) families of unknown size \(reason.phrase)"])
        }
        return parts.isEmpty
            ? "Nothing was left out."
            : "Not run: \(parts.joined(separator: ", ")); the reasons are listed."
    }
}

extension AuditGap.Reason {
    fileprivate var phrase: String {
        switch self {
        case .notOffered: "of what Signet does not offer"
        case .notRun: "without their files here"
        case .slow: "slow"
        }
    }
}
