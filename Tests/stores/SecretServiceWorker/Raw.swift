// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SecretServiceBridge
import SignetCrypto
import SignetSecretService
import SignetVault

/// What other programs do: items stored and read without the store.
enum Raw {
    struct Item: Sendable, Equatable {
        let path: String
        let label: String
        let text: [UInt8]
        let isLocked: Bool
        let attributes: [String: String]
    }

    static let names = [
        "app", "signet:v", "signet:application", "signet:collection", "signet:kind", "signet:key",
        "signet:id",
        "signet:group", "service", "account", "class", "access-group",
    ]

    static func store(
        _ text: [UInt8], _ attributes: [String: String], label: String = "foreign",
        alias: String = "login",
        schema: String = "org.example.Other"
    ) async throws {
        let secret = SecretKey(copying: text)
        try await run { (connection) throws(SecretServiceFailure) in
            guard let collection = try connection.collection(alias: alias) else {
                throw SecretServiceFailure(.noCollection, operation: "raw")
            }
            try connection.store(
                secret.storage, attributes: attributes, label: label, schema: schema,
                collection: collection.path)
        }
    }

    static func search(_ attributes: [String: String]) async throws -> [Item] {
        try await run { (connection) throws(SecretServiceFailure) in
            try connection.search(attributes, loadingSecrets: true).map { item in
                var found: [String: String] = [:]
                for name in names { found[name] = item.attribute(name) }
                return Item(
                    path: item.path, label: item.label,
                    text: item.secret.map { secret in
                        SecretKey(storage: secret).withExposedBytes { bytes in
                            bytes.indices.map { bytes[$0] }
                        }
                    } ?? [],
                    isLocked: item.isLocked, attributes: found)
            }
        }
    }

    static func delete(_ attributes: [String: String]) async throws {
        try await run { (connection) throws(SecretServiceFailure) in
            for item in try connection.search(attributes, loadingSecrets: false) {
                _ = try connection.delete(item)
            }
        }
    }

    static func run<R: Sendable>(
        _ body: @escaping @Sendable (KeyringConnection) throws(SecretServiceFailure) -> R
    ) async throws -> R {
        let result = await ServiceThread.shared.run(milliseconds: 600_000) { connection in
            Result { () throws(SecretServiceFailure) in try body(connection) }
        }
        return try result.get().get()
    }
}

/// Stores as the scenarios want them.
func makeStore(
    _ alias: String = "login", application: String = "org.example.signet-test",
    _ change: (inout SecretServiceOptions) -> Void = { _ in }
) throws -> SecretServiceStore {
    var options = SecretServiceOptions(application: application)
    options.collection = alias
    // A busy machine is not the keyring's fault.
    options.deadlineSeconds = 600
    change(&options)
    return try SecretServiceStore(options)
}
