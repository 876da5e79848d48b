// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A complete answer.
package struct CurlAnswer: Sendable {
    package let status: Int
    /// In the order received, trailers not among them.
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]
}
