// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What can be kept in a store as it is: text, Signet's keys, and types of your own that know their
/// bytes.
///
/// A store's `set` takes them as they are; read, they are made of the value, which checks its type
/// and its form. Types that are only `Codable` need no conformance: ``SecretValue/init(encoding:)``
/// and ``SecretValue/decoded(as:)`` are theirs.
public protocol SecretConvertible {
    /// Reads a value.
    ///
    /// - Throws: `invalidValue` when it is of another type, length or form. The error carries
    ///   nothing of the value.
    init(secretValue: SecretValue) throws(StoreError)

    /// The value to be kept.
    ///
    /// - Throws: `invalidValue` when there is none.
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
