// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The meaning of a system error number (`errno`), for code that does not import the C library.
package struct ErrorNumber: Sendable, Equatable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// There is no such file or folder.
    package var isMissing: Bool { rawValue == ENOENT }
    /// The name is taken.
    package var isNameTaken: Bool { rawValue == EEXIST }
    /// There is a symbolic link where none is followed.
    package var isLink: Bool { rawValue == ELOOP }
    /// The file is, or would become, too large.
    package var isTooLarge: Bool { rawValue == EFBIG }
    /// The reader of a pipe has gone.
    package var isClosedPipe: Bool { rawValue == EPIPE }
    /// The process lacks permission.
    package var isDenied: Bool { rawValue == EACCES || rawValue == EPERM }
    /// There is no room: on the disk, in a quota, or below a limit of the file's size.
    package var isFull: Bool { rawValue == ENOSPC || rawValue == EDQUOT || rawValue == EFBIG }
    /// The file system is mounted read-only.
    package var isReadOnly: Bool { rawValue == EROFS }
}
