// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Synchronization

/// The numbers of a public key, and the key that libcrypto makes of them when it is needed.
///
/// Everything that a key can be refused for is looked at before one of these exists: what is left to libcrypto is to copy
/// the numbers, which takes longer than the checks and which most keys of an issuer's set are never needed for.
package final class DeferredKey: Sendable {
    let kind: KeyHandle.Kind
    /// How long a signature of this key is, in bytes.
    let signatureByteCount: Int
    private let make: Numbers?
    private let made = AtomicLazyReference<KeyHandle>()

    private enum Numbers: Sendable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ec(NamedCurve, x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
    }

    /// An RSA public key. The policy of its numbers (size, exponent, no leading zeros) is the caller's and is checked
    /// by now; libcrypto imports any numbers.
    package init(modulus: [UInt8], exponent: [UInt8]) throws(OpenSSLFailure) {
        try SignatureSupport.shared.require(keyKind: .rsa)
        guard modulus.count <= 1024, exponent.count <= 32 else {
            throw OpenSSLFailure(.invalidLength, "RSA numbers")
        }
        kind = .rsa
        signatureByteCount = modulus.count
        make = .rsa(modulus: modulus, exponent: exponent)
    }

    /// An EC public key from affine coordinates of exactly the curve's length, refused unless they are a point: see
    /// ``KeyHandle/requirePoint(curve:x:y:)``.
    package init(curve: NamedCurve, x: [UInt8], y: [UInt8]) throws(OpenSSLFailure) {
        try SignatureSupport.shared.require(keyKind: .ec(curve))
        try KeyHandle.requirePoint(curve: curve, x: x, y: y)
        kind = .ec(curve)
        signatureByteCount = 2 * curve.coordinateByteCount
        make = .ec(curve, x: x, y: y)
    }

    /// An Ed25519 public key: 32 bytes. libcrypto decodes the point when it verifies.
    package init(ed25519 publicKey: [UInt8]) throws(OpenSSLFailure) {
        try SignatureSupport.shared.require(keyKind: .ed25519)
        guard publicKey.count == 32 else { throw OpenSSLFailure(.invalidLength, "public key") }
        kind = .ed25519
        signatureByteCount = 64
        make = .ed25519(publicKey)
    }

    /// A key that libcrypto has already.
    init(_ handle: KeyHandle, kind: KeyHandle.Kind, signatureByteCount: Int) {
        self.kind = kind
        self.signatureByteCount = signatureByteCount
        make = nil
        _ = made.storeIfNil(handle)
    }

    /// The key as libcrypto has it. Several threads that come first make one each, and all get the one that was stored first.
    package func handle() throws(OpenSSLFailure) -> KeyHandle {
        if let handle = made.load() { return handle }
        let handle: KeyHandle
        switch make {
        case .rsa(let modulus, let exponent):
            handle = try .rsa(modulus: modulus, exponent: exponent)
        case .ec(let curve, let x, let y): handle = try .ec(curve: curve, x: x, y: y)
        case .ed25519(let publicKey): handle = try .ed25519(publicKey: publicKey)
        case nil: throw OpenSSLFailure(.refused, "key")
        }
        return made.storeIfNil(handle)
    }
}
