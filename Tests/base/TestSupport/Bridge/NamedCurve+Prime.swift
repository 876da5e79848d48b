// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

extension NamedCurve {
    /// The prime of the field, big-endian (SP 800-186, section 3.2.1).
    package var prime: [UInt8] {
        switch self {
        case .p256: bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        case .p384:
            bytes(
                """
                fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe
                ffffffff0000000000000000ffffffff
                """)
        case .p521: [0x01] + [UInt8](repeating: 0xff, count: 65)
        }
    }
}
