// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "signet-interop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file and says where it is.
    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }
}
