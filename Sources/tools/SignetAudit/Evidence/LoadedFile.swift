// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A file that this process has loaded code from.
struct LoadedFile {
    /// Its path, without symbolic links.
    let path: String
    /// The hash of the file; nil if it cannot be read, or was replaced since the process loaded it.
    let sha256: String?

    /// - Parameter path: as the system names it; nil for a name that leads to no file.
    init?(_ path: String) {
        guard let resolved = Self.resolved(path) else { return nil }
        self.path = resolved
        // An upgrade puts another file at the path; the kernel then marks the loaded one as
        // deleted.
        let maps = SystemFile.bytes("/proc/self/maps") ?? Data()
        let isReplaced = maps.range(of: Data("\(resolved) (deleted)\n".utf8)) != nil
        sha256 =
            isReplaced
            ? nil
            : FileManager.default.contents(atPath: resolved).flatMap { Digest.text([UInt8]($0)) }
    }

    private static func resolved(_ path: String) -> String? {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return FileManager.default.fileExists(atPath: resolved) ? resolved : nil
    }
}
