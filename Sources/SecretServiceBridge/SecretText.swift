// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
package import SignetMemory

/// Bytes as a secret of the service: a short name of their kind, and base64url without padding (RFC 4648, section 5).
///
/// Text, because a service may keep the content type or not, and because one of them replaces `{REF:…}` in what it hands out.
/// Reading is strict: one text for one sequence of bytes.
package enum SecretText {
    /// `prefix` and the encoded bytes, in memory that is wiped.
    package static func encode(_ bytes: Span<UInt8>, prefix: StaticString) -> SecretStorage {
        let head = prefix.utf8CodeUnitCount
        let total = head + (bytes.count * 4 + 2) / 3
        return unsafe SecretStorage(count: total) { target in
            for index in 0..<head { unsafe target[index] = prefix.utf8Start[index] }
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let from = source.baseAddress, let start = target.baseAddress else { return }
                unsafe encode(from, source.count, into: start + head)
            }
        }
    }

    /// The bytes of a text with this prefix; nil for any other text.
    package static func decode(_ text: SecretStorage, prefix: StaticString) -> SecretStorage? {
        let head = prefix.utf8CodeUnitCount
        guard text.count >= head, (text.count - head) % 4 != 1 else { return nil }
        let total = (text.count - head) * 3 / 4
        var isGood = false
        let decoded = unsafe SecretStorage(count: total) { target in
            isGood = text.withBytes { span in
                unsafe span.withUnsafeBufferPointer { source -> Bool in
                    for index in 0..<head where unsafe source[index] != prefix.utf8Start[index] {
                        return false
                    }
                    guard let from = source.baseAddress, let into = target.baseAddress else {
                        return total == 0
                    }
                    return unsafe decode(from + head, source.count - head, into: into)
                }
            }
        }
        return isGood ? decoded : nil
    }

    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    // Loops over pointers: a value may have 16 MiB, and tests are not optimised.
    private static func encode(
        _ source: UnsafePointer<UInt8>, _ count: Int, into target: UnsafeMutablePointer<UInt8>
    ) {
        let digits = unsafe alphabet.utf8Start
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var position = 0
        var index = 0
        while index < count {
            bits = unsafe bits << 8 | UInt32(source[index])
            bitCount &+= 8
            while bitCount >= 6 {
                bitCount &-= 6
                unsafe target[position] = unsafe digits[Int(bits >> bitCount & 63)]
                position &+= 1
            }
            bits &= 63
            index &+= 1
        }
        if bitCount > 0 {
            unsafe target[position] = unsafe digits[Int(bits << (6 &- bitCount) & 63)]
        }
    }

    /// `target` has room for three quarters of `count`.
    private static func decode(
        _ source: UnsafePointer<UInt8>, _ count: Int, into target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { values in
            unsafe values.initialize(repeating: 255)
            for digit in 0..<64 { unsafe values[Int(alphabet.utf8Start[digit])] = UInt8(digit) }
            guard let table = values.baseAddress else { return false }
            var bits: UInt32 = 0
            var bitCount: UInt32 = 0
            var position = 0
            var index = 0
            while index < count {
                let value = unsafe table[Int(source[index])]
                if value == 255 { return false }
                bits = bits << 6 | UInt32(value)
                bitCount &+= 6
                if bitCount >= 8 {
                    bitCount &-= 8
                    unsafe target[position] = UInt8(truncatingIfNeeded: bits >> bitCount)
                    position &+= 1
                    bits &= (1 << bitCount) &- 1
                }
                index &+= 1
            }
            // What is left over is zero in the one text that these bytes have.
            return bits == 0
        }
    }
}
