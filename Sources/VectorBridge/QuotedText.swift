// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetVector

extension [UInt8] {
    /// Writes a JSON string with its quotation marks from `offset` on, as far as each of its characters may stand there as it is:
    /// none is a quotation mark, a reverse solidus, a control character or past ASCII. Where one is, it ends with what is before
    /// that, or up to 15 characters earlier, and without its second quotation mark.
    ///
    /// - Parameters:
    ///   - comma: whether a comma goes before it.
    ///   - colon: whether a colon goes behind it.
    /// - Returns: how many bytes have been written, which one may follow that means nothing; 0 where there is no room for four
    ///   more than the text has, or no such place.
    package mutating func writeQuoted(_ text: Span<UInt8>, at offset: Int, comma: Bool, colon: Bool) -> Int {
        guard offset >= 0, offset <= count, text.count <= count &- offset &- 4 else { return 0 }
        return unsafe text.withUnsafeBufferPointer { text in
            unsafe withUnsafeMutableBufferPointer { room in
                guard let room = room.baseAddress else { return 0 }
                // Nothing is read from an empty text, which may have no address.
                let from = unsafe text.baseAddress ?? UnsafePointer(room)
                return unsafe csignet_json_write_quoted(from, text.count, room + offset, comma, colon)
            }
        }
    }
}
