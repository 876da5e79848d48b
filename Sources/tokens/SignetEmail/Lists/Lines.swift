// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The lines of a file.
enum Lines {
    /// Each line with its number, from 1, without its line feed or carriage return and line feed. A
    /// byte order mark before the first line, which editors of Windows write, is left out.
    static func numbered(_ octets: [UInt8]) -> some Sequence<(number: Int, line: ArraySlice<UInt8>)>
    {
        // One at a time: for a file of line ends, a list of its lines would be thirty times as
        // large.
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        let text = octets.dropFirst(octets.starts(with: mark) ? mark.count : 0)
        return sequence(state: (number: 0, rest: Optional(text))) { state in
            guard let rest = state.rest else { return nil }
            let end = rest.firstIndex(of: 0x0a)
            let line = rest[..<(end ?? rest.endIndex)]
            state = (state.number + 1, end.map { rest[($0 + 1)...] })
            return (number: state.number, line: line.last == 0x0d ? line.dropLast() : line)
        }
    }
}
