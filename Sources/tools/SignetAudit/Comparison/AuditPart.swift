// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A part of a report, as comparisons name it: for the tables and the sections of the JSON report,
/// their names there.
package enum AuditPart: String, Sendable, CaseIterable {
    // The origin of the report.
    case signet, machine, libcrypto, run
    // The results.
    case verdict, total, deviations, undecided, notOffered, rows, overrides, suites, cases
    case required, notRun

    /// Whether it is about the origin of the report and not about results.
    package var isOrigin: Bool {
        switch self {
        case .signet, .machine, .libcrypto, .run: true
        default: false
        }
    }

    /// What stands between the parts of an entry's name, for people.
    var separator: String { self == .cases ? "#" : " / " }

    /// The name for people.
    package var title: String {
        switch self {
        case .signet: "Signet"
        case .machine: "Machine"
        case .libcrypto: "libcrypto"
        case .run: "Run"
        case .verdict: "Verdict"
        case .total: "Total"
        case .deviations: "Deviations"
        case .undecided: "Undecided"
        case .notOffered: "Not offered by this provider"
        case .rows: "Cases by source and algorithm"
        case .overrides: "Overrides"
        case .suites: "Vectors"
        case .cases: "Cases"
        case .required: "Required"
        case .notRun: "Not run"
        }
    }
}
