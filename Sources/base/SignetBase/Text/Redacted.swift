// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that prints only its name: neither `print` nor `dump` shows its contents.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
}

extension Redacted {
    /// The type and "redacted".
    public var description: String { "\(Self.self)(redacted)" }

    /// The type and "redacted".
    public var debugDescription: String { description }

    /// No children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
