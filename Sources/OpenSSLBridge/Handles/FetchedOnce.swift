// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Synchronization

/// What libcrypto finds by name, kept for the life of the process: a fetch takes a global lock and
/// gets slower with every thread that asks (measured in the project's performance notes).
///
/// What was not found is looked for again: there may have been no memory for it.
@safe
final class FetchedOnce: Sendable {
    // The object's address, or 0. Never freed.
    private let place = Atomic<UInt>(0)
    private let operation: String
    private let fetch: @Sendable () -> OpaquePointer?

    init(_ operation: String, _ fetch: @escaping @Sendable () -> OpaquePointer?) {
        self.operation = operation
        unsafe self.fetch = fetch
    }

    /// Nil where it cannot be had, for whatever reason.
    var pointer: OpaquePointer? { unsafe try? required() }

    /// - Throws: `unavailable` where no provider offers it, `noMemory` for any other reason.
    @inline(__always)
    func required() throws(OpenSSLFailure) -> OpaquePointer {
        if let pointer = unsafe OpaquePointer(bitPattern: place.load(ordering: .acquiring)) {
            return unsafe pointer
        }
        return try unsafe fetched()
    }

    @inline(never)
    private func fetched() throws(OpenSSLFailure) -> OpaquePointer {
        // Without memory for its context, libcrypto would look into one that is not there.
        guard unsafe OSSL_LIB_CTX_get0_global_default() != nil, let made = unsafe fetch() else {
            throw ErrorQueue.takenFault(operation) ?? OpenSSLFailure(.noMemory, operation)
        }
        // Providers that were tried before the right one leave errors behind.
        ERR_clear_error()
        let (isStored, earlier) = place.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        // Another thread was faster with the same object, whose count is one too high from now on.
        guard !isStored, let other = unsafe OpaquePointer(bitPattern: earlier) else {
            return unsafe made
        }
        return unsafe other
    }
}
