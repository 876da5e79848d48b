// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What happened to a ``RemoteKeySet``, for logs and metrics. It holds no secret.
public struct KeySetEvent: Sendable {
    /// The issuer whose keys it is about.
    public let issuer: String
}
