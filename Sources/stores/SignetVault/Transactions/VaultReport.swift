// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The scope and the findings of a verification.
public struct VaultReport: Sendable, Hashable {
    /// A piece of damage.
    public struct Finding: Sendable, Hashable {
        /// The place: `head`, `slot`, `ring`, `state`, `bucket`, `item`, `value`, `schema`,
        /// `database`.
        public let place: String
        /// The place's identifier in hexadecimal digits; empty for a place that exists once.
        public let identifier: String
        /// The item, if its names can be read. They are as secret as in the vault.
        public let item: ItemKey?
        /// The problem, in one sentence without any content.
        public let problem: String

        package init(place: String, identifier: String, item: ItemKey? = nil, problem: String) {
            self.item = item
            self.place = place
            self.identifier = identifier
            self.problem = problem
        }
    }

    /// Items whose metadata was opened.
    public internal(set) var itemCount = 0
    /// Values that were opened.
    public internal(set) var valueCount = 0
    /// Bytes of ciphertext that were authenticated.
    public internal(set) var byteCount = 0
    /// Key slots in the file.
    public internal(set) var slotCount = 0
    /// Data keys in the ring; more than one while a rotation is not finished.
    public internal(set) var dataKeyCount = 0
    /// The vault's generation.
    public internal(set) var generation: UInt64 = 0
    /// Damage, at most 1,000 pieces.
    public internal(set) var findings: [Finding] = []
    /// Whether nothing was found.
    public var isClean: Bool { findings.isEmpty }
}
