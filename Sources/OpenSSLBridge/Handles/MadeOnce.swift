// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// An object that is made when it is first needed, and stays.
///
/// Several threads that come first make one each; all of them use the one that was stored first. Using it counts no
/// reference: the count of an object that all threads use would go from processor to processor with each use.
@safe
struct MadeOnce<Element: AnyObject & Sendable>: ~Copyable, Sendable {
    private let content = unsafe Atomic<Unmanaged<Element>?>(nil)

    deinit { unsafe content.load(ordering: .acquiring)?.release() }

    /// Gives `body` the object, after `make` where there is none yet. It lives at least as long as this does.
    @inline(__always)
    func use<R, E: Error>(
        orMake make: () throws(E) -> Element, _ body: (Element) throws(E) -> R
    ) throws(E) -> R {
        if let made = unsafe content.load(ordering: .acquiring) {
            // It rethrows without the type of the error, hence the detour.
            return try unsafe made._withUnsafeGuaranteedRef { element -> Result<R, E> in
                do throws(E) {
                    return .success(try body(element))
                } catch {
                    return .failure(error)
                }
            }.get()
        }
        return try body(storeIfNil(try make()))
    }

    /// The object that is here from now on: `made`, unless another thread was faster.
    @discardableResult
    func storeIfNil(_ made: Element) -> Element {
        let retained = unsafe Unmanaged.passRetained(made)
        let (isStored, earlier) = unsafe content.compareExchange(
            expected: nil, desired: retained, ordering: .acquiringAndReleasing)
        guard !isStored, let earlier = unsafe earlier else { return made }
        unsafe retained.release()
        return unsafe earlier.takeUnretainedValue()
    }
}
