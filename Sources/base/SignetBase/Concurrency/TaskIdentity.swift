// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which task this is.
package enum TaskIdentity {
    /// A number that no other running task has; 0 outside of tasks.
    package static var current: Int {
        unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe $0.hashValue } ?? 0 }
    }
}
