// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What an item says about itself beside its key and its value. Sealed like the value, in a place of its own, so that listing
/// never reads values.
public struct ItemDetails: Hashable, Sendable {
    /// A name for a person, at most 1024 octets.
    public var label: String
    /// A remark, at most 4096 octets.
    public var comment: String
    /// At most 64, names of 1 to 128 octets, values of at most 4096.
    public var attributes: [String: String]

    /// Details from their parts.
    public init(label: String = "", comment: String = "", attributes: [String: String] = [:]) {
        self.label = label
        self.comment = comment
        self.attributes = attributes
    }
}
