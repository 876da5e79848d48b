// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory

/// A secret in a store: bytes with a type, wiped when the last handle goes.
///
/// Copies share the same storage. Printing, dumping and interpolating show nothing, and `==` takes
/// time that depends only on the lengths. Anything that you copy out of it is no longer protected.
public struct SecretValue: Sendable, Equatable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    package let key: SecretKey
    /// The type of the bytes.
    public let type: ValueType

    package init(_ key: SecretKey, type: ValueType) {
        self.key = key
        self.type = type
    }

    /// A value from any bytes. Wipe or drop the source yourself.
    public init(bytes: some Collection<UInt8>, type: ValueType = .bytes) {
        self.init(SecretKey(copying: bytes), type: type)
    }

    /// A value that takes over secret bytes.
    public init(_ bytes: consuming SecretBytes, type: ValueType = .bytes) {
        self.init(SecretKey(bytes), type: type)
    }

    /// Text, as UTF-8. The string itself stays in ordinary memory until its owner drops it.
    public init(_ text: String) {
        self.init(SecretKey(copying: text.utf8), type: .string)
    }

    /// Length in bytes.
    public var byteCount: Int { key.byteCount }

    /// Lends the bytes for the duration of `body`.
    public func withExposedBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try key.withExposedBytes(body)
    }

    /// Whether the values have the same bytes and type, in time that depends only on the lengths.
    public static func == (a: SecretValue, b: SecretValue) -> Bool {
        a.type == b.type && a.key == b.key
    }

    /// The type and "redacted".
    public var description: String { "SecretValue(redacted)" }

    /// The type and "redacted".
    public var debugDescription: String { description }

    /// No children, so `dump` prints nothing of it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
