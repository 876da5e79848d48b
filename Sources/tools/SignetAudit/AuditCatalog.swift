// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
public import TestVectors

/// The vectors that this machine can run, and a list of the vectors that it cannot run.
public struct AuditCatalog: Sendable {
    /// The suites to run.
    public let suites: [AuditSuite]
    /// Published vectors that cannot be run, with the reason.
    public let gaps: [AuditGap]

    /// The source folders.
    let facts: [AuditEvidence.Fact]

    /// Makes a catalog from parts.
    public init(suites: [AuditSuite], gaps: [AuditGap]) {
        self.suites = suites
        self.gaps = gaps
        facts = []
    }

    /// The catalog of a folder of figures and a folder of Wycheproof files.
    /// - Parameters:
    ///   - figures: the folder of figures.
    ///   - wycheproof: nil if there is none; its families are then listed as not run.
    /// - Throws: ``AuditError`` if a manifest or a Wycheproof file is not readable. The suites read
    ///   figure files later.
    public init(figures: TestVectors, wycheproof: String?) throws(AuditError) {
        let published = try WycheproofSuites(folder: wycheproof)
        let manifest = try FigureManifest(figures)
        suites = AuditSuite.figures(of: manifest, in: figures) + published.suites
        gaps = manifest.gaps + published.gaps
        facts =
            [
                .init("figures", label: "figures", value: PathText.shown(figures.folder)),
                .init("manifest", label: "SHA-256 of their MANIFEST.json", value: manifest.sha256),
            ] + published.facts
    }

    /// The catalog of the installed figures and of Wycheproof's files.
    /// - Parameters:
    ///   - environment: the process's variables; `SIGNET_TEST_VECTORS` and `SIGNET_WYCHEPROOF` are
    ///     used.
    ///   - wycheproof: the folder of Wycheproof's files; nil for the value of `SIGNET_WYCHEPROOF`,
    ///     if set.
    /// - Throws: ``AuditError`` `vectorsNotFound`, with the remedy, or the errors of
    ///   ``init(figures:wycheproof:)``.
    public init(environment: [String: String], wycheproof: String? = nil) throws(AuditError) {
        let figures: TestVectors
        do {
            figures = try TestVectors.located(environment: environment)
        } catch {
            throw AuditError(error)
        }
        let named = environment[WycheproofSuites.environmentVariable].flatMap {
            $0.isEmpty ? nil : $0
        }
        try self.init(figures: figures, wycheproof: wycheproof ?? named)
    }

    /// The same with this process's variables, which may name folders whose names are not UTF-8.
    package init(wycheproof: String?) throws(AuditError) {
        let names = [TestVectors.environmentVariable, WycheproofSuites.environmentVariable]
        let named = names.map { ($0, ProcessEnvironment.path($0)) }
        try self.init(
            environment: Dictionary(uniqueKeysWithValues: named).compactMapValues(\.self),
            wycheproof: wycheproof)
    }
}
