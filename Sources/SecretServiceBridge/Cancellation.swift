// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret

/// Tells a call that is under way in another thread to give up. One owner of a `GCancellable`.
@safe
final class Cancellation: @unchecked Sendable {
    // GCancellable is made to be cancelled from any thread.
    let pointer: OpaquePointer?

    init() { unsafe pointer = g_cancellable_new() }

    func cancel() { unsafe g_cancellable_cancel(pointer) }

    deinit { unsafe g_object_unref(UnsafeMutableRawPointer(pointer)) }
}
