// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJSON

/// The error that a body throws, if it is one of ours.
package func jsonError<Result>(_ body: () throws -> Result) -> JSONError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? JSONError
    }
}

/// The value of a JSON text.
package func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONTokenDecoder().decode(type, from: Array(text.utf8))
}

/// The JSON text of a value.
package func encode(_ value: some Encodable, fragment: Bool = true) throws -> String {
    String(decoding: try JSONTokenEncoder(allowsFragments: fragment).encode(value), as: UTF8.self)
}
