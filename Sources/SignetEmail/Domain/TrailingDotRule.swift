// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What one dot at the end of a domain is.
public enum TrailingDotRule: Sendable, Hashable {
    /// Refused: RFC 5321 does not have it.
    case strict
    /// Taken away: in the DNS it says that the name is complete.
    case dns
}
