// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PathText {
    /// The text of a path that C gave.
    @unsafe
    static func text(ofCString path: UnsafePointer<CChar>) -> String {
        unsafe text(of: Array(UnsafeRawBufferPointer(start: path, count: strlen(path))))
    }
}

extension String {
    /// This path as C takes it: its bytes (``PathText``) and a zero byte. C ends a path at its
    /// first zero byte.
    package var cPath: [CChar] { PathText.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }
}
