// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Cipher contexts of one key that are ready and that nobody uses. To make a context and to expand the key takes
/// longer than to seal a short message.
///
/// The pool belongs to the key's storage: what its contexts hold of the key is wiped when the key is.
final class CipherContextPool: Sendable {
    enum Purpose: Sendable {
        /// AES-GCM under the key itself.
        case seal, open
        /// AES under the key of XAES, and AES-GCM under the keys that it derives.
        case derivation, derivedSeal, derivedOpen

        var seals: Bool { self == .seal || self == .derivedSeal }
    }

    /// `@unchecked Sendable`: it is in the pool or with the one caller that took it, never with two.
    final class Element: @unchecked Sendable {
        let purpose: Purpose
        let context: CipherContext

        init(_ purpose: Purpose, _ context: consuming CipherContext) {
            self.purpose = purpose
            self.context = context
        }
    }

    /// As many as threads that a server has at work; those past it are made and freed each time.
    private static let capacity = 64
    private let idle = Mutex<[Element]>([])

    func take(_ purpose: Purpose) -> Element? {
        idle.withLock { idle in
            guard let index = idle.lastIndex(where: { $0.purpose == purpose }) else { return nil }
            idle.swapAt(index, idle.count - 1)
            return idle.popLast()
        }
    }

    /// For a context whose operation succeeded. Any other is dropped instead, and wiped and freed with that.
    func giveBack(_ element: Element) {
        idle.withLock { idle in
            if idle.count < Self.capacity { idle.append(element) }
        }
    }
}
