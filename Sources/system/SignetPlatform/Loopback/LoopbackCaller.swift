// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The user whose program is at the other end of a connection to a ``LoopbackListener``.
package enum LoopbackCaller: Sendable, Equatable {
    /// This user's, or root's, which could read this process anyway.
    case own
    /// Another user's, by number.
    case other(UInt32)
    /// The system does not say: a program of another network namespace, a sandbox that shows root
    /// and others under one number, or no source to ask.
    case unknown

    /// - Parameter user: the owner of the caller's socket.
    package init(user: UInt32) {
        switch user {
        case 0, geteuid(): self = .own
        case _ where PrivatePlace.mayOwnFoldersAbove(user): self = .unknown
        default: self = .other(user)
        }
    }

    /// How many open connections callers of this kind may have together. Only connections of the
    /// same kind make room for new connections, so another user's connections close none of this
    /// user's.
    var maximumConnectionCount: Int {
        if case .other = self { 8 } else { 32 }
    }

    /// Whether connections of the two count together.
    func shares(with other: LoopbackCaller) -> Bool {
        switch (self, other) {
        case (.own, .own), (.unknown, .unknown), (.other, .other): true
        default: false
        }
    }
}
