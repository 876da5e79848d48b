// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import TestVectors

/// The vectors that can be run on this machine, and the list of those that cannot.
public struct AuditCatalog: Sendable {
    /// What can be run.
    public let suites: [AuditSuite]
    /// What is published and cannot be run, with the reason.
    public let gaps: [AuditGap]

    /// Makes a catalog from parts.
    public init(suites: [AuditSuite], gaps: [AuditGap]) {
        self.suites = suites
        self.gaps = gaps
    }

    /// The catalog of a folder of figures and a folder of Wycheproof files.
    /// - Parameter wycheproof: nil when there is none: its families are then listed as not run.
    /// - Throws: ``AuditError`` when a manifest or a Wycheproof file is not readable. Figure files are read later, by
    ///   the suites.
    public init(figures: TestVectors, wycheproof: String?) throws(AuditError) {
        let published = try WycheproofSuites(folder: wycheproof)
        suites = try AuditSuite.figures(in: figures) + published.suites
        gaps = try FigureManifest(figures).gaps + published.gaps
    }

    /// The catalog of the figures that were installed with the program, and of the Wycheproof folder that
    /// `SIGNET_WYCHEPROOF` names, if it does.
    /// - Throws: ``AuditError`` `vectorsNotFound`, with what to do, or as ``init(figures:wycheproof:)``.
    public init(environment: [String: String]) throws(AuditError) {
        let figures: TestVectors
        do throws(TestVectorsError) {
            figures = try TestVectors.located(environment: environment)
        } catch {
            throw AuditError(error)
        }
        let folder = environment[WycheproofSuites.environmentVariable].flatMap { $0.isEmpty ? nil : $0 }
        try self.init(figures: figures, wycheproof: folder)
    }
}
