// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// Two lowercase digits an octet, as a person reads identifiers.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
