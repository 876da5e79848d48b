// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A report as it was received: the bytes of a file.
package struct ReceivedReport: Sendable {
    /// The longest report that is compared, in bytes. With all of Wycheproof, results have two
    /// million.
    package static let maximumByteCount = 1 << 23

    let bytes: [UInt8]
    /// The name of the file, for errors.
    let name: String

    package init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }
}
