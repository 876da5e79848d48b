// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// libcrypto's queue of errors, which each thread has for itself.
///
/// Every function of this module leaves it empty. The thread's next user would find a stale error,
/// and `SSL_get_error` would report it as its own. The tests check the queue after each failing
/// call.
package enum ErrorQueue {
    /// Whether the queue of the calling thread holds nothing.
    package static var isEmpty: Bool { ERR_peek_error() == 0 }

    /// Empties the queue of the calling thread.
    package static func clear() { ERR_clear_error() }

    /// Empties the queue of the calling thread.
    /// - Returns: its first error that is the machine's fault rather than the input's: no memory,
    ///   or an algorithm that no provider offers any more.
    @inline(never)
    static func takeMachineFault(_ operation: String) -> OpenSSLFailure? {
        var fault: OpenSSLFailure?
        while case let code = ERR_get_error(), code != 0 {
            guard fault == nil else { continue }
            if copenssl_is_no_memory(code) == 1 {
                fault = OpenSSLFailure(.noMemory, operation, code: UInt(code))
            } else if copenssl_is_not_offered(code) == 1 {
                fault = OpenSSLFailure(.unavailable, operation, code: UInt(code))
            }
        }
        return fault
    }
}
