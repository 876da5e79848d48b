// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A value that one thread changes at a time, whose exclusivity is looked after here instead of by the runtime.
///
/// Swift notes each access to a variable of a class in a set of the thread, some 130 instructions, because it may be entered
/// again by any code that the access calls. Here it is one flag of the object: whoever comes in while somebody is in is
/// stopped, as Swift would have stopped him. Like Swift's own check it says nothing of other threads: the class is not `Sendable`.
///
/// Public, because the compiler inlines no method of a `package` class; this module is part of no product.
@safe
public final class ExclusiveCell<Value> {
    @usableFromInline @exclusivity(unchecked) var value: Value
    @usableFromInline @exclusivity(unchecked) var isInUse = false

    @inlinable
    public init(_ value: Value) { unsafe self.value = value }

    /// Calls `body` with the value, which is its alone until it returns.
    @inlinable
    @inline(__always)
    public func withValue<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        guard unsafe !isInUse else { stopOverlappingAccess() }
        unsafe isInUse = true
        defer { unsafe isInUse = false }
        return unsafe try body(&value)
    }
}

@usableFromInline
func stopOverlappingAccess() -> Never { fatalError("ExclusiveCell: the value is in use") }
