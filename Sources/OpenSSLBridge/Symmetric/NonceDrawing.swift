// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How a random nonce is drawn.
package enum NonceDrawing: Sendable {
    /// By a call of libcrypto's generator for each.
    case direct
    /// From a batch (``NonceBatch``).
    case pooled

    /// Writes `count` bytes, 1 to 64, that nobody else is given.
    @inline(__always)
    func draw(_ base: UnsafeMutablePointer<UInt8>, count: Int) throws(OpenSSLFailure) {
        switch self {
        case .direct: try unsafe fillWithRandomBytes(base, count: count)
        case .pooled: try unsafe NonceBatch.draw(base, count: count)
        }
    }
}
