// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Glibc

/// The contexts that one thread reuses from call to call, so that a hash costs no allocation.
///
/// Only synchronous code uses them, from the first call to the last without giving up the thread, hence two uses
/// cannot overlap.
@safe
final class ThreadContexts {
    let digest: DigestContext

    private init() throws(OpenSSLFailure) {
        digest = try DigestContext()
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let returnCode = unsafe pthread_key_create(&key) { stored in
            // glibc calls this at the end of a thread with what was stored, which is never null.
            if let stored = unsafe stored {
                unsafe Unmanaged<ThreadContexts>.fromOpaque(stored).release()
            }
        }
        return returnCode == 0 ? key : nil
    }()

    /// The context for hashes of the calling thread, which keeps it alive until it ends. No reference is counted.
    static func currentDigest() throws(OpenSSLFailure) -> OpaquePointer {
        guard let key else { throw OpenSSLFailure(.unavailable, "pthread_key_create") }
        if let stored = unsafe pthread_getspecific(key) {
            let contexts = unsafe Unmanaged<ThreadContexts>.fromOpaque(stored)
            return unsafe contexts._withUnsafeGuaranteedRef { unsafe $0.digest.pointer }
        }
        return try unsafe make(key).digest.pointer
    }

    @inline(never)
    private static func make(_ key: pthread_key_t) throws(OpenSSLFailure) -> ThreadContexts {
        let made = try ThreadContexts()
        let retained = unsafe Unmanaged.passRetained(made)
        guard unsafe pthread_setspecific(key, retained.toOpaque()) == 0 else {
            // Not given out unstored: callers keep only the pointer inside, which the thread must keep alive.
            unsafe retained.release()
            throw OpenSSLFailure(.unavailable, "pthread_setspecific")
        }
        return made
    }
}
