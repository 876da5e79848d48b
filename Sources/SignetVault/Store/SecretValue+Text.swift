// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecretValue {
    /// The text. The string that is returned stays in ordinary memory until its owner lets it go.
    ///
    /// - Throws: `invalidValue` unless the value is of type ``ValueType/string`` and its bytes are
    ///   valid UTF-8: bytes that are not text are never read as such.
    public func string() throws(StoreError) -> String {
        try require(.string)
        guard let text = withExposedBytes({ UTF8Text.string($0) }) else {
            throw StoreError(
                .invalidValue, "The value says that it is text, but it is not valid UTF-8.")
        }
        return text
    }

    /// Whether the value is what was asked for. The message names both types, which are no secrets.
    func require(_ wanted: ValueType) throws(StoreError) {
        guard type == wanted else {
            throw StoreError(.invalidValue, "The value is of type '\(type)', not '\(wanted)'.")
        }
    }
}
