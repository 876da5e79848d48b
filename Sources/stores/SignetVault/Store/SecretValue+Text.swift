// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecretValue {
    /// The text. The returned string stays in ordinary memory until its owner drops it.
    ///
    /// - Throws: `invalidValue` unless the value has type ``ValueType/string`` and its bytes are
    ///   valid UTF-8.
    public func string() throws(StoreError) -> String {
        try require(.string)
        guard let text = withExposedBytes({ UTF8Text.string($0) }) else {
            throw StoreError(
                .invalidValue, "The value says that it is text, but it is not valid UTF-8.")
        }
        return text
    }

    /// Throws unless the value has this type. The message names the two types, which are not
    /// secret.
    func require(_ wanted: ValueType) throws(StoreError) {
        guard type == wanted else {
            throw StoreError(
                .invalidValue,
                "The value is of type '\(shown: type.rawValue)', not '\(shown: wanted.rawValue)'.")
        }
    }
}
