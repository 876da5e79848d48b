// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension EncodingError {
    /// A fault in the form that the encoding containers throw. It carries the code and never the
    /// value.
    @inline(never)
    init(_ fault: JSONError, at path: [any CodingKey]) {
        self = .invalidValue(
            fault.code.rawValue,
            Context(codingPath: path, debugDescription: fault.description, underlyingError: fault))
    }
}
