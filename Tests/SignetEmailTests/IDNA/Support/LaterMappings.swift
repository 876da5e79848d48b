// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import ICUBridge

/// Characters that are old, and that UTS #46 treats otherwise since a certain version of Unicode.
/// All but one were refused before; U+1E9E was mapped to `ss`.
///
/// Found by comparing the mapping tables of 15.0, 15.1 and 16.0 over every character that 15.0
/// assigns; of these, 17.0 and 18.0 change nothing.
enum LaterMappings {
    static let capitalSharpS: Unicode.Scalar = "\u{1E9E}"

    static func version(of scalar: Unicode.Scalar) -> ICUInformation.Version {
        switch scalar.value {
        case 0x1E9E, 0x2260, 0x226E...0x226F:
            ICUInformation.Version(15, 1)
        case 0x04C0, 0x10A0...0x10C5, 0x2132, 0x2183, 0x2F868, 0x2F874, 0x2F91F, 0x2F95F, 0x2F9BF:
            ICUInformation.Version(16, 0)  // refused, now mapped
        case 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x2061...0x2063, 0x206A...0x206F, 0x3164,
            0xFFA0,
            0x1D173...0x1D17A:
            ICUInformation.Version(16, 0)  // refused, now ignored
        case 0x1806:
            ICUInformation.Version(16, 0)
        default:
            ICUInformation.Version(0)
        }
    }
}
