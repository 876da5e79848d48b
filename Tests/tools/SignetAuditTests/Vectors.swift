// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import TestVectors

/// The vectors that the tests run: the figures, and Wycheproof's files when they are on this machine.
enum Vectors {
    static let figures: Result<TestVectors, any Error> = Result { try TestVectors.located() }

    /// The Wycheproof folder: the variable, or the folder beside the package that developers have.
    static let wycheproofFolder: String? = {
        let variable = ProcessInfo.processInfo.environment[WycheproofSuites.environmentVariable]
        if let variable, !variable.isEmpty { return variable }
        // swift test runs in the package's root.
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let beside = package.appendingPathComponent("../shared/vectors/wycheproof")
            .standardizedFileURL.path
        return FileManager.default.fileExists(atPath: beside) ? beside : nil
    }()

    static let wycheproof: Result<WycheproofSuites, any Error> = Result {
        if wycheproofFolder == nil {
            print(
                "Wycheproof: not run. Set \(WycheproofSuites.environmentVariable) to the folder testvectors_v1."
            )
        }
        return try WycheproofSuites(folder: wycheproofFolder)
    }

    /// No suites when the manifest is not readable: the tests of the folder say why.
    static let figureSuites: [AuditSuite] =
        (try? figures.get()).flatMap { try? AuditSuite.figures(in: $0) } ?? []

    static let wycheproofSuites: [AuditSuite] = (try? wycheproof.get())?.suites ?? []

    /// Whether a suite has a test for each case: its cases are few, and each stands for a rule of its own.
    static func isJOSE(_ suite: AuditSuite) -> Bool {
        let words = ["jws", "jwe", "jwk", "jwt", "thumbprint", "json_web"]
        return words.contains { suite.name.contains($0) }
    }

    /// The cases of the JOSE suites, one by one.
    static let tokenCases: [AuditCase] = (figureSuites + wycheproofSuites).filter(isJOSE).flatMap {
        suite in
        (try? suite.cases()) ?? []
    }
}
