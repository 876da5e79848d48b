// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs vectors against the loaded libcrypto.
///
/// ```swift
/// let catalog = try AuditCatalog(environment: ProcessInfo.processInfo.environment)
/// let report = AuditRunner().run(catalog)
/// print(report.library.version, report.total.passed, "of", report.total.cases)
/// ```
public struct AuditRunner: Sendable {
    /// Whether to run cases that need more than a second or 256 MiB.
    public var includesSlow: Bool
    /// What must be offered: its absence is a deviation, whether or not a vector needs it.
    package var required: [FIPSOmission] = []
    /// The library under the vectors, which says what may be absent.
    package var library = AuditReport.Library.loaded

    /// Called after each case, with the cases that are done and those of the whole catalog.
    package var caseDone: @Sendable (Int, Int) -> Void = { _, _ in }

    private let commit: String?
    private let commandLine: [String]

    /// Makes a runner.
    /// - Parameters:
    ///   - includesSlow: whether to run cases that need more than a second or 256 MiB.
    ///   - commit: the commit of Signet that the program was built from, for the report; nil means
    ///     "unknown".
    ///   - commandLine: the call, for the report. Nothing is left out: pass no secret.
    public init(includesSlow: Bool = false, commit: String? = nil, commandLine: [String] = []) {
        self.includesSlow = includesSlow
        self.commit = commit
        self.commandLine = commandLine
    }

    /// Runs every suite of a catalog, in order.
    ///
    /// A suite that cannot be read, or whose number of cases differs from the stated number, is a
    /// deviation like a failed case: the report is clean only if everything ran.
    /// - Parameters:
    ///   - catalog: what to run.
    ///   - progress: called before each suite.
    public func run(_ catalog: AuditCatalog, progress: (AuditSuite) -> Void = { _ in })
        -> AuditReport
    {
        let clock = ContinuousClock()
        let start = clock.now
        let started = Date()
        var results: [AuditReport.SuiteResult] = []
        var gaps = catalog.gaps
        let total = catalog.suites.map(\.declaredCount).reduce(0, +)
        var done = 0
        for suite in catalog.suites {
            progress(suite)
            let result = run(suite, clock: clock) { caseDone(done + $0, total) }
            results.append(result)
            // Also of a suite that cannot be read.
            done += suite.declaredCount
            gaps += result.cases.filter { $0.state == .notRun }.map {
                AuditGap(
                    source: suite.source, subject: "\(suite.name)#\($0.id)", count: 1,
                    reason: .slow, detail: "slow cases were not asked for")
            }
        }
        let seconds = (clock.now - start).inSeconds
        return AuditReport(
            library: library, required: required,
            evidence: AuditEvidence(
                commit: commit, commandLine: commandLine, offered: library.offered,
                vectors: catalog.facts, started: started, seconds: seconds),
            suites: results, gaps: gaps, seconds: seconds, rows: AuditReport.rows(results))
    }

    private func run(
        _ suite: AuditSuite, clock: ContinuousClock, caseDone: (Int) -> Void
    ) -> AuditReport.SuiteResult {
        let start = clock.now
        var results: [AuditReport.CaseResult] = []
        var problem: String?
        do {
            for vector in try suite.cases() {
                results.append(result(of: vector))
                caseDone(results.count)
            }
        } catch {
            problem = error.message
        }
        return AuditReport.SuiteResult(
            name: suite.name, origin: suite.origin, subject: suite.subject,
            declaredCount: suite.declaredCount,
            cases: results, problem: problem, seconds: (clock.now - start).inSeconds)
    }

    private func result(of vector: AuditCase) -> AuditReport.CaseResult {
        guard includesSlow || !vector.isSlow else {
            return .init(
                id: vector.localID, algorithm: vector.algorithm, override: vector.override,
                state: .notRun)
        }
        let outcome = vector.run()
        let state: AuditReport.State =
            if vector.expectation == .undecided {
                .undecided(outcome.description)
            } else if let need = vector.need, outcome.observation.isAbsence, library.mayLack(need) {
                .notOffered(need.rawValue)
            } else {
                outcome.passed ? .passed : .failed(outcome.description)
            }
        return .init(
            id: vector.localID, algorithm: vector.algorithm, override: vector.override, state: state
        )
    }
}
