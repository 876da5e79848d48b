// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import AuthServer
internal import SignetVault

/// Opens the two files, and says what to change where that does not go.
enum Opening {
    static func vault(_ path: String, _ key: VaultKey) throws -> SigningKeyVault {
        do throws(StoreError) {
            return try SigningKeyVault.open(path: path, key: key)
        } catch {
            throw AuthServerCommand.fail("the vault \(path) (opened by \(key)): \(error.message)")
        }
    }

    static func store(_ path: String) throws -> SQLiteAccountStore {
        do throws(AccountStoreError) {
            return try SQLiteAccountStore(path: path)
        } catch {
            throw AuthServerCommand.fail(
                "the database \(path) cannot be opened (\(error.code)): look whether its folder is there and may be written."
            )
        }
    }
}
