// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Starts processes that take signals as those of people do.
///
/// A child inherits which signals are blocked, and on a thread of Dispatch's all of them are: then no Ctrl-C and no closed pipe
/// would end it, nor whatever it starts itself.
package func withSignalsUnblocked(_ body: () throws -> Void) throws {
    var none = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
}
