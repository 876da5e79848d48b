// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

extension EllipticCurve {
    /// The order n of the base point (SP 800-186, section 3.2.1), from the standard and not from the library.
    var orderForTests: [UInt8] {
        let text =
            switch self {
            case .p256: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
            case .p384:
                "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"
            case .p521:
                "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa"
                    + "51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409"
            }
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
