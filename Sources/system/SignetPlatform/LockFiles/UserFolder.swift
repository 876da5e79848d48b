// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The folders of the XDG Base Directory Specification.
package enum UserFolder {
    /// The folder that a variable names. Without the variable, it is the folder `fallback` in
    /// `$HOME`; without `HOME` (`env -i`, some services), in the home of this user's account. Paths
    /// that are not absolute are ignored. Nothing is checked or created.
    ///
    /// - Parameters:
    ///   - name: the variable, for example `XDG_DATA_HOME`.
    ///   - fallback: the folder in the home, for example `.local/share`.
    ///   - variable: returns the value of a variable of the environment.
    /// - Returns: nil if this user has no home.
    package static func path(
        _ name: String, orInHome fallback: String, _ variable: (String) -> String?
    ) -> String? {
        if let named = absolute(variable(name)) { return named }
        guard let home = absolute(variable("HOME")) ?? absolute(accountHome()) else { return nil }
        return home.utf8.last == UInt8(ascii: "/") ? home + fallback : "\(home)/\(fallback)"
    }

    /// Makes a folder, and missing folders above it, for this user alone. An existing folder stays
    /// as it is.
    package static func make(_ path: String) throws(PrivatePlaceFailure) {
        try make(path, depth: 0)
    }

    /// Makes the folder, and the folder above it first if that is missing. The depth is limited,
    /// since the function calls itself.
    private static func make(_ path: String, depth: Int) throws(PrivatePlaceFailure) {
        let operation = "make the folder"
        guard !path.utf8.contains(0), PathText.byteCount(of: path) < PATH_MAX, depth < 100 else {
            throw .system(ENAMETOOLONG, operation: operation, path: path)
        }
        if unsafe mkdir(path.cPath, 0o700) == 0 { return }
        let number = errno
        // For an existing folder some file systems report another error first.
        guard !PrivatePlace.isFolder(at: path) else { return }
        guard number == ENOENT else { throw .system(number, operation: operation, path: path) }
        try make(PrivateFile.split(path).folder, depth: depth + 1)
        guard unsafe mkdir(path.cPath, 0o700) != 0, errno != EEXIST else { return }
        throw .system(errno, operation: operation, path: path)
    }

    /// The path, if it is absolute.
    static func absolute(_ path: String?) -> String? {
        path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    }

    private static func accountHome() -> String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        return unsafe buffer.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let room = buffer.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, room, buffer.count, &found) == 0,
                unsafe found != nil, let home = unsafe entry.pw_dir
            else { return nil }
            return unsafe PathText.text(ofCString: home)
        }
    }
}
