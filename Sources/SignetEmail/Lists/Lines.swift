// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The lines of a file.
enum Lines {
    /// Each line with its number, from 1; without the line feed, or the carriage return and line feed, behind it.
    static func numbered(_ octets: [UInt8]) -> some Sequence<(number: Int, line: ArraySlice<UInt8>)> {
        octets.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated().lazy.map {
            (number: $0.offset + 1, line: $0.element.last == 0x0d ? $0.element.dropLast() : $0.element)
        }
    }
}

extension ASCII {
    /// Without spaces and tabs at both ends.
    static func trimmed(_ octets: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = octets.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return rest
    }

    static func isBlank(_ octet: UInt8) -> Bool { octet == space || octet == 0x09 }
}
