// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

/// A message in the database, which ``OneTimeCodes`` and ``AccountNotices`` put there, and
/// ``Outbox`` takes out. It is sealed. A message for an unknown destination has the same length,
/// and is not sent.
///
/// The sealed text has the fields of ``Field``. A code has four of them, a notice five and a code
/// with a link six, so that a server of a version without notices or links leaves such a row to a
/// newer server.
struct OutboxRow: Sendable {
    /// The places of the fields. Each field is a length of 2 bytes, big-endian, and as many bytes.
    private enum Field {
        /// 1 if the message goes out, 0 if not.
        static let isSent = 0
        static let destination = 1
        /// The purpose of a code, or the change that a notice tells of.
        static let kind = 2
        /// The code; empty in a notice.
        static let code = 3
        /// Only in a notice: 1 if it stands for further changes, 0 if not.
        static let standsForOthers = 4
        /// Only in a code with a link, after an empty field.
        static let link = 5
    }

    enum Content: Sendable {
        case code(CodeMessage)
        case notice(NoticeMessage)
    }

    let content: Content
    /// Whether the message goes out: false for an unknown destination.
    let isSent: Bool

    init(message: CodeMessage, isSent: Bool) {
        content = .code(message)
        self.isSent = isSent
    }

    init(notice: NoticeMessage) {
        content = .notice(notice)
        isSent = true
    }

    /// Puts the message into the outbox under a key, where it replaces an older unsent message.
    func insert(
        key: [UInt8], lifetime: Duration, secret: AccountSecret,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let (id, sealed) = try sealedFields(under: key, secret: secret)
        try await transaction.run(
            Self.insertStatement,
            values: [.bytes(key), .bytes(id), .bytes(sealed), .integer(lifetime.milliseconds)])
    }

    /// Puts the message into the outbox for later. It replaces a message that waits under the key,
    /// and keeps that message's time to be sent.
    func insert(
        key: [UInt8], after wait: Duration, lifetime: Duration, secret: AccountSecret,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let (id, sealed) = try sealedFields(under: key, secret: secret)
        try await transaction.run(
            Self.insertLater,
            values: [
                .bytes(key), .bytes(id), .bytes(sealed), .integer(wait.milliseconds),
                .integer((wait + lifetime).milliseconds),
            ])
    }

    /// The message's name, and its sealed fields.
    private func sealedFields(
        under key: [UInt8], secret: AccountSecret
    ) throws(AccountError) -> (id: [UInt8], sealed: [UInt8]) {
        let id: String
        var fields: [[UInt8]]
        switch content {
        case .code(let message):
            id = message.id
            fields = [
                [isSent ? 1 : 0], message.destination.bytes, message.purpose.bytes,
                Array(message.code.exposedText.utf8),
            ]
            if let link = message.link { fields += [[], Array(link.utf8)] }
        case .notice(let notice):
            id = notice.id
            fields = [
                [1], notice.destination.bytes, Array(notice.change.name.utf8), [],
                [notice.standsForOthers ? 1 : 0],
            ]
        }
        let name = Array(id.utf8)
        // Each field is shorter than 65,536 bytes: addresses, numbers and names in the source.
        let plain = fields.flatMap { field in
            [UInt8(truncatingIfNeeded: field.count >> 8), UInt8(truncatingIfNeeded: field.count)]
                + field
        }
        return (name, try secret.seal(plain, label: "outbox", bound: [key, name]))
    }

    /// Reads a stored message.
    ///
    /// - Throws: `corrupt` if it was changed, or sealed under an unknown key.
    init(key: [UInt8], id: [UInt8], sealed: [UInt8], secret: AccountSecret) throws(AccountError) {
        let fields = Self.fields(in: try secret.open(sealed, label: "outbox", bound: [key, id]))
        guard fields.count >= 4,
            let destination = CodeDestination(bytes: fields[Field.destination])
        else { throw Self.unknownVersion }
        isSent = fields[Field.isSent].first == 1
        let name = String(decoding: id, as: UTF8.self)
        let kind = String(decoding: fields[Field.kind], as: UTF8.self)
        switch fields.count {
        case 4, 6:
            let digits = String(decoding: fields[Field.code], as: UTF8.self)
            guard let code = try? OneTimeCode(digits, digitCount: fields[Field.code].count) else {
                throw Self.unknownVersion
            }
            let link =
                fields.count > Field.link
                ? String(decoding: fields[Field.link], as: UTF8.self) : nil
            content = .code(
                CodeMessage(
                    id: name, destination: destination, purpose: CodePurpose(name: kind),
                    code: code, link: link))
        case 5:
            content = .notice(
                NoticeMessage(
                    id: name, destination: destination, change: AccountChange(name: kind),
                    standsForOthers: fields[Field.standsForOthers].first == 1))
        default: throw Self.unknownVersion
        }
    }

    private static func fields(in plain: [UInt8]) -> [ArraySlice<UInt8>] {
        var fields: [ArraySlice<UInt8>] = []
        var rest = plain[...]
        while let high = rest.popFirst(), let low = rest.popFirst() {
            let count = Int(high) << 8 | Int(low)
            fields.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return fields
    }

    private static var unknownVersion: AccountError {
        AccountError(.corrupt, "A message in the outbox has an unknown version.")
    }

    // `{now}` is the database's clock in milliseconds.
    private static let insertStatement: SQLStatement = """
        INSERT INTO signet_outbox (key, message, sealed, due_at, ends_at, tries)
        VALUES ($1, $2, $3, {now}, {now} + $4, 0)
        ON CONFLICT (key) DO UPDATE SET
            message = $2, sealed = $3, due_at = {now}, ends_at = {now} + $4, tries = 0
        """
    private static let insertLater: SQLStatement = """
        INSERT INTO signet_outbox (key, message, sealed, due_at, ends_at, tries)
        VALUES ($1, $2, $3, {now} + $4, {now} + $5, 0)
        ON CONFLICT (key) DO UPDATE SET message = $2, sealed = $3, ends_at = {now} + $5
        """
}
