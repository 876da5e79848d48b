// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Clients that have shown a second factor. A sign-in alone does not make one: a thief of the
// password would have tries of a code with each of them. Nor does another factor of the user, which
// a thief may have had before. And only the secret counts: strangers may share the address.
extension KnownClients {
    /// Remembers a client for 30 days, after the right code of a second factor.
    ///
    /// - Parameters:
    ///   - device: the secret that the client showed; nil for a new one.
    ///   - factorID: the factor.
    ///   - user: the user whose factor it was; deleting the user forgets the client.
    ///   - transaction: the transaction that uses the code up.
    /// - Returns: the secret for the client to keep.
    /// - Throws: `conflict` if the user does not exist; the database's errors.
    package func remember(
        device: DeviceSecret?, afterFactor factorID: String, of user: String,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> DeviceSecret {
        let secretToKeep = if let device { device } else { try DeviceSecret() }
        try await transaction.run(
            Self.rememberStatement,
            values: [
                .bytes(try rowKey(of: secretToKeep, afterFactor: factorID, of: user)),
                .text(user), .integer(Self.lifetime),
            ])
        return secretToKeep
    }

    /// The client, if it has shown this factor in the last 30 days; nil if not.
    package func find(
        device: DeviceSecret?, afterFactor factorID: String, of user: String,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Client? {
        guard let device else { return nil }
        let key = try rowKey(of: device, afterFactor: factorID, of: user)
        let rows = try await transaction.run(
            Self.findStatement, values: [.bytes(key), .bytes(key), .integer(Self.lifetime)])
        return rows.isEmpty ? nil : Client(key: key, isDevice: true)
    }

    private func rowKey(
        of device: DeviceSecret, afterFactor factorID: String, of user: String
    ) throws(AccountError) -> [UInt8] {
        try secret.code(
            "known client",
            over: [[3], device.bytes, Array(user.utf8), Array(factorID.utf8)])
    }
}
