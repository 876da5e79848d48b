// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// One of a few numbers for the calling thread, the same as long as it lives. Threads that run at the same time seldom have the
/// same one, and nothing may depend on that.
package enum ThreadSlot {
    /// A power of two. As many threads as this work side by side at full speed.
    package static var count: Int { 16 }

    /// From 0 up to ``count``. Threads have their descriptors pages apart.
    package static var current: Int { Int(truncatingIfNeeded: pthread_self() >> 12) & (count &- 1) }
}
