// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The end of this process by `exit` or by returning from `main`. After a signal, `_exit` or
/// `abort` nothing runs.
package enum ProcessEnd {
    /// Runs `body` at the end, while other threads may still run. In a child of `fork` too.
    package static func onEnd(_ body: @convention(c) () -> Void) {
        // `atexit` fails only without memory; then nothing runs at the end.
        _ = atexit(body)
    }
}
