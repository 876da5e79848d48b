// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PrivateFile {
    /// How many names of a folder are read: it may hold any number.
    private static let maximumNameCount = 10_000

    /// The first 10,000 names in a folder, unordered, with `.` and `..`; nil if it is unreadable.
    package static func names(in folder: String) -> [String]? {
        guard let stream = unsafe opendir(folder.cPath) else { return nil }
        defer { _ = unsafe closedir(stream) }
        var names: [String] = []
        while names.count < maximumNameCount, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            names.append(PathText.text(of: name))
        }
        return names
    }
}
