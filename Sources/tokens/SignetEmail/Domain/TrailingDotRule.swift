// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How to treat a trailing dot of a domain.
public enum TrailingDotRule: Sendable, Hashable {
    /// Rejected: RFC 5321 does not allow it.
    case strict
    /// Removed: in the DNS it marks a complete name.
    case dns
}
