// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// How long keys are kept and how much a refresh may cost. The defaults are the recommended values.
public struct KeySetOptions: Sendable {
    /// The algorithms whose keys are loaded. Keys of others are skipped.
    public var algorithms: [SignatureAlgorithm] = [.rs256]
    /// Told what happens, on whatever thread it happens; must be quick.
    public var onEvent: @Sendable (KeySetEvent) -> Void = { _ in }

    /// The recommended values.
    public init() {}
}
