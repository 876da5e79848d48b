// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// libcrypto's queue of errors, one for each thread.
///
/// Every function of this module leaves it empty: an error left behind is found by the next user of the thread, and
/// `SSL_get_error` takes it for its own. The tests look here after each call that fails.
package enum ErrorQueue {
    /// Whether the queue of the calling thread holds nothing.
    package static var isEmpty: Bool { ERR_peek_error() == 0 }

    /// Empties the queue of the calling thread.
    package static func clear() { ERR_clear_error() }
}
