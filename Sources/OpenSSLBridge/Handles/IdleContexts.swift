// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Objects that are ready for use and that nobody uses, each in a slot of its own. Without a lock: whoever takes one out
/// of its slot in one atomic step has it alone, until it puts it into an empty slot.
///
/// A thread looks first where it looked before, so that threads seldom meet. What finds no slot is freed, and made
/// again when it is needed.
///
/// - `padding`: words between two slots. With 7, no two share a cache line, which would go back and forth between threads
///   that have nothing to do with each other; with none, the whole takes 128 bytes instead of 1024.
@safe
struct ContextSlots<Element: AnyObject & Sendable, let padding: Int>: ~Copyable, Sendable {
    @safe
    private struct Slot: ~Copyable, Sendable {
        let content = unsafe Atomic<Unmanaged<Element>?>(nil)
        private let unused = InlineArray<padding, UInt64>(repeating: 0)
    }

    private let slots = InlineArray<16, Slot> { _ in Slot() }

    deinit {
        for index in slots.indices {
            unsafe slots[index].content.load(ordering: .acquiring)?.release()
        }
    }

    /// An element that is the caller's alone from now on.
    func take() -> Element? {
        let first = ThreadSlot.current
        for offset in 0..<ThreadSlot.count {
            let index = (first &+ offset) & (ThreadSlot.count - 1)
            // A look costs less than an exchange, which takes the cache line away from the other threads.
            guard unsafe slots[index].content.load(ordering: .relaxed) != nil else { continue }
            if let taken = unsafe slots[index].content.exchange(
                nil, ordering: .acquiringAndReleasing)
            {
                return unsafe taken.takeRetainedValue()
            }
        }
        return nil
    }

    /// The caller must not use the element after this.
    func giveBack(_ element: Element) {
        let first = ThreadSlot.current
        let retained = unsafe Unmanaged.passRetained(element)
        for offset in 0..<ThreadSlot.count {
            let index = (first &+ offset) & (ThreadSlot.count - 1)
            guard unsafe slots[index].content.load(ordering: .relaxed) == nil else { continue }
            let isStored = unsafe slots[index].content.compareExchange(
                expected: nil, desired: retained, ordering: .acquiringAndReleasing
            ).exchanged
            if isStored { return }
        }
        unsafe retained.release()
    }
}

/// For objects of which a key has few, or many keys have some.
typealias IdleContexts<Element: AnyObject & Sendable> = ContextSlots<Element, 0>

/// For operations that several threads do with one key all the time.
typealias SpacedIdleContexts<Element: AnyObject & Sendable> = ContextSlots<Element, 7>
