// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetVault

/// Where signing keys are kept, for one instance or for all. They are read and written in one
/// transaction, so that only one of several instances makes a key, and all have it.
public struct KeyRingPlace: Sendable {
    /// Receives the kept value (nil for nothing yet), and returns the value to keep (nil for no
    /// change).
    typealias Change = @Sendable (SecretValue?) throws(AccountError) -> SecretValue?

    let change: @Sendable (_ work: @escaping Change) async throws(AccountError) -> Void

    /// A file vault, for instances on one machine.
    public static func vault(_ vault: FileVault, service: String) -> KeyRingPlace {
        let item = ItemKey.key(service: service, name: "signing-keys")
        return KeyRingPlace { (work) async throws(AccountError) in
            do {
                try await vault.write { writer in
                    if let changed = try work(try writer.get(item)) {
                        try writer.set(changed, for: item)
                    }
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
        KeyRingPlace { (work) async throws(AccountError) in
            try await database.transaction { (transaction) throws(AccountError) in
                try await changeRow(name, by: work, secret: secret, in: transaction)
            }
        }
    }

    /// Opens the row's keys, lets `work` change them, and seals what it returns.
    private static func changeRow(
        _ name: String, by work: Change, secret: AccountSecret,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let bound = [Array(name.utf8)]
        // The statement writes, so that no other transaction reads the row before this one ends.
        let row = try await transaction.run(lockRow, values: [.text(name)]).first
        var kept: SecretValue?
        if let row, !row.isNull(0) {
            var opened = try secret.open(try row.bytes(0), label: "signing keys", bound: bound)
            defer { SecretBytes.wipe(&opened) }
            kept = SecretValue(bytes: opened)
        }
        guard let changed = try work(kept) else { return }
        var plaintext = changed.withExposedBytes { bytes in bytes.indices.map { bytes[$0] } }
        defer { SecretBytes.wipe(&plaintext) }
        let sealed = try secret.seal(plaintext, label: "signing keys", bound: bound)
        try await transaction.run(storeKeys, values: [.bytes(sealed), .text(name)])
    }

    private static let lockRow: SQLStatement = """
        INSERT INTO signet_signing_keys (name) VALUES ($1)
        ON CONFLICT (name) DO UPDATE SET name = $1 RETURNING sealed
        """
    private static let storeKeys: SQLStatement =
        "UPDATE signet_signing_keys SET sealed = $1 WHERE name = $2"

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
