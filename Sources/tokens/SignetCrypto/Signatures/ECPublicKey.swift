// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// A public key on a NIST prime curve, for verifying ECDSA signatures.
public struct ECPublicKey: Sendable, Equatable {
    package let handle: KeyHandle
    /// The curve.
    public let curve: EllipticCurve
    /// The affine x coordinate, big-endian, exactly as long as the curve's coordinates.
    public let x: [UInt8]
    /// The affine y coordinate, big-endian, exactly as long as the curve's coordinates.
    public let y: [UInt8]

    /// A public key from its coordinates, each in exactly the curve's length (RFC 7518, section
    /// 6.2.1.2).
    ///
    /// Checked: lengths, each coordinate below the field's prime, the point on the curve and not at
    /// infinity.
    ///
    /// - Throws: `invalidKey`.
    public init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptographyError) {
        let width = curve.coordinateByteCount
        guard x.count == width, y.count == width else {
            throw CryptographyError(
                .invalidKey,
                "Coordinates on \(shown: curve.rawValue) have \(width) bytes each; x has \(x.count), and y \(y.count)."
            )
        }
        handle = try translatingErrors(
            refused: .invalidKey, message: "The point is not on \(shown: curve.rawValue)."
        ) {
            () throws(OpenSSLFailure) in try KeyHandle.ec(curve: curve.bridged, x: x, y: y)
        }
        self.curve = curve
        self.x = x
        self.y = y
    }

    /// Whether `signature` is a signature of `message` under this key: r‖s in exactly twice the
    /// curve's coordinate length, 1 <= r, s < n. DER is never accepted. Do not use a signature as
    /// an identifier: ECDSA is malleable, and (r, n - s) is a second valid signature of the same
    /// message.
    ///
    /// - Throws: `libraryFailure` or `unsupported` if libcrypto cannot compute. No signature or
    ///   message causes it.
    public func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>,
        hash: HashAlgorithm
    ) throws(CryptographyError) -> Bool {
        try handle.isValidSignature(
            signature, for: message, under: .ecdsa(curve.bridged, hash.bridged))
    }

    /// Whether two keys are the same point on the same curve.
    public static func == (a: ECPublicKey, b: ECPublicKey) -> Bool {
        a.curve == b.curve && a.x == b.x && a.y == b.y
    }
}
