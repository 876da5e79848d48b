// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Testing

/// Published test files that are too large for this repository, or not ours to copy: read in place.
package enum PublishedVectors {
    /// The variable that names their folder, which holds `idna`, `psl` and so on.
    package static let environmentVariable = "SIGNET_PUBLISHED_VECTORS"

    private static var folder: String? {
        let named = ProcessInfo.processInfo.environment[environmentVariable] ?? ""
        return named.isEmpty ? nil : named
    }
    /// Whether a folder is named.
    package static var areNamed: Bool { folder != nil }

    /// The path of a file there, or nil, with a printed message, when no folder is named. A folder that is named and lacks
    /// the file is an error.
    package static func path(_ name: String) throws -> String? {
        guard let folder else {
            print("skipped: \(environmentVariable) does not name the folder with \(name)")
            return nil
        }
        let path = "\(folder)/\(name)"
        guard FileManager.default.isReadableFile(atPath: path) else { throw Missing(path: path) }
        return path
    }

    /// The same, its bytes.
    package static func bytes(_ name: String) throws -> [UInt8]? {
        guard let path = try path(name) else { return nil }
        return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// The named folder does not hold the file.
    package struct Missing: Error {
        package let path: String
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips, with a message, if no folder with published test files is named.
    package static var needsPublishedVectors: Self {
        .enabled(
            if: PublishedVectors.areNamed,
            "\(PublishedVectors.environmentVariable) does not name the folder of the files")
    }
}
