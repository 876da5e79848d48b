// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension JWK {
    /// An Ed25519 public key, unless anyone can sign for it.
    ///
    /// Under the neutral element any S with R = S·B is a signature of anything. Under the remaining
    /// points of small order, to which 32 zero bytes belong, a few tries suffice. RFC 8032 allows
    /// points of small order, but no honest key is such a point.
    static func ed25519PublicKey(_ raw: [UInt8]) throws(KeyError) -> Ed25519PublicKey {
        let key: Ed25519PublicKey
        do throws(CryptographyError) {
            key = try Ed25519PublicKey(rawRepresentation: raw)
        } catch  where error.code == .unsupported {
            throw unsupportedEd25519(error)
        } catch {
            throw KeyError(error)
        }
        guard !smallOrder.contains(raw.dropLast() + raw.suffix(1).map { $0 & 0x7f }) else {
            throw KeyError(
                .invalidKeyMaterial,
                "The Ed25519 key is a point of small order, for which anyone can sign.")
        }
        return key
    }

    /// FIPS providers may lack Ed25519. Unlike RSA and EC, that is not a failure: the set's
    /// remaining keys are used.
    static func unsupportedEd25519(_ error: CryptographyError) -> KeyError {
        KeyError(.unsupportedAlgorithm, underlying: error, "\(messageOf: error)")
    }

    /// The y coordinates, little-endian, of the eight points whose order divides 8, and the second
    /// encodings (p and p + 1) that two of them have. The sign of x is left out.
    private static let smallOrder: [[UInt8]] = [
        [0x00] + [UInt8](repeating: 0, count: 31),
        [0x01] + [UInt8](repeating: 0, count: 31),
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef,
            0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
            0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10,
            0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac,
            0x03, 0x7a,
        ],
        [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
        [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    ]
}
