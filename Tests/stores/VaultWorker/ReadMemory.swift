// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a piece of memory through its file. Foundation's own call makes copies that the search would then find.
enum ReadMemory {
    static func read(
        _ descriptor: Int32, at place: UInt64, into buffer: inout [UInt8], _ count: Int
    ) -> Int {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, count, off_t(truncatingIfNeeded: place))
        }
    }

    /// Where the octet occurs next, found by the C library: in a debug build a loop takes a hundred
    /// times as long.
    static func index(of octet: UInt8, in buffer: [UInt8], from start: Int, to end: Int) -> Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard start < end, end <= bytes.count, let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(octet), end - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    static func erase(_ buffer: inout [UInt8]) {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe memset(base, 0, bytes.count)
        }
    }
}
