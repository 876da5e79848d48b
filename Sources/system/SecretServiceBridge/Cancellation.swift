// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import SignetBase

/// Tells a call that another thread is making to give up. The only owner of a `GCancellable`.
@safe
final class Cancellation: @unchecked Sendable {
    // GCancellable is made to be cancelled from any thread.
    let pointer: OpaquePointer?
    private let wasCancelled = Locked(false)

    init() { unsafe pointer = g_cancellable_new() }

    /// Whether the call was told to give up: for work that does not wait for a reply on the bus.
    var isCancelled: Bool { wasCancelled.withLock { $0 } }

    func cancel() {
        wasCancelled.withLock { $0 = true }
        unsafe g_cancellable_cancel(pointer)
    }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }
}
