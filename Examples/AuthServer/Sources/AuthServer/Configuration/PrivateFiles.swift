// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Files that nobody else reads.
package enum PrivateFiles {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes the folder of a file, for its owner alone, unless it is there.
    package static func makeFolder(ofFile path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
