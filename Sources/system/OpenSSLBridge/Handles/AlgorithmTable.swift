// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import CSignetOpenSSL
internal import Synchronization

/// The algorithms that Signet uses, each fetched when it is first needed.
final class AlgorithmTable: Sendable {
    static let shared = AlgorithmTable()

    let sha256 = unsafe FetchedOnce("SHA256") { unsafe EVP_MD_fetch(nil, "SHA256", nil) }
    let sha384 = unsafe FetchedOnce("SHA384") { unsafe EVP_MD_fetch(nil, "SHA384", nil) }
    let sha512 = unsafe FetchedOnce("SHA512") { unsafe EVP_MD_fetch(nil, "SHA512", nil) }
    let shake128 = unsafe FetchedOnce("SHAKE128") { unsafe EVP_MD_fetch(nil, "SHAKE128", nil) }
    let hmac = unsafe FetchedOnce("HMAC") { unsafe EVP_MAC_fetch(nil, "HMAC", nil) }
    let aes128GCM = unsafe FetchedOnce("AES-128-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    }
    let aes192GCM = unsafe FetchedOnce("AES-192-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-192-GCM", nil)
    }
    let aes256GCM = unsafe FetchedOnce("AES-256-GCM") {
        unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    }
    let aes256ECB = unsafe FetchedOnce("AES-256-ECB") {
        unsafe EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
    }
    let aes128CBC = cipher("AES-128-CBC")
    let aes192CBC = cipher("AES-192-CBC")
    let aes256CBC = cipher("AES-256-CBC")
    let aes128Wrap = cipher("AES-128-WRAP")
    let aes192Wrap = cipher("AES-192-WRAP")
    let aes256Wrap = cipher("AES-256-WRAP")
    /// The concatenation KDF (NIST SP 800-56C, section 4), by libcrypto's name.
    let concatKDF = unsafe FetchedOnce("SSKDF") { unsafe EVP_KDF_fetch(nil, "SSKDF", nil) }
    let rsa = KeyAlgorithm(key: "RSA", signature: "RSA")
    let ec = KeyAlgorithm(key: "EC", signature: "ECDSA")
    let ed25519 = KeyAlgorithm(key: "ED25519", signature: "ED25519")
    /// Not in a FIPS provider.
    let scrypt = unsafe FetchedOnce("SCRYPT") { unsafe EVP_KDF_fetch(nil, "SCRYPT", nil) }
    /// From OpenSSL 3.2, and not in a FIPS provider.
    let argon2id = unsafe FetchedOnce("ARGON2ID") { unsafe EVP_KDF_fetch(nil, "ARGON2ID", nil) }

    let rsaEncryption = unsafe FetchedOnce("EVP_ASYM_CIPHER_fetch") {
        unsafe EVP_ASYM_CIPHER_fetch(nil, "RSA", nil)
    }
    /// For RSA-OAEP alone.
    let sha1 = unsafe FetchedOnce("SHA1") { unsafe EVP_MD_fetch(nil, "SHA1", nil) }
    let ecdh = unsafe FetchedOnce("ECDH") { unsafe EVP_KEYEXCH_fetch(nil, "ECDH", nil) }
    /// A FIPS provider may lack both.
    let x25519 = unsafe FetchedOnce("X25519") { unsafe EVP_KEYMGMT_fetch(nil, "X25519", nil) }
    let x25519Exchange = unsafe FetchedOnce("X25519") {
        unsafe EVP_KEYEXCH_fetch(nil, "X25519", nil)
    }

    private static func cipher(_ name: StaticString) -> FetchedOnce {
        unsafe FetchedOnce("\(name)") { unsafe EVP_CIPHER_fetch(nil, cString(name), nil) }
    }

    private init() {
        // The library has called it at load; this call keeps the linker from dropping it.
        _ = csignet_openssl_keep()
    }
}

/// The algorithms that a provider has to offer for a kind of key.
struct KeyAlgorithm {
    let management: FetchedOnce
    let signature: FetchedOnce

    init(key: StaticString, signature: StaticString) {
        management = unsafe FetchedOnce("EVP_KEYMGMT_fetch") {
            unsafe EVP_KEYMGMT_fetch(nil, cString(key), nil)
        }
        self.signature = unsafe FetchedOnce("EVP_SIGNATURE_fetch") {
            unsafe EVP_SIGNATURE_fetch(nil, cString(signature), nil)
        }
    }
}

extension KeyHandle.Kind {
    var algorithm: KeyAlgorithm {
        switch self {
        case .rsa: AlgorithmTable.shared.rsa
        case .ec: AlgorithmTable.shared.ec
        case .ed25519: AlgorithmTable.shared.ed25519
        }
    }

    /// Refuses a kind of key that no provider offers. Call it first: libcrypto without memory for
    /// what every call needs crashes, or calls a good key bad.
    func require() throws(OpenSSLFailure) { _ = try unsafe algorithm.management.required() }
}

/// An algorithm that libcrypto finds by name, kept for the life of the process: a fetch takes a
/// global lock and gets slower with every thread (measured in the project's performance notes).
///
/// A failed fetch is tried again, since memory may have been short.
@safe
final class FetchedOnce: Sendable {
    // The object's address, or 0. Never freed.
    private let address = Atomic<UInt>(0)
    private let operation: String
    private let fetch: @Sendable () -> OpaquePointer?

    init(_ operation: String, _ fetch: @escaping @Sendable () -> OpaquePointer?) {
        self.operation = operation
        unsafe self.fetch = fetch
    }

    /// The algorithm; nil if it cannot be fetched, for any reason.
    var pointer: OpaquePointer? { unsafe try? required() }

    /// Whether a provider offers the algorithm. True as well where memory is too short to tell, so
    /// that a machine's fault never passes for an algorithm that is not there.
    var isOffered: Bool {
        do throws(OpenSSLFailure) {
            _ = try unsafe required()
            return true
        } catch { return error.kind != .unavailable }
    }

    /// - Throws: `unavailable` if no provider offers the algorithm, otherwise `noMemory`.
    @inline(__always)
    func required() throws(OpenSSLFailure) -> OpaquePointer {
        if let pointer = unsafe OpaquePointer(bitPattern: address.load(ordering: .acquiring)) {
            return unsafe pointer
        }
        return try unsafe fetched()
    }

    /// Fetches the algorithm and keeps it, unless another thread was faster.
    @inline(never)
    private func fetched() throws(OpenSSLFailure) -> OpaquePointer {
        // Without memory for its default context, libcrypto would dereference null.
        guard unsafe OSSL_LIB_CTX_get0_global_default() != nil, let made = unsafe fetch() else {
            throw ErrorQueue.takeMachineFault(operation) ?? OpenSSLFailure(.noMemory, operation)
        }
        // Providers that were tried before the right one leave errors in the queue.
        ERR_clear_error()
        let (isStored, earlier) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        // Another thread stored the same object first. Its count stays one too high.
        guard !isStored, let other = unsafe OpaquePointer(bitPattern: earlier) else {
            return unsafe made
        }
        return unsafe other
    }
}
