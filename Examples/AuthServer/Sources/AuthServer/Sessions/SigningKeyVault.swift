// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
package import SignetIdentity
internal import SignetJOSE
package import SignetVault

/// Keeps the ring of signing keys, and the key of the log's tags, sealed in a file vault.
package struct SigningKeyVault: Sendable {
    private static let ringKey = ItemKey.key(service: "auth-server", name: "session-keys")
    private static let tagKey = ItemKey.key(service: "auth-server", name: "log-tag")

    private let vault: FileVault

    /// Opens the vault; makes it at the first start, with its key file where that is how it is opened.
    ///
    /// - Throws: what keeps it from opening. Only "there is no such file" makes a new one: a vault that is locked, damaged or not
    ///   readable is an error, never an empty one.
    package static func open(path: String, key: VaultKey) throws(StoreError) -> SigningKeyVault {
        if case .file(let keyPath) = key, !FileManager.default.fileExists(atPath: path),
            !FileManager.default.fileExists(atPath: keyPath)
        {
            try Self.makeKeyFile(keyPath)
        }
        return SigningKeyVault(vault: try FileVault.openOrCreate(at: path, with: key.method))
    }

    private static func makeKeyFile(_ path: String) throws(StoreError) {
        do throws(StoreError) {
            _ = try KeyFileUnlock.create(at: path)
        } catch {
            // Another process was faster, and its key is a good one.
            guard error.code == .alreadyExists else { throw error }
        }
    }

    /// The ring, made at the first start. Whoever only reads writes nothing.
    package func ring() throws -> SessionKeyRing {
        if let value = try vault.read({ try $0.get(Self.ringKey) }) {
            return try Self.ring(of: value)
        }
        // Of two servers that start at a time, one makes it and both have it.
        return try vault.write { writer in
            if let value = try writer.get(Self.ringKey) { return try Self.ring(of: value) }
            let ring = try SessionKeyRing(SigningKey.generate(.es256))
            try writer.set(Self.value(of: ring), for: Self.ringKey)
            return ring
        }
    }

    /// The ring as it is in the vault now, for a server that runs: it waits for the disk on the vault's own queue.
    func reread() async throws -> SessionKeyRing {
        guard let value = try await vault.get(Self.ringKey) else {
            throw StoreError(.corrupt, "The vault has no signing keys any more.")
        }
        return try Self.ring(of: value)
    }

    /// Makes a new signing key. The one before goes on verifying until the last of its tokens has ended, so that nobody is logged out.
    @discardableResult
    package func rotate(clock: TimeSource = .system) throws -> SessionKeyRing {
        try vault.write { writer in
            let next: SessionKeyRing
            if let old = try writer.get(Self.ringKey) {
                let now = clock.now()
                // A running server may sign with the old key until it looks again, a day later at
                // most (AUTH_KEY_REREAD_SECONDS); and clocks differ.
                let until = NumericDate(
                    secondsSince1970: now.secondsSince1970
                        + Double(SessionLifetime.thirtyDays.seconds)
                        + 87_000)
                next = try Self.ring(of: old).pruned(at: now)
                    .rotated(to: SigningKey.generate(.es256), earlierUntil: until)
            } else {
                next = try SessionKeyRing(SigningKey.generate(.es256))
            }
            try writer.set(Self.value(of: next), for: Self.ringKey)
            return next
        }
    }

    /// The key of the tags that stand for people in the log.
    package func tag() throws -> SubjectTag {
        let key = try vault.write { writer in
            if let value = try writer.get(Self.tagKey) {
                return try SecretKey(secretValue: value, bitCount: 256)
            }
            let key = try SecretKey.generate(bitCount: 256)
            try writer.set(key, for: Self.tagKey)
            return key
        }
        return try SubjectTag(key: key)
    }

    /// Ends the use of the file.
    package func close() { vault.close() }

    private static func ring(of value: SecretValue) throws -> SessionKeyRing {
        try value.withExposedBytes { (span) throws(IdentityConfigurationError) -> SessionKeyRing in
            let text = SecretBytes(copying: span)
            return try SessionKeyRing(privateJWKS: text)
        }
    }

    private static func value(of ring: SessionKeyRing) throws -> SecretValue {
        SecretValue(try ring.exportPrivateJSON())
    }
}
