// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Names that nobody guesses and that never come twice.
enum RandomText {
    /// 128 bits of the system's randomness, in hexadecimal.
    static func identifier() -> String {
        var generator = SystemRandomNumberGenerator()
        return [generator.next(), generator.next()].map { (half: UInt64) in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
