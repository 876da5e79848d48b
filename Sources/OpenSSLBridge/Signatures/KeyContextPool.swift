// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Contexts of one key that are ready and that nobody uses. Making one takes libcrypto a dozen allocations, which a
/// signature check of RSA notices.
final class KeyContextPool: Sendable {
    /// `@unchecked Sendable`: it is in the pool or with the one caller that took it, never with two.
    final class Element: @unchecked Sendable {
        let context: KeyContext

        init(owning pointer: OpaquePointer?) throws(OpenSSLFailure) {
            context = try unsafe KeyContext(owning: pointer, "EVP_PKEY_CTX_dup")
        }
    }

    /// As many as threads that a server has at work; those past it are made and freed each time.
    private static let capacity = 32
    private let idle = Locked<[Element]>([])

    func take() -> Element? { idle.withLock { $0.popLast() } }

    func giveBack(_ element: Element) {
        idle.withLock { idle in
            if idle.count < Self.capacity { idle.append(element) }
        }
    }
}
