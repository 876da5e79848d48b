// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension DefaultStringInterpolation {
    @available(*, unavailable, message: "its description is bytes: show swiftString()")
    package mutating func appendInterpolation(_ text: ReceivedText) {}
    @available(*, unavailable, message: "its description is bytes: show swiftString()")
    package mutating func appendInterpolation(_ text: ReceivedText?) {}
    @available(*, unavailable, message: "its description is the whole document")
    package mutating func appendInterpolation(_ node: JSONNode) {}
    @available(*, unavailable, message: "its description is the whole document")
    package mutating func appendInterpolation(_ node: JSONNode?) {}
}
