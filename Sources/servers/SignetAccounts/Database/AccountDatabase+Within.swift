// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A public call takes a transaction of the caller, or opens its own.
extension AccountDatabase {
    /// Runs `work` in the given transaction, or in one of its own.
    func within<Value: Sendable>(
        _ transaction: (any AccountTransaction)?,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        guard let transaction else { return try await self.transaction(work) }
        return try await work(transaction)
    }

    /// Runs `work`, which only reads, in the given transaction, or in a read of its own.
    func reading<Value: Sendable>(
        within transaction: (any AccountTransaction)?,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        guard let transaction else { return try await read(work) }
        return try await work(transaction)
    }
}
