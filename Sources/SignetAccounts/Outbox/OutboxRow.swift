// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

/// A message in the database: sealed, and of the same length for an unknown destination, to which
/// it is not sent.
struct OutboxRow: Sendable {
    let message: CodeMessage
    let isSent: Bool

    init(message: CodeMessage, isSent: Bool) { (self.message, self.isSent) = (message, isSent) }

    /// Puts it into the outbox, under its code's key: it replaces an older unsent message.
    func insert(
        key: [UInt8], lifetime: Duration, secret: AccountSecret,
        _ transaction: any AccountTransaction
    ) async throws(AccountError) {
        let id = Array(message.id.utf8)
        let fields = [
            [isSent ? 1 : 0], message.destination.bytes, message.purpose.bytes,
            Array(message.code.exposedText.utf8),
        ]
        // Each field is shorter than 65,536 bytes: addresses, numbers and names in the source.
        let plain = fields.flatMap { field in
            [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)]
                + field
        }
        try await transaction.run(
            Self.insert,
            [
                .bytes(key), .bytes(id),
                .bytes(try secret.seal(plain, "outbox", bound: [key, id])),
                .integer(lifetime.wholeMilliseconds),
            ])
    }

    /// Reads a stored message.
    ///
    /// - Throws: `corrupt` if it was changed, or sealed under another key.
    init(
        key: [UInt8], id: [UInt8], sealed: [UInt8], secret: AccountSecret
    ) throws(AccountError) {
        let plain = try secret.open(sealed, "outbox", bound: [key, id])
        var (rest, fields) = (plain[...], [ArraySlice<UInt8>]())
        while let high = rest.popFirst(), let low = rest.popFirst() {
            fields.append(rest.prefix(Int(high) << 8 | Int(low)))
            rest = rest.dropFirst(Int(high) << 8 | Int(low))
        }
        guard fields.count == 4, let destination = CodeDestination(bytes: fields[1]),
            let code = try? OneTimeCode(
                String(decoding: fields[3], as: UTF8.self), digitCount: fields[3].count)
        else { throw AccountError(.corrupt, "A message in the outbox has an unknown version.") }
        isSent = fields[0].first == 1
        message = CodeMessage(
            id: String(decoding: id, as: UTF8.self), destination: destination,
            purpose: CodePurpose(name: String(decoding: fields[2], as: UTF8.self)), code: code)
    }

    private static let insert: SQLStatement = """
        INSERT INTO signet_outbox (key, message, sealed, due_at, ends_at, tries)
        VALUES ($1, $2, $3, {now}, {now} + $4, 0)
        ON CONFLICT (key) DO UPDATE SET
            message = $2, sealed = $3, due_at = {now}, ends_at = {now} + $4, tries = 0
        """
}
