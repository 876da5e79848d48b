// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that is printed by its name alone: neither `print` nor `dump` shows anything of it.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
}

extension Redacted {
    /// Says what it is, and nothing of it.
    public var description: String { "\(Self.self)(redacted)" }

    /// Says what it is, and nothing of it.
    public var debugDescription: String { description }

    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
