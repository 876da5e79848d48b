// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import SignetCrypto
internal import SignetMemory

extension SecretValue {
    /// A `Codable` value as JSON with sorted keys, so equal values give equal bytes.
    ///
    /// The encoded bytes are wiped here and in the store. **Not** wiped: the value itself, which is
    /// yours, and copies of its parts that the coder makes while it runs.
    ///
    /// - Throws: `invalidValue` if the value does not encode; the coder's own error is dropped,
    ///   because it holds the value.
    public init(encoding value: some Encodable) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var encoded = try? encoder.encode(value) else {
            throw StoreError(
                .invalidValue, "The value does not encode as JSON.")
        }
        self.init(bytes: encoded, type: .json)
        encoded.resetBytes(in: 0..<encoded.count)
    }

    /// The `Codable` value.
    ///
    /// **Not** wiped: copies that the coder makes while it runs, and the returned value.
    ///
    /// - Throws: `invalidValue` unless the value has type ``ValueType/json`` and decodes; the
    ///   coder's own error is dropped, because it may quote the value.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(StoreError)
        -> Value
    {
        try require(.json)
        var bytes = withExposedBytes { $0.copied() }
        var encoded = Data(bytes)
        cleanse(&bytes)
        let decoded = try? JSONDecoder().decode(type, from: encoded)
        encoded.resetBytes(in: 0..<encoded.count)
        guard let decoded else {
            throw StoreError(.invalidValue, "The value is not JSON of the type that is asked for.")
        }
        return decoded
    }
}
