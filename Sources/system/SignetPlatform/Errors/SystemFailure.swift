// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A call to the system that failed: what was attempted, and the system's reason.
///
/// The description is a sentence for people. It holds the given path, and no content of any file.
package struct SystemFailure: DescribedFailure, Sendable, Equatable {
    /// The attempted action, as a verb phrase: `open 'key.json'`.
    package let operation: String

    /// The system's error number. If a limit was exceeded and no call failed, the closest number
    /// (`EFBIG` for a file that is too large).
    package let errno: Int32

    /// The meaning of ``errno``.
    package var number: ErrorNumber { ErrorNumber(errno) }

    /// Replaces the system's words where they would be confusing.
    private let reason: String?

    package init(operation: String, errno: Int32, reason: String? = nil) {
        self.operation = operation
        self.errno = errno
        self.reason = reason
    }

    /// The failure of the call just made on this thread.
    static func last(_ operation: String) -> SystemFailure {
        SystemFailure(operation: operation, errno: lastErrno)
    }

    package var description: String {
        "cannot \(operation): \(reason ?? Self.message(for: errno))\(Self.advice(for: errno))"
    }

    /// The most characters (Unicode scalars) of a path in a message.
    static let maximumPathCount = 256

    /// A path that is safe to show on a terminal: quoted, without control characters. A path with
    /// bytes that are not UTF-8 is written as a word of a shell. A token or a key that was given as
    /// a path is not shown. A path over 256 characters is shown by its beginning: kilobytes of it
    /// would leave no room for what is wrong with it.
    package static func quoted(_ path: String) -> String {
        guard !SecretShape.isIn(path: path) else { return SecretShape.hidden }
        let path = path.cut(to: maximumPathCount)
        return PathText.shellWord(path) ?? "'\(path.withoutObeyed)'"
    }

    private static func message(for errno: Int32) -> String {
        // strerror_r, because another thread may overwrite strerror's buffer.
        var text = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(errno, &text, text.count) == 0 else { return "error \(errno)" }
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func advice(for errno: Int32) -> String {
        switch errno {
        case ENOENT, ENOTDIR: "; check the path"
        case EACCES, EPERM: "; check the permissions of the file and of the folders above it"
        case EEXIST: "; choose another name, or ask for the file to be replaced"
        case ENOSPC, EDQUOT: "; make room and try again"
        case EROFS: "; choose a folder that can be written to"
        default: ""
        }
    }
}
