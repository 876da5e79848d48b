// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Synchronization

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
