// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// What a `sub` looks like.
enum SubjectRule: Sendable {
    /// 1 byte up to this many, printable ASCII (OpenID Connect Core, section 2: at most 255 ASCII characters).
    case text(maximumByteCount: Int)
    /// A UUID in lower case.
    case uuid

    func accepts(_ subject: ReceivedText) -> Bool {
        switch self {
        case .text(let maximum):
            (1...maximum).contains(subject.byteCount)
                && subject.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        case .uuid: Identifier.isGUID(subject.utf8)
        }
    }
}
