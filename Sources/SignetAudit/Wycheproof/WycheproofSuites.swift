// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a folder of Wycheproof files gives: suites to run, and files that Signet does not offer the algorithm of.
public struct WycheproofSuites: Sendable {
    /// The variable that names the folder.
    public static let environmentVariable = "SIGNET_WYCHEPROOF"

    /// A suite for each file that can be run.
    public let suites: [AuditSuite]
    /// The files that are not run, or, without a folder, the families.
    public let gaps: [AuditGap]

    /// Why Signet does otherwise than a label says, or what it decided where a label leaves it open: one reason for
    /// each rule.
    public static var recordedReasons: [String] { WycheproofOverride.table.map(\.reason) }

    static let source = "Wycheproof"
    private static let suffix = "_test.json"

    /// Reads every file named `…_test.json` in a folder.
    /// - Parameter folder: nil when there is none: every family is then listed as not run.
    /// - Throws: ``AuditError`` when the folder cannot be listed or a file cannot be read.
    public init(folder: String?) throws(AuditError) {
        guard let folder else {
            suites = []
            gaps = WycheproofFamily.allCases.map {
                AuditGap(
                    source: Self.source, subject: $0.title, count: nil, reason: .notRun,
                    detail: "set \(Self.environmentVariable) to the folder testvectors_v1")
            }
            return
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw AuditError(.unreadable, "The folder \(folder) cannot be listed.")
        }
        var suites: [AuditSuite] = []
        var gaps: [AuditGap] = []
        for name in names.sorted() where name.hasSuffix(Self.suffix) {
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw AuditError(.unreadable, "\(folder)/\(name) cannot be read.")
            }
            let file = try WycheproofFile(
                name: String(name.dropLast(Self.suffix.count)), bytes: [UInt8](data))
            if let family = file.offeredFamily {
                suites.append(file.suite(family))
            } else {
                gaps.append(
                    AuditGap(
                        source: Self.source, subject: file.name, count: file.declaredCount,
                        reason: .notOffered,
                        detail: file.algorithm ?? file.schema))
            }
        }
        guard !suites.isEmpty else {
            throw AuditError(.unreadable, "The folder \(folder) holds no Wycheproof file (…\(Self.suffix)).")
        }
        self.suites = suites
        self.gaps = gaps
    }
}

extension WycheproofFile {
    func suite(_ family: WycheproofFamily) -> AuditSuite {
        AuditSuite(
            name: name, source: WycheproofSuites.source, subject: family.title, declaredCount: declaredCount
        ) { () throws(AuditError) in
            var cases: [AuditCase] = []
            cases.reserveCapacity(declaredCount)
            for group in groups {
                for test in group.tests { cases.append(try makeCase(test, family)) }
            }
            return cases
        }
    }

    private func makeCase(_ test: WycheproofTest, _ family: WycheproofFamily) throws(AuditError) -> AuditCase
    {
        let override = WycheproofOverride.first(for: test, of: name)
        let expectation: AuditExpectation =
            if let override {
                override.expectation
            } else {
                switch test.label {
                case .valid: .accept
                case .invalid: .reject(family.failures(of: test))
                case .acceptable: .undecided
                }
            }
        let made = try check(test, family)
        return AuditCase(
            suite: name, localID: String(test.id), source: WycheproofSuites.source, algorithm: made.algorithm,
            expectation: expectation, override: override?.reason, body: made.body)
    }
}
