// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a string of hexadecimal digits; spaces and line ends between them are ignored.
package func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
}

/// The bytes as hexadecimal digits.
package func hex(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { byte in
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
    }.joined()
}
