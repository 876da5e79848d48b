// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// A private key on a NIST prime curve, for ECDSA signatures. Printing it shows nothing of the key.
///
/// ```swift
/// let key = try ECPrivateKey.generate(curve: .p256)
/// let signature = try key.signature(for: "a release".utf8, hash: .sha256)
/// print(try key.publicKey.isValidSignature(signature, for: "a release".utf8, hash: .sha256))
/// ```
public struct ECPrivateKey: Sendable, Redacted {
    package let handle: KeyHandle
    /// The public half.
    public let publicKey: ECPublicKey

    /// Makes a private key from its scalar, 1 <= d < n, in exactly the curve's length, and computes
    /// the point.
    ///
    /// - Throws: `invalidKey`.
    public init(curve: EllipticCurve, privateScalar: SecretKey) throws(CryptographyError) {
        guard privateScalar.byteCount == curve.coordinateByteCount else {
            throw CryptographyError(
                .invalidKey,
                "A private scalar on \(shown: curve.rawValue) has \(curve.coordinateByteCount) bytes."
            )
        }
        try self.init(
            handle: try translatingErrors(
                refused: .invalidKey,
                message: "The scalar is out of range for \(shown: curve.rawValue)."
            ) {
                () throws(OpenSSLFailure) in
                try KeyHandle.ec(curve: curve.bridged, privateScalar: privateScalar.storage)
            }, ownPointOn: curve)
    }

    /// A private key from a file. It computes the point again and compares it with the file's:
    /// libcrypto checks neither that they belong together nor that the scalar is in range.
    package init(handle: KeyHandle, curve: EllipticCurve) throws(CryptographyError) {
        let (scalar, stated) = try translatingErrors(refused: .invalidKey) {
            () throws(OpenSSLFailure) in
            (try handle.ecPrivateScalar(), try handle.ecCoordinates())
        }
        try self.init(curve: curve, privateScalar: SecretKey(storage: scalar))
        guard publicKey.x == stated.x, publicKey.y == stated.y else {
            throw CryptographyError(
                .invalidKey,
                "The private scalar and the public point of the EC key do not belong together.")
        }
    }

    private init(handle: KeyHandle, ownPointOn curve: EllipticCurve) throws(CryptographyError) {
        let point = try translatingErrors(refused: .invalidKey, handle.ecCoordinates)
        self.handle = handle
        publicKey = try ECPublicKey(curve: curve, x: point.x, y: point.y)
    }

    /// A new key pair.
    public static func generate(curve: EllipticCurve) throws(CryptographyError) -> ECPrivateKey {
        try ECPrivateKey(
            handle: try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
                try KeyHandle.generateEC(curve: curve.bridged)
            }, ownPointOn: curve)
    }

    /// A signature of `message`: r‖s, each in exactly the curve's coordinate length. ECDSA is
    /// randomised.
    public func signature(
        for message: some Collection<UInt8>, hash: HashAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        try handle.signature(for: message, under: .ecdsa(publicKey.curve.bridged, hash.bridged))
    }

    /// The private scalar, for writing the key to a file. Handle it as a secret.
    public func exportPrivateScalar() throws(CryptographyError) -> SecretKey {
        SecretKey(
            storage: try translatingErrors(refused: .libraryFailure, handle.ecPrivateScalar))
    }

    /// The type, the curve and "redacted".
    public var description: String { "ECPrivateKey(\(publicKey.curve.rawValue), redacted)" }
}
