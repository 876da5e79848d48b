// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A place for one object that is set once and then read by any number of threads, without a lock.
///
/// What the standard library's `AtomicLazyReference` does; its calls look their type up at run time, which costs more
/// than all the rest of finding a key.
///
/// Public, because the compiler inlines no method of a generic `package` type; this module is part of no product.
@safe
public struct SetOnce<Element: AnyObject & Sendable>: ~Copyable, Sendable {
    // The object's address, or 0. As a number, because an optional of `Unmanaged` in an `Atomic` would look its type up as well.
    @usableFromInline let place = Atomic<UInt>(0)

    /// An empty place.
    @inlinable
    public init() {}

    deinit { unsafe Self.reference(place.load(ordering: .acquiring))?.release() }

    /// The object, once it is there.
    @inlinable
    public func load() -> Element? {
        unsafe Self.reference(place.load(ordering: .acquiring))?.takeUnretainedValue()
    }

    /// Gives `body` the object, once it is there, without counting a reference to it: the count of an object that all threads
    /// use would go from processor to processor with each use. The object lives as long as this place does.
    @inlinable
    @inline(__always)
    public func use<Answer>(_ body: (Element) -> Answer) -> Answer? {
        guard let reference = unsafe Self.reference(place.load(ordering: .acquiring)) else {
            return nil
        }
        return unsafe reference._withUnsafeGuaranteedRef { body($0) }
    }

    /// Stores an object where there is none.
    /// - Returns: the one that is there now.
    @inlinable
    public func storeIfNil(_ element: Element) -> Element {
        let retained = unsafe Unmanaged.passRetained(element)
        let (isStored, original) = place.compareExchange(
            expected: 0, desired: unsafe UInt(bitPattern: retained.toOpaque()),
            ordering: .acquiringAndReleasing)
        guard !isStored, let other = unsafe Self.reference(original) else { return element }
        unsafe retained.release()
        return unsafe other.takeUnretainedValue()
    }

    @inlinable
    @inline(__always)
    static func reference(_ address: UInt) -> Unmanaged<Element>? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<Element>.fromOpaque(pointer)
    }
}
