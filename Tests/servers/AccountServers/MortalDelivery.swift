// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetSignIn
import TestSupport

/// An outbox that is emptied through a provider, by a process that is killed (SIGKILL) at one of its
/// steps: before and after each transaction and each of its statements, before the provider takes a
/// message, and before its answer arrives.
package struct MortalDelivery {
    /// How the messages go to the provider.
    package enum Way: String, CaseIterable, Sendable { case twilio, webhook }

    private let outbox: Outbox

    /// - Parameters:
    ///   - way: the sender.
    ///   - database: where the messages wait.
    ///   - file: what the provider has taken, a message a line.
    ///   - lastStep: the step at which the process ends; nil to live.
    package init(
        _ way: Way, _ database: any AccountDatabase, file: String, lastStep: Int? = nil
    ) throws {
        let steps = Steps(last: lastStep)
        let provider = FileProvider(path: file, steps: steps)
        outbox = try Outbox(
            MortalDatabase(inner: database, steps: steps), secret: Self.secret(),
            sender: Self.sender(way, provider), concurrentSendCount: 1)
    }

    /// Delivers what is due.
    package func run() async throws { try await outbox.deliver() }

    package static func secret() throws -> AccountSecret {
        try AccountSecret(SecretKey(copying: [UInt8](repeating: 9, count: 32)))
    }

    private static func sender(
        _ way: Way, _ provider: FileProvider
    ) throws -> any MessageSender {
        switch way {
        case .twilio:
            try TwilioMessageSender(
                account: "AC00112233445566778899aabbccddeeff",
                secret: SecretBytes(copying: "secret".utf8), from: "+15005550006",
                transport: provider
            ) { message throws(AccountError) in message.code.exposedText }
        case .webhook:
            try WebhookMessageSender(
                EndpointURL("https://messages.example"),
                secrets: [
                    WebhookSecret(
                        SecretBytes(
                            copying: "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=".utf8))
                ], clock: .still, transport: provider)
        }
    }
}

extension SQLDialect {
    /// SQLite's, with a clock that stands still.
    ///
    /// - Parameter time: milliseconds since 1970.
    package static func sqlite(at time: Int64) -> SQLDialect {
        var dialect = SQLDialect(now: "\(time)", bytes: "BLOB", integer: "INTEGER")
        dialect.strict = "STRICT"
        dialect.parameterPrefix = "?"
        return dialect
    }
}

/// The steps of a process, at the last of which it kills itself.
private final class Steps: Sendable {
    private let last: Int?
    private let count = Locked(0)

    init(last: Int?) { self.last = last }

    func pass() {
        let count = count.withLock { count in
            count += 1
            return count
        }
        if count == last { kill(getpid(), SIGKILL) }
    }
}

/// A provider of any kind, which takes each message.
private struct FileProvider: IdentityTransport {
    let path: String
    let steps: Steps

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        steps.pass()
        // The name, where the provider gets one. A form and JSON have no line breaks.
        let names = request.fields.filter { $0.name == "webhook-id" }.map(\.value)
        let line = names.map { Array($0.utf8) } + [request.body?.bytes ?? [], [0x0a]]
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(line.joined()))
            try file.close()
        } catch { throw TransportFailure(.unreachable, "The provider's file is away.") }
        steps.pass()
        return TransportResponse(status: 201, body: Array("{}".utf8))
    }
}

/// A database whose user may end at each step.
private struct MortalDatabase: AccountDatabase {
    let inner: any AccountDatabase
    let steps: Steps

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        steps.pass()
        let value = try await inner.transaction { (transaction) throws(AccountError) in
            try await work(MortalTransaction(inner: transaction, steps: steps))
        }
        steps.pass()
        return value
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await transaction(work)
    }
}

private struct MortalTransaction: AccountTransaction {
    let inner: any AccountTransaction
    let steps: Steps

    func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) -> [SQLRow] {
        let rows = try await inner.run(statement, values: values)
        steps.pass()
        return rows
    }
}
