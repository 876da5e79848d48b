// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import Glibc
package import OpenSSLBridge

/// Bytes as a secret of the service: a short name of their kind, and base64url without padding (RFC 4648, section 5).
///
/// Text, because a service may keep the content type or not, and because one of them replaces `{REF:…}` in what it hands out.
/// Reading is strict: one text for one sequence of bytes.
package enum SecretText {
    /// `prefix` and the encoded bytes, in memory that is wiped.
    package static func encode(_ bytes: Span<UInt8>, prefix: StaticString) -> SecretStorage {
        let head = prefix.utf8CodeUnitCount
        let total = head + (bytes.count * 4 + 2) / 3
        return unsafe withScratch(total) { target in
            for index in 0..<head { unsafe target[index] = prefix.utf8Start[index] }
            var position = head
            unsafe bytes.withUnsafeBufferPointer { source in
                var index = 0
                while index < source.count {
                    let left = source.count - index
                    let a = unsafe UInt32(source[index])
                    let b = left > 1 ? unsafe UInt32(source[index + 1]) : 0
                    let c = left > 2 ? unsafe UInt32(source[index + 2]) : 0
                    let group = a << 16 | b << 8 | c
                    for place in 0..<min(left + 1, 4) {
                        let shift = UInt32(18 - 6 * place)
                        unsafe target[position] = character(UInt8(truncatingIfNeeded: group >> shift & 63))
                        position += 1
                    }
                    index += 3
                }
            }
            return unsafe SecretStorage(copying: UnsafeBufferPointer(target).span)
        }
    }

    /// The bytes of a text with this prefix; nil for any other text.
    package static func decode(_ text: SecretStorage, prefix: StaticString) -> SecretStorage? {
        let head = prefix.utf8CodeUnitCount
        guard text.count >= head, (text.count - head) % 4 != 1 else { return nil }
        let total = (text.count - head) * 3 / 4
        return unsafe withScratch(total) { target in
            let isGood = text.withBytes { span in
                unsafe span.withUnsafeBufferPointer { source -> Bool in
                    for index in 0..<head where unsafe source[index] != prefix.utf8Start[index] {
                        return false
                    }
                    return unsafe decode(source[head...], into: target)
                }
            }
            return isGood ? unsafe SecretStorage(copying: UnsafeBufferPointer(target).span) : nil
        }
    }

    private static func decode(
        _ source: Slice<UnsafeBufferPointer<UInt8>>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var position = 0
        var bits: UInt32 = 0
        var bitCount = 0
        for index in unsafe source.indices {
            guard let value = unsafe value(source[index]) else { return false }
            bits = (bits << 6 | UInt32(value)) & 0x3FFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                guard position < target.count else { return false }
                unsafe target[position] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                position += 1
            }
        }
        // What is left over is zero in the one text that these bytes have.
        return position == target.count && bits & ((1 << UInt32(bitCount)) - 1) == 0
    }

    private static func withScratch<R>(
        _ count: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> R
    ) -> R {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe buffer.initialize(repeating: 0)
        defer {
            if let base = buffer.baseAddress { unsafe explicit_bzero(base, count) }
            unsafe buffer.deallocate()
        }
        return unsafe body(buffer)
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: value + 65
        case 26..<52: value + 71
        case 52..<62: value - 4
        case 62: 45
        default: 95
        }
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case 65...90: character - 65
        case 97...122: character - 71
        case 48...57: character + 4
        case 45: 62
        case 95: 63
        default: nil
        }
    }
}
