// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// A string whose UTF-8 is written in place, so that no array of it is made and copied.
    ///
    /// - Parameters:
    ///   - byteCount: its length. What `write` leaves alone is NUL; what is not UTF-8 is repaired as by `String(decoding:as:)`.
    ///   - write: gets as many bytes, all of them 0.
    /// - Throws: what `write` throws; nothing else.
    @inlinable
    package static func written<E: Error>(
        byteCount: Int, _ write: (inout MutableSpan<UInt8>) throws(E) -> Void
    ) throws(E) -> String {
        guard byteCount > 0 else { return "" }
        var failure: E?
        let text = unsafe String(unsafeUninitializedCapacity: byteCount) { buffer in
            let room = unsafe UnsafeMutableBufferPointer(rebasing: buffer.prefix(byteCount))
            unsafe room.initialize(repeating: 0)
            var bytes = unsafe room.mutableSpan
            do throws(E) {
                try write(&bytes)
                return room.count
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return text
    }
}
