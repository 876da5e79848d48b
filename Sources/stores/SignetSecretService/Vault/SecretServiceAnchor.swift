// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetMemory
public import SignetVault

/// Remembers the generation of vaults in the desktop's keyring, to detect an older copy of a
/// vault's whole file. A generation is a number that each write to the vault raises: a file that is
/// behind the remembered number is an older copy. Pass it to a vault:
/// `options.anchor = try SecretServiceAnchor()`.
///
/// It stops an attacker who can restore files but cannot write to the unlocked keyring. It does
/// **not** stop an attacker who can do both. A vault with this anchor needs the keyring unlocked.
/// Each transaction waits for two messages that write: some milliseconds with gnome-keyring, longer
/// for a larger keyring.
///
/// Each generation is stored as a new item of the keyring, a *note*, before notes of lower
/// generations are removed, so concurrent processes never lower the number. The highest counts.
public struct SecretServiceAnchor: RollbackAnchor {
    // A note has
    //     secret             "signet1a:" and base64url of the generation, 8 bytes, big-endian
    // and the attributes
    //     signet:generation  the same number in decimal digits
    //     signet:vault       the vault's id in hexadecimal digits
    private static let prefix: StaticString = "signet1a:"
    private static let generationName = "signet:generation"

    private let call: KeyringCall
    private let label: String

    /// Makes an anchor in a collection. It does not contact the service yet.
    ///
    /// - Parameters:
    ///   - collection: the alias; see ``SecretServiceOptions/collection``. `session` forgets with
    ///     the daemon.
    ///   - label: the label in keyring programs, at most 1,024 octets.
    ///   - deadlineSeconds: 1 to 600, for each call.
    /// - Throws: `invalidParameter`.
    public init(
        collection: String = "default", label: String = "Signet vault: generation",
        deadlineSeconds: Int = 10
    ) throws(StoreError) {
        try Keyring.check(alias: collection, deadlineSeconds: deadlineSeconds, promptSeconds: 1)
        try Keyring.check(label: label)
        call = KeyringCall(alias: collection, deadlineSeconds: deadlineSeconds)
        self.label = label
    }

    /// The last noted generation; nil if there is none and nothing is locked.
    ///
    /// - Throws: `locked`, `corrupt`, `timedOut`, `unavailable`.
    public func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64? {
        let attributes = Self.attributes(id)
        return try call.performBlocking { (keyring) throws(StoreError) -> UInt64? in
            try keyring.requireUnlocked()
            let noted = try Self.findNotes(attributes, in: keyring)
            // Throws if a note may be in a locked keyring.
            if noted.isEmpty { try keyring.requireAbsence() }
            return noted.map(\.generation).max()
        }
    }

    /// Notes a generation, unless a higher generation is noted.
    public func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        try note(generation, for: id, replacing: { $0 < generation })
    }

    /// Notes a generation, even if a higher generation is noted, which is removed afterwards.
    public func lower(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        try note(generation, for: id, replacing: { $0 != generation })
    }

    /// Notes a generation, and then removes the notes that it replaces. If there is a note that it
    /// does not replace, the generation is not noted.
    ///
    /// - Parameter isReplaced: whether a noted generation gives way to the new one.
    private func note(
        _ generation: UInt64, for id: [UInt8],
        replacing isReplaced: @escaping @Sendable (UInt64) -> Bool
    ) throws(StoreError) {
        let attributes = Self.attributes(id)
        let label = label
        try call.performBlocking(writes: true) { (keyring) throws(StoreError) in
            try keyring.requireUnlocked()
            let noted = try Self.findNotes(attributes, in: keyring)
            if noted.allSatisfy({ isReplaced($0.generation) }) {
                var attributesOfNote = attributes
                attributesOfNote[Self.generationName] = String(generation)
                var octets: [UInt8] = []
                octets.appendBigEndian(generation)
                try keyring.store(
                    SecretText.encode(octets.span, prefix: Self.prefix),
                    attributes: attributesOfNote, label: label,
                    in: try keyring.unlockedCollection())
            }
            for old in noted where isReplaced(old.generation) {
                _ = try keyring.delete(old.object)
            }
        }
    }

    /// The items that note a generation of this vault, with their generations.
    private static func findNotes(
        _ attributes: [String: String], in keyring: Keyring
    ) throws(StoreError) -> [(object: ServiceItem, generation: UInt64)] {
        var noted: [(object: ServiceItem, generation: UInt64)] = []
        for item in try keyring.search(attributes, loadingSecrets: true) {
            guard let secret = item.secret else {
                throw keyring.lockedError(for: [item])
            }
            let generation: UInt64? = SecretText.decode(secret, prefix: prefix)?.withBytes {
                bytes in
                var cursor = ByteCursor(bytes)
                let value = cursor.integer(UInt64.self, in: bytes)
                return cursor.isAtEnd ? value : nil
            }
            guard let generation, item.attribute(generationName) == String(generation) else {
                throw .damagedItem("a vault's generation is not a number")
            }
            noted.append((item, generation))
        }
        return noted
    }

    private static func attributes(_ vault: [UInt8]) -> [String: String] {
        [
            StoreIdentity.marker: "1", StoreIdentity.kindName: "anchor",
            "signet:vault": vault.hexadecimal,
        ]
    }
}
