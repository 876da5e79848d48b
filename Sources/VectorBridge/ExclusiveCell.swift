// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that one thread changes at a time, whose exclusivity is looked after here instead of by the runtime.
///
/// Swift notes each access to a variable of a class in a set of the thread, some 130 instructions, because it may be entered
/// again by any code that the access calls, and then ends the process. Here it is one byte of the object: whoever comes in while
/// somebody is in gets nothing, and nobody gets anything from then on. Like Swift's own check it says nothing of other threads:
/// the class is not `Sendable`.
///
/// Public, because the compiler inlines no method of a `package` class; this module is part of no product.
@safe
public final class ExclusiveCell<Value> {
    @usableFromInline
    enum State: UInt8 {
        case idle, inUse, broken
    }

    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline @exclusivity(unchecked) var state = State.idle

    /// A cell with this value, in use by nobody.
    @inlinable
    public init(_ value: Value) { unsafe self.value = value }

    /// Calls `body` with the value, which is its alone until it returns.
    /// - Returns: what `body` does; nil, without calling it, when it is not the only one, or was not once.
    @inlinable
    @inline(__always)
    public func withValue<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R? {
        guard unsafe state == .idle else {
            unsafe state = .broken
            return nil
        }
        unsafe state = .inUse
        defer { if unsafe state == .inUse { unsafe state = .idle } }
        return unsafe try body(&value)
    }
}
