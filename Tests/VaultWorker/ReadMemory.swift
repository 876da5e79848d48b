// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads a piece of memory through its file. Foundation's own call makes copies that the search would then find.
enum ReadMemory {
    static func read(_ descriptor: Int32, at place: UInt64, into buffer: inout [UInt8], _ count: Int) -> Int {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, count, off_t(truncatingIfNeeded: place))
        }
    }
}
