// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// The room in a vault for a sign-in's settings and session, taken before the person is sent to the
/// server: a disk that is full, a folder that is read-only or a vault that is busy is then found
/// out before a server has given anything.
struct SessionRoom {
    /// The longest session: two tokens and a profile, and what is around them; and its settings.
    private static let byteCount =
        2 * AccessToken.maximumByteCount + SessionGrant.maximumProfileByteCount + 8_192

    let vault: SessionsVault

    /// Writes an item of that size, under a name that is no account's, and makes room for a second
    /// item.
    ///
    /// - Parameter account: the account of the sign-in; taking its lock must be possible, too.
    func reserve(for account: String) async throws(LoginError) {
        let item = NewItem(
            key: Self.key, value: SecretValue(bytes: [UInt8](repeating: 0, count: Self.byteCount)))
        do {
            try await vault.store.withExclusiveAccess(
                to: KeptAccount.key(account), within: KeptAccount.lockTimeout
            ) {}
            _ = try await vault.store.put([item])
            try await vault.store.reserveRoom(forValueByteCount: Self.byteCount)
        } catch {
            // The first item may be there without room for the second one.
            await release()
            guard let error = error as? StoreError else { throw LoginError(thrown: error) }
            throw LoginError(error, in: vault.place)
        }
    }

    /// Removes the item, even if the task is cancelled. If that fails, the next sign-in does it.
    func release() async {
        await Task { [vault] in _ = try? await vault.store.remove(Self.key) }.value
    }

    private static let key = ItemKey(service: "signet login room", account: "")
}
