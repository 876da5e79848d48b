// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// The NIST prime curves of RFC 7518, section 6.2.1.1.
public enum EllipticCurve: String, CaseIterable, Sendable, Hashable {
    /// P-256, coordinates of 32 bytes.
    case p256 = "P-256"
    /// P-384, coordinates of 48 bytes.
    case p384 = "P-384"
    /// P-521, coordinates of 66 bytes.
    case p521 = "P-521"

    /// Length of a coordinate and of a private scalar in bytes; a signature is twice as long.
    public var coordinateByteCount: Int { bridged.coordinateByteCount }

    package var bridged: NamedCurve {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        }
    }

    package init(_ curve: NamedCurve) {
        switch curve {
        case .p256: self = .p256
        case .p384: self = .p384
        case .p521: self = .p521
        }
    }
}
