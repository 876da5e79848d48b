// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// A small text file that only its owner can read, outside of any vault and **not** sealed, for a
/// developer or another program of the same user.
public enum PrivateTextFile {
    /// Creates or replaces a file with the permissions 0600, whatever the umask is. At every
    /// moment, even after a power loss, the path holds the old content or the new content.
    ///
    /// A link, a device or a pipe is not replaced. **Not** checked: who may replace what is in the
    /// folder.
    ///
    /// - Parameters:
    ///   - text: the whole content.
    ///   - path: in an existing folder.
    /// - Throws: `unavailable`, with what to do.
    public static func write(_ text: String, to path: String) throws(StoreError) {
        do throws(SystemFailure) {
            try PrivateFile.write(Array(text.utf8), to: path, overwrite: true)
        } catch { throw StoreError(.unavailable, "\(sentence: error)") }
    }
}
