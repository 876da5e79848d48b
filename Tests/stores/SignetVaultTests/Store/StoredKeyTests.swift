// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import SignetMemory
import SignetVault
import SignetVaultTesting
import Testing

struct StoredKeyTests {
    private let store = InMemoryStore()
    private let key = ItemKey.key(service: "service", name: "signing")

    @Test("A symmetric key has the requested length and type, or is refused")
    func symmetricKeysHaveTheLengthAskedFor() async throws {
        let secret = try SecretKey.generate(bitCount: 256)
        try await store.set(secret, for: key)
        #expect(
            try await store.get(key).map { try SecretKey(secretValue: $0, bitCount: 256) } == secret
        )
        #expect(try await store.get(key).map { try SecretKey(secretValue: $0) } == secret)
        #expect(try await store.item(key)?.valueType == .symmetricKey)
        let error = await #expect(throws: StoreError.self) {
            try await store.get(key).map { try SecretKey(secretValue: $0, bitCount: 128) }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message == "The key does not have the 128 bits that were asked for.")
        try await store.set(SecretValue(bytes: repeatElement(1, count: 32)), for: key)
        await #expect(throws: StoreError(.invalidValue, "")) {
            try await store.get(key).map { try SecretKey(secretValue: $0, bitCount: 256) }
        }
    }

    @Test("Twenty tasks that make a key if it is absent get the same one")
    func aKeyIsMadeOnce() async throws {
        let keys = try await withThrowingTaskGroup(of: SecretKey.self) { group in
            for _ in 0..<20 { group.addTask { try await store.keyMadeIfAbsent(for: key) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let stored = try #require(
            try await store.get(key).map { try SecretKey(secretValue: $0, bitCount: 256) })
        #expect(keys.allSatisfy { $0 == stored })
        await #expect(throws: StoreError(.invalidValue, "")) {
            try await store.keyMadeIfAbsent(for: key, bitCount: 512)
        }
        await #expect(throws: StoreError(.invalidParameter, "")) {
            try await store.keyMadeIfAbsent(for: .key(service: "s", name: "n"), bitCount: 12)
        }
    }

    @Test(
        "No key is made over one that cannot be read",
        arguments: [
            StoreError.Code.locked, .corrupt, .rolledBack, .unavailable, .busy, .timedOut,
            .authenticationFailure,
        ])
    func noKeyIsMadeOverOneThatCannotBeRead(_ code: StoreError.Code) async throws {
        let secret = try await store.keyMadeIfAbsent(for: key)
        let faulty = FaultyStore(store)
        faulty.failCall(1, with: code)
        await #expect(throws: StoreError(code, "")) { try await faulty.keyMadeIfAbsent(for: key) }
        #expect(try await faulty.keyMadeIfAbsent(for: key) == secret)
        #expect(!faulty.calls.contains { $0.operation.isWrite })
    }

    @Test("An Ed25519 key is stored and read")
    func ed25519Keys() async throws {
        let made = try Ed25519PrivateKey.generate()
        try await store.set(made, for: key)
        let read = try Ed25519PrivateKey(secretValue: #require(await store.get(key)))
        #expect(read.publicKey.rawRepresentation == made.publicKey.rawRepresentation)
        #expect(try await store.get(key)?.byteCount == 32)
    }

    @Test("A key of each elliptic curve is stored and read", arguments: EllipticCurve.allCases)
    func ellipticCurveKeys(_ curve: EllipticCurve) async throws {
        let made = try ECPrivateKey.generate(curve: curve)
        try await store.set(made, for: key)
        let read = try ECPrivateKey(secretValue: #require(await store.get(key)))
        #expect(read.publicKey.curve == curve)
        #expect(read.publicKey.x == made.publicKey.x)
        #expect(read.publicKey.y == made.publicKey.y)
        #expect(try await store.get(key)?.byteCount == curve.coordinateByteCount)
    }

    @Test("An RSA key is stored and read")
    func rsaKeys() async throws {
        let made = try RSAPrivateKey.generate(bitCount: 2048)
        try await store.set(made, for: key)
        let read = try RSAPrivateKey(secretValue: #require(await store.get(key)))
        #expect(read.publicKey.modulus == made.publicKey.modulus)
        #expect(try await store.item(key)?.valueType == .rsaPrivateKey)
    }

    /// Bytes that are no key, or not the key that their type names.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let value: SecretValue
        let type: any (SecretConvertible & Sendable).Type
    }

    static let wrong: [Wrong] = [
        Wrong("seed of 31 bytes", 31, .ed25519PrivateKey, Ed25519PrivateKey.self),
        Wrong("seed as a symmetric key", 32, .symmetricKey, Ed25519PrivateKey.self),
        Wrong("symmetric key as plain bytes", 32, .bytes, SecretKey.self),
        Wrong("symmetric key of no bytes", 0, .symmetricKey, SecretKey.self),
        Wrong("symmetric key of 4097 bytes", 4097, .symmetricKey, SecretKey.self),
        Wrong("scalar of P-256 with the type of P-384", 32, .p384PrivateKey, ECPrivateKey.self),
        Wrong("scalar as a seed", 32, .ed25519PrivateKey, ECPrivateKey.self),
        Wrong(
            "scalar of zero", value: [UInt8](repeating: 0, count: 32), .p256PrivateKey,
            ECPrivateKey.self),
        Wrong(
            "scalar beyond n", value: [UInt8](repeating: 0xff, count: 32), .p256PrivateKey,
            ECPrivateKey.self),
        Wrong("RSA from noise", 1200, .rsaPrivateKey, RSAPrivateKey.self),
        Wrong("RSA from nothing", 0, .rsaPrivateKey, RSAPrivateKey.self),
        Wrong("text that is not UTF-8", value: [0xc3, 0x28], .string, String.self),
        Wrong("text as bytes", value: [0x41], .bytes, String.self),
    ]

    @Test("A value of the wrong type, length or form is refused as a key", arguments: wrong)
    func wrongTypeLengthOrForm(_ wrong: Wrong) async throws {
        func check<Value: SecretConvertible>(_ type: Value.Type) {
            #expect(throws: StoreError(.invalidValue, "")) { try Value(secretValue: wrong.value) }
        }
        check(wrong.type)
    }

    @Test("DER of another kind of key is refused")
    func aKeyOfAnotherKindInDERIsRefused() throws {
        let curve = try SigningBytes.pkcs8OfP256()
        #expect(throws: StoreError(.invalidValue, "")) {
            try RSAPrivateKey(secretValue: SecretValue(bytes: curve, type: .rsaPrivateKey))
        }
    }
}

extension StoredKeyTests.Wrong {
    fileprivate init(
        _ name: String, _ count: Int, _ type: ValueType,
        _ wanted: any (SecretConvertible & Sendable).Type
    ) {
        self.init(name, value: [UInt8](repeating: 0x5a, count: count), type, wanted)
    }

    fileprivate init(
        _ name: String, value: [UInt8], _ type: ValueType,
        _ wanted: any (SecretConvertible & Sendable).Type
    ) {
        self.init(testDescription: name, value: SecretValue(bytes: value, type: type), type: wanted)
    }
}

private enum SigningBytes {
    static func pkcs8OfP256() throws -> [UInt8] {
        try ECPrivateKey.generate(curve: .p256).handle.encodedPrivateKey().withBytes { bytes in
            bytes.indices.map { bytes[$0] }
        }
    }
}
