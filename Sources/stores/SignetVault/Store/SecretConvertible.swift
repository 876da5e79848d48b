// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A type that a store keeps directly: text, Signet's keys, and your own types that convert to
/// bytes.
///
/// Pass a value of the type to a store's `set`. Reading makes it from the stored value, and checks
/// the type and form. Types that are only `Codable` need no conformance: use
/// ``SecretValue/init(encoding:)`` and ``SecretValue/decoded(as:)``.
public protocol SecretConvertible {
    /// Reads a value.
    ///
    /// - Throws: `invalidValue` if the value has the wrong type, length or form. The error carries
    ///   nothing of the value.
    init(secretValue: SecretValue) throws(StoreError)

    /// The value to store.
    ///
    /// - Throws: `invalidValue` if it cannot be stored.
    func secretValue() throws(StoreError) -> SecretValue
}

extension SecretValue: SecretConvertible {
    /// The value itself.
    public init(secretValue: SecretValue) { self = secretValue }

    /// The value itself.
    public func secretValue() -> SecretValue { self }
}

extension String: SecretConvertible {
    /// The text of a value of type ``ValueType/string``.
    public init(secretValue: SecretValue) throws(StoreError) { self = try secretValue.string() }

    /// The text as UTF-8.
    public func secretValue() -> SecretValue { SecretValue(self) }
}
