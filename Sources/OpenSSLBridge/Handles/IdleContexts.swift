// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Objects that are ready for use and that nobody uses, each in a slot of its own. Without a lock: whoever takes one out
/// of its slot in one atomic step has it alone, until it puts it into an empty slot.
///
/// A thread looks first where it looked before, so that threads seldom meet. What finds no slot is freed, and made
/// again when it is needed.
@safe
struct IdleContexts<Element: AnyObject & Sendable>: ~Copyable, Sendable {
    // A power of two. As many threads as this work with one key at full speed.
    private static var slotCount: Int { 16 }
    private let slots = unsafe InlineArray<16, Atomic<Unmanaged<Element>?>> { _ in unsafe Atomic(nil) }

    deinit {
        for index in unsafe slots.indices {
            unsafe slots[index].load(ordering: .acquiring)?.release()
        }
    }

    /// An element that is the caller's alone from now on.
    func take() -> Element? {
        let first = Self.firstSlot()
        for offset in 0..<Self.slotCount {
            let index = (first &+ offset) & (Self.slotCount - 1)
            // A look costs less than an exchange, which takes the cache line away from the other threads.
            guard unsafe slots[index].load(ordering: .relaxed) != nil else { continue }
            if let taken = unsafe slots[index].exchange(nil, ordering: .acquiringAndReleasing) {
                return unsafe taken.takeRetainedValue()
            }
        }
        return nil
    }

    /// The caller must not use the element after this.
    func giveBack(_ element: Element) {
        let first = Self.firstSlot()
        let retained = unsafe Unmanaged.passRetained(element)
        for offset in 0..<Self.slotCount {
            let index = (first &+ offset) & (Self.slotCount - 1)
            guard unsafe slots[index].load(ordering: .relaxed) == nil else { continue }
            let isStored = unsafe slots[index].compareExchange(
                expected: nil, desired: retained, ordering: .acquiringAndReleasing
            ).exchanged
            if isStored { return }
        }
        unsafe retained.release()
    }

    /// Threads have their descriptors pages apart.
    private static func firstSlot() -> Int { Int(truncatingIfNeeded: pthread_self() >> 12) & (slotCount - 1) }
}
