// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// Where sealing takes its random nonces from: libcrypto's generator in both cases, for each message or for some hundred
/// at once.
///
/// Nonces need not be secret, but must never come twice under one key. `direct` leaves that to the generator alone, at the
/// moment of sealing. With `pooled` nonces exist before they are used, and so could be used twice if the memory of the
/// process came to life twice. Read there what is done about it and what is not.
public struct NonceSource: Sendable, Hashable {
    /// One call of the generator for each message. What all sealing does that is not told otherwise.
    public static var direct: NonceSource { NonceSource(drawing: .direct) }

    /// Nonces from a batch of 4 KiB that each thread draws for itself: a short message is sealed in a third of the time.
    ///
    /// - Each nonce is taken out of the batch before it is used, and wiped there. Threads share nothing and wait for nothing.
    /// - **In a child process** the batch is gone, however the child was made: the kernel gives it zeros for that page
    ///   (`MADV_WIPEONFORK`), and new nonces are drawn. Where the kernel cannot (before Linux 4.14), this is ``direct``.
    /// - A child of a process with several threads may wait for ever where it draws them, as with ``direct``: libcrypto's
    ///   generator has locks, and one that another thread held at `fork` stays held. Such a child should only `exec`.
    /// - **Not covered**: a virtual machine or a process that is restored more than once from one snapshot of its
    ///   memory (also CRIU). Its copies seal on with the same nonces, up to 340 a thread with AES-GCM. Use ``direct`` there and
    ///   see to it that the system's and libcrypto's generators learn of the restoration, without which ``direct`` repeats
    ///   nonces, too.
    /// - A batch costs a page of memory for each thread that seals, until the thread ends.
    public static var pooled: NonceSource { NonceSource(drawing: .pooled) }

    package let drawing: NonceDrawing
}
