// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import TestVectors

/// The vectors that can be run on this machine, and the list of those that cannot.
public struct AuditCatalog: Sendable {
    /// What can be run.
    public let suites: [AuditSuite]
    /// What is published and cannot be run, with the reason.
    public let gaps: [AuditGap]

    /// Which folders they come from.
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
    /// - Throws: ``AuditError`` when a manifest or a Wycheproof file is not readable. Figure files
    ///   are read later, by the suites.
    public init(figures: TestVectors, wycheproof: String?) throws(AuditError) {
        let published = try WycheproofSuites(folder: wycheproof)
        let manifest = try FigureManifest(figures)
        suites = AuditSuite.figures(of: manifest, in: figures) + published.suites
        gaps = manifest.gaps + published.gaps
        facts =
            [
                .init("figures", "figures", figures.folder),
                .init("manifest", "SHA-256 of their MANIFEST.json", manifest.sha256),
            ] + published.facts
    }

    /// The catalog of the figures that were installed with the program, and of Wycheproof's files.
    /// - Parameters:
    ///   - environment: the variables of the process, of which `SIGNET_TEST_VECTORS` and
    ///     `SIGNET_WYCHEPROOF` count.
    ///   - wycheproof: the folder of Wycheproof's files; nil for the one that `SIGNET_WYCHEPROOF`
    ///     names, if it does.
    /// - Throws: ``AuditError`` `vectorsNotFound`, with what to do, or as
    ///   ``init(figures:wycheproof:)``.
    public init(environment: [String: String], wycheproof: String? = nil) throws(AuditError) {
        let figures: TestVectors
        do throws(TestVectorsError) {
            figures = try TestVectors.located(environment: environment)
        } catch {
            throw AuditError(error)
        }
        let named = environment[WycheproofSuites.environmentVariable].flatMap {
            $0.isEmpty ? nil : $0
        }
        try self.init(figures: figures, wycheproof: wycheproof ?? named)
    }
}
