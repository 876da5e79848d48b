// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension EncodingError {
    /// A fault, as the encoding containers throw it: without the value, in whose place goes the
    /// code.
    @inline(never)
    init(_ fault: JSONError, at path: [any CodingKey]) {
        self = .invalidValue(
            fault.code.rawValue,
            Context(codingPath: path, debugDescription: fault.description, underlyingError: fault))
    }
}
