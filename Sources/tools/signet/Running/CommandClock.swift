// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The clock of an invocation: the system's, unless a test runs it with another.
enum CommandClock {
    /// Task-local, because tests run in parallel.
    @TaskLocal static var current = TimeSource.system
}
