// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Identifies the running task, so that a store can detect a task that would wait for itself: a
/// transaction inside a transaction of the same task never begins.
///
/// A child task has a number of its own, and so has a task that was made without a parent.
public enum TaskIdentity {
    /// A number that no other running task has; 0 outside of tasks.
    public static var current: Int {
        unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe $0.hashValue } ?? 0 }
    }
}
