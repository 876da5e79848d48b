// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// A line of the summary.
    struct SummaryLine {
        /// Its name in JSON.
        let key: String
        /// Its name for people.
        let label: String
        /// The text after the label.
        let text: String
        /// Whether it says that something is missing: what passed must not hide it.
        var isOpen = false
    }

    /// The summary below the verdict. What passed, what deviated and what was not run are lines of
    /// their own, so that none is read as another.
    var summary: [SummaryLine] {
        let total = total
        return [
            SummaryLine(key: "passed", label: "Passed", text: passedText),
            SummaryLine(
                key: "deviations", label: "Deviations", text: Self.count(deviations.count),
                isOpen: !deviations.isEmpty),
            SummaryLine(
                key: "undecided", label: "Undecided", text: Self.count(total.undecided),
                isOpen: total.undecided > 0),
            SummaryLine(
                key: "notOffered", label: "Cases not offered by this provider",
                text: notOfferedText,
                isOpen: total.notOffered > 0),
            SummaryLine(
                key: "notRun", label: "Not run", text: notRunText,
                isOpen: !gaps.isEmpty || unreadCount > 0),
            SummaryLine(key: "system", label: "System", text: systemText),
        ]
    }

    private var passedText: String {
        let run = runCount
        let kinds = "\(run - ownCount) published, \(ownCount) of Signet's own"
        let overridden =
            total.overridden == 0
            ? ""
            : ", \(total.overridden) judged by a recorded decision of Signet's instead of the "
                + "publisher's label"
        return "\(total.passed) of \(run) cases that ran (\(kinds))\(overridden)"
    }

    private var notOfferedText: String {
        let states = suites.flatMap(\.cases).map(\.state)
        let needs = FIPSOmission.allCases.filter { states.contains(.notOffered($0.rawValue)) }
        let names = needs.map(\.rawValue).joined(separator: ", ")
        return Self.count(total.notOffered) + (needs.isEmpty ? "" : " (\(names))")
    }

    /// How many cases the files state that could not be read.
    private var unreadCount: Int {
        suites.filter { $0.problem != nil }.map(\.declaredCount).reduce(0, +)
    }

    private var notRunText: String {
        let unread = unreadCount == 0 ? [] : ["\(unreadCount) in files that could not be read"]
        let parts: [String] =
            unread
            + AuditGap.Reason.allCases.flatMap { reason in
                let gaps = gaps.filter { $0.reason == reason }
                let counts = gaps.compactMap(\.count)
                let families = gaps.count - counts.count
                let cases = counts.reduce(0, +)
                return (cases == 0 ? [] : ["\(cases) \(reason.phrase)"])
                    + (families == 0
                        ? [] : ["\(families) families of unknown size \(reason.phrase)"])
            }
        return parts.isEmpty ? "none" : parts.joined(separator: ", ") + "; the reasons are listed"
    }

    private var systemText: String {
        let facts = ["system", "architecture"].map {
            evidence.value(section: "machine", fact: $0) ?? "unknown"
        }
        let fetching = library.isFIPS ? ", fetching with fips=yes" : ""
        return "\(library.version), provider \(library.provider)\(fetching), on "
            + facts.joined(separator: ", ")
    }

    private static func count(_ number: Int) -> String { number == 0 ? "none" : "\(number)" }
}

extension AuditGap.Reason {
    fileprivate var phrase: String {
        switch self {
        case .notOffered: "not offered by Signet"
        case .notRun: "without their files or figures here"
        case .slow: "slow"
        }
    }
}
