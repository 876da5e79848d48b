// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The results of an audit. A report renders itself as text, JSON, JUnit XML and one page of HTML.
public struct AuditReport: Sendable {
    /// The library that was audited.
    public struct Library: Sendable, Hashable {
        /// The version of libcrypto, as the library states it.
        public let version: String
        /// The provider that its algorithms come from.
        public let provider: String
        /// Whether the provider is the FIPS provider.
        public package(set) var isFIPS: Bool
        /// The names that it offers, of those that a FIPS provider may lack.
        package var offered: Set<FIPSOmission>

        /// The library of this process.
        static var loaded: Library {
            Library(
                version: CryptoProvider.libraryVersion, provider: CryptoProvider.providerName,
                isFIPS: CryptoProvider.isFIPS,
                offered: Set(FIPSOmission.allCases.filter(\.isOffered)))
        }

        /// Whether a case that needs this may find it absent. With the default provider none may.
        func mayLack(_ need: FIPSOmission) -> Bool { isFIPS && !offered.contains(need) }
    }

    /// The outcome of a case.
    public enum State: Sendable, Hashable {
        /// The case did what was expected.
        case passed
        /// The case did something else; the text says what.
        case failed(String)
        /// The case did what the text says. The publisher allows both outcomes, and Signet has not
        /// decided yet which outcome is right.
        case undecided(String)
        /// The FIPS provider lacks what the case needs: the text is its name. Neither passed nor a
        /// deviation.
        case notOffered(String)
        /// The case was not run: it is slow, and slow cases were not asked for.
        case notRun

        /// Whether nothing is known about the case.
        var isSkipped: Bool {
            switch self {
            case .notOffered, .notRun: true
            case .passed, .failed, .undecided: false
            }
        }
    }

    /// The result of one case.
    public struct CaseResult: Sendable, Hashable {
        /// Its id in the suite.
        public let id: String
        /// The algorithm that it exercises.
        public let algorithm: String
        /// Why the expectation differs from the publisher's label; nil if it does not.
        public let override: String?
        /// The outcome of the case.
        public let state: State
    }

    /// The results of one suite.
    public struct SuiteResult: Sendable {
        /// Its name.
        public let name: String
        /// Its file and its publisher.
        public let origin: AuditOrigin
        /// The subject of its file.
        public let subject: String
        /// How many cases the suite states.
        public let declaredCount: Int
        /// Its cases; none if it could not be read.
        public let cases: [CaseResult]
        /// Why it could not be read; nil if it was read.
        public let problem: String?
        /// How long it took, in seconds.
        public let seconds: Double

        /// The document that published the suite.
        public var source: String { origin.document }
    }

    /// Cases of one suite whose expectation differs from the publisher's label, all for the same
    /// reason.
    public struct Override: Sendable, Hashable {
        /// The name of the suite.
        public let suite: String
        /// The reason for the different expectation.
        public let reason: String
        /// The cases, by their ids in the suite.
        public var cases: [String]
    }

    /// The counts of one algorithm from one source.
    public struct Row: Sendable, Hashable {
        /// The document that published the cases.
        public let source: String
        /// The algorithm that the cases exercise.
        public let algorithm: String
        /// The number of all cases.
        public var cases: Int { passed + failed + undecided + notOffered + notRun }
        /// Cases that did what was expected, including overridden ones.
        public var passed = 0
        /// Cases that did something else, and cases of files that could not be read.
        public var failed = 0
        /// Cases for which the publisher allows both outcomes and Signet has recorded no decision.
        public var undecided = 0
        /// Cases that passed or failed by an expectation other than the publisher's label.
        public var overridden = 0
        /// Cases that need what this FIPS provider lacks.
        public var notOffered = 0
        /// Slow cases that were left out.
        public var notRun = 0
    }

    /// The library that was audited.
    public let library: Library
    /// The names that were required to be offered.
    package let required: [FIPSOmission]
    /// Where the report comes from.
    public let evidence: AuditEvidence
    /// The suites, in the order in which they ran.
    public let suites: [SuiteResult]
    /// Published vectors that were not run.
    public let gaps: [AuditGap]
    /// How long the audit took, in seconds.
    public let seconds: Double

    /// The counts by source and algorithm, in the order of the suites.
    public let rows: [Row]

    /// The sum of all rows.
    public var total: Row {
        rows.reduce(into: Row(source: "all", algorithm: "")) { total, row in
            total.passed += row.passed
            total.failed += row.failed
            total.undecided += row.undecided
            total.overridden += row.overridden
            total.notOffered += row.notOffered
            total.notRun += row.notRun
        }
    }

    /// Whether at least one case passed, and there was no deviation and nothing undecided.
    public var isClean: Bool { deviations.isEmpty && undecided.isEmpty && total.passed > 0 }

    /// The required names that are not offered.
    var missing: [FIPSOmission] { required.filter { !library.offered.contains($0) } }

    /// Every deviation, a line each.
    public var deviations: [String] {
        missing.map { "\($0.rawValue): required, and not offered by this provider" }
            + caseDeviations
    }

    var caseDeviations: [String] {
        suites.flatMap { suite in
            (suite.problem.map { ["\(suite.name): \($0)"] } ?? [])
                + suite.cases.compactMap {
                    if case .failed(let text) = $0.state { text } else { nil }
                }
        }
    }

    /// Every case without a recorded decision, a line each, with what it did.
    public var undecided: [String] {
        suites.flatMap(\.cases).compactMap {
            if case .undecided(let text) = $0.state { text } else { nil }
        }
    }

    /// Every override, in the order of the suites.
    public var overrides: [Override] {
        var overrides: [Override] = []
        for suite in suites {
            let first = overrides.count
            for result in suite.cases {
                guard let reason = result.override else { continue }
                if let place = overrides[first...].firstIndex(where: { $0.reason == reason }) {
                    overrides[place].cases.append(result.id)
                } else {
                    overrides.append(
                        Override(suite: suite.name, reason: reason, cases: [result.id]))
                }
            }
        }
        return overrides
    }

    /// The counts of all cases, by source and algorithm.
    static func rows(_ suites: [SuiteResult]) -> [Row] {
        var rows: [Row] = []
        // Where in `rows` a source and an algorithm have their row.
        var positions: [[String]: Int] = [:]
        // Changes the row of a source and an algorithm, which is added if it is missing.
        func change(_ source: String, algorithm: String, _ body: (inout Row) -> Void) {
            if let position = positions[[source, algorithm]] { return body(&rows[position]) }
            var row = Row(source: source, algorithm: algorithm)
            body(&row)
            positions[[source, algorithm]] = rows.count
            rows.append(row)
        }
        for suite in suites {
            if suite.problem != nil {
                change(suite.source, algorithm: suite.subject) { $0.failed += suite.declaredCount }
            }
            for result in suite.cases {
                change(suite.source, algorithm: result.algorithm) { row in
                    if result.override != nil { row.overridden += 1 }
                    switch result.state {
                    case .passed: row.passed += 1
                    case .failed: row.failed += 1
                    case .undecided: row.undecided += 1
                    case .notOffered: row.notOffered += 1
                    case .notRun: row.notRun += 1
                    }
                }
            }
        }
        return rows
    }
}
