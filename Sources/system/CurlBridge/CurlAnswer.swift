// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A complete response.
public struct CurlAnswer: Sendable {
    package let status: Int
    /// In the order received, without trailers.
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]
}
