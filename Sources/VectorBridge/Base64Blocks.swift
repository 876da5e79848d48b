// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetVector

/// Base64 by blocks of 32 characters, on processors that have vectors of as many bytes (AVX2); nothing on others.
///
/// What is left, and every text that is not valid, is the caller's, a character at a time.
package enum Base64Blocks {
    package static let characterCount = 32
    package static let byteCount = 24

    /// Whether this processor does any of it.
    package static var isOffered: Bool { csignet_has_vectors() != 0 }

    /// Reads blocks from the beginning of `text` to the beginning of `bytes`. Up to four bytes behind the last block may be
    /// written over, never behind the end of `bytes`.
    /// - Returns: how many blocks were read; a block with a foreign character is not, and ends it.
    package static func decode(
        _ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>, isURL: Bool
    ) -> Int {
        unsafe text.withUnsafeBufferPointer { text in
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                guard let from = text.baseAddress, let to = bytes.baseAddress else { return 0 }
                return unsafe csignet_base64_decode_blocks(from, text.count, to, bytes.count, isURL)
            }
        }
    }

    /// Writes blocks of the beginning of `bytes` to `text` from `start` on.
    /// - Returns: how many blocks were written.
    package static func encode(
        _ bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>, from start: Int, isURL: Bool
    ) -> Int {
        guard start >= 0, start <= text.count else { return 0 }
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe text.withUnsafeMutableBufferPointer { text in
                guard let from = bytes.baseAddress, let to = text.baseAddress else { return 0 }
                return unsafe csignet_base64_encode_blocks(
                    from, bytes.count, to + start, text.count - start, isURL)
            }
        }
    }
}
