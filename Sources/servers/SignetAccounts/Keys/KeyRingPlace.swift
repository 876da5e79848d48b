// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetVault

/// Where the key ring of ``SigningKeys`` is kept, for one instance of a server or for all: the keys
/// as JSON (`KeyRingState`), in a file vault or a row of the database.
///
///     let place = KeyRingPlace.database(accounts, secret: secret)
///     let keys = try await SigningKeys.open(in: place)
///
/// They are read and written in one transaction, so that only one of several instances makes a key,
/// and all have it.
public struct KeyRingPlace: Sendable {
    /// Receives the kept keys (nil for none yet), and returns the keys to keep (nil: as they were).
    typealias Edit = @Sendable (SecretValue?) throws(AccountError) -> SecretValue?

    /// Reads the keys, passes them to `edit`, and writes its result, in one transaction. If the
    /// transaction is repeated, so is `edit`.
    let update: @Sendable (_ edit: @escaping Edit) async throws(AccountError) -> Void

    /// A file vault, for instances on one machine.
    public static func vault(_ vault: FileVault, service: String) -> KeyRingPlace {
        let item = ItemKey.key(service: service, name: "signing-keys")
        return KeyRingPlace { (edit) async throws(AccountError) in
            do {
                try await vault.write { writer in
                    let kept = try writer.get(item)
                    if let edited = try edit(kept) { try writer.set(edited, for: item) }
                }
            } catch let error as AccountError {
                throw error
            } catch let error as StoreError {
                throw AccountError(
                    error.kind == .corrupt ? .corrupt : .unavailable,
                    underlying: error, "The vault of the signing keys: \(messageOf: error)")
            } catch {
                throw AccountError(
                    .unavailable, underlying: error, "The vault of the signing keys failed.")
            }
        }
    }

    /// A database that all instances share. The keys are sealed under the application's secret,
    /// which a copy of the database lacks.
    public static func database(
        _ database: any AccountDatabase, secret: AccountSecret, name: String = "sessions"
    ) -> KeyRingPlace {
        KeyRingPlace { (edit) async throws(AccountError) in
            try await database.transaction { (transaction) throws(AccountError) in
                try await updateRow(name, by: edit, secret: secret, in: transaction)
            }
        }
    }

    /// Opens the row's keys, lets `edit` change them, and seals what it returns.
    private static func updateRow(
        _ name: String, by edit: Edit, secret: AccountSecret,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        // Sealed keys open only in the row of this name.
        let bound = [Array(name.utf8)]
        // The statement writes, so that no other transaction reads the row before this one ends.
        let row = try await transaction.run(lockRow, values: [.text(name)]).first
        var kept: SecretValue?
        if let row, !row.isNull(0) {
            var opened = try secret.open(try row.bytes(0), label: "signing keys", bound: bound)
            defer { SecretBytes.wipe(&opened) }
            kept = SecretValue(bytes: opened)
        }
        guard let edited = try edit(kept) else { return }
        var plaintext = edited.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
        defer { SecretBytes.wipe(&plaintext) }
        let sealed = try secret.seal(plaintext, label: "signing keys", bound: bound)
        try await transaction.run(storeKeys, values: [.bytes(sealed), .text(name)])
    }

    /// Adds the row if it is missing; else writes its name again, which locks it.
    private static let lockRow: SQLStatement = """
        INSERT INTO signet_signing_keys (name) VALUES ($1)
        ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING sealed
        """
    private static let storeKeys: SQLStatement =
        "UPDATE signet_signing_keys SET sealed = $1 WHERE name = $2"

    /// Makes the table (``AccountSchema``). Each database has its own text for `{bytes}` and
    /// `{strict}`: BLOB and STRICT in SQLite.
    static let steps = [
        SchemaStep(
            "keys.1",
            statements: [
                """
                CREATE TABLE signet_signing_keys (
                    name TEXT NOT NULL PRIMARY KEY, sealed {bytes}) {strict}
                """
            ])
    ]
}
