// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Adds, subtracts and compares unsigned big-endian numbers of any length, slowly.
package enum BigEndian {
    /// a + b in `count` bytes, or nil when it does not fit.
    package static func sum(_ a: [UInt8], _ b: [UInt8], count: Int) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: count)
        var carry = 0
        for index in 0..<max(count, a.count, b.count) {
            let value = digit(a, index) + digit(b, index) + carry
            carry = value >> 8
            if index < count {
                result[count - 1 - index] = UInt8(value & 0xff)
            } else if value != 0 {
                return nil
            }
        }
        return carry == 0 ? result : nil
    }

    /// a - b in the length of a, for a >= b.
    package static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var result = a
        var borrow = 0
        for index in 0..<a.count {
            var value = digit(a, index) - digit(b, index) - borrow
            borrow = value < 0 ? 1 : 0
            value += borrow * 256
            result[a.count - 1 - index] = UInt8(value)
        }
        return result
    }

    private static func digit(_ number: [UInt8], _ index: Int) -> Int {
        index < number.count ? Int(number[number.count - 1 - index]) : 0
    }
}
