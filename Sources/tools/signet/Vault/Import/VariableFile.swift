// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// A reader of `.env` files: lines of `NAME=value`.
///
/// It takes what shells and the libraries for such files read in the same way, and refuses the
/// rest by its line. It expands nothing: `$` and a backquote stand in single quotation marks, or
/// behind a backslash in double ones.
struct VariableFile {
    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// An item of the service for each variable, whose name is the account.
    static func items(in bytes: [UInt8], service: String) throws -> [ImportedItem] {
        var file = VariableFile(bytes)
        var items: [ImportedItem] = []
        while file.skipsToVariable() { items.append(try file.variable(service)) }
        var refused = RefusedLines()
        let once = try ImportedItem.once(items, refused: &refused)
        try refused.check()
        return once
    }

    // MARK: Lines

    /// Skips blank lines and comments, up to a variable; false at the end.
    private mutating func skipsToVariable() -> Bool {
        while let byte {
            if byte == UInt8(ascii: "#") {
                skipLine()
            } else if byte.isBlank || isAtLineEnd {
                skip()
            } else {
                return true
            }
        }
        return false
    }

    private mutating func variable(_ service: String) throws -> ImportedItem {
        let start = line
        var name = word()
        if name.utf8.elementsEqual("export".utf8), byte?.isBlank == true {
            skipBlanks()
            name = word()
        }
        guard byte == UInt8(ascii: "="), VariableName.isName(name) else {
            throw CommandFailure.refused(
                line: start, because: "it is not NAME=value, without blanks around the =.")
        }
        skip()
        let value = try readValue()
        let isApart = byte?.isBlank == true
        skipBlanks()
        if isApart, byte == UInt8(ascii: "#") { skipLine() }
        guard isAtLineEnd else {
            throw CommandFailure.refused(
                line: line,
                because:
                    "something follows the value. Put a value with blanks in quotation marks.")
        }
        return try ImportedItem(line: start, service: service, account: name, value: value)
    }

    /// What stands before a blank, `=` or the end of the line.
    private mutating func word() -> String {
        let start = place
        while let byte, !byte.isBlank, byte != UInt8(ascii: "="), !isAtLineEnd { skip() }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    // MARK: Values

    private mutating func readValue() throws -> SecretValue {
        var value: [UInt8] = []
        // No array with a part of the value is left behind by growing.
        value.reserveCapacity(bytes.count - place)
        defer { SecretBytes.wipe(&value) }
        switch byte {
        case UInt8(ascii: "'"): try readQuoted(into: &value)
        case UInt8(ascii: "\""): try readEscaped(into: &value)
        default: try readBare(into: &value)
        }
        return SecretValue(bytes: value, type: .string)
    }

    private mutating func readBare(into value: inout [UInt8]) throws {
        while let byte, !byte.isBlank, !isAtLineEnd {
            switch byte {
            case UInt8(ascii: "$"), UInt8(ascii: "`"): throw expansion
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "#"):
                throw CommandFailure.refused(
                    line: line,
                    because:
                        "a value with a quotation mark, a backslash or # stands in quotation marks."
                )
            case ..<0x20, 0x7f:
                throw CommandFailure.refused(line: line, because: "it has a control character.")
            default: value.append(byte)
            }
            skip()
        }
    }

    /// A value in single quotation marks, in which nothing has a meaning.
    private mutating func readQuoted(into value: inout [UInt8]) throws {
        let start = line
        skip()
        while let byte {
            skip()
            if byte == UInt8(ascii: "'") { return }
            value.append(byte)
        }
        throw Self.unclosed(start)
    }

    /// A value in double quotation marks, with escapes.
    private mutating func readEscaped(into value: inout [UInt8]) throws {
        let start = line
        skip()
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                skip()
                return
            case UInt8(ascii: "$"), UInt8(ascii: "`"): throw expansion
            case UInt8(ascii: "\\"):
                skip()
                value.append(try escaped())
            default: value.append(byte)
            }
            skip()
        }
        throw Self.unclosed(start)
    }

    /// What the character behind a backslash stands for.
    private func escaped() throws -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "r"): return 0x0d
        case let byte? where "\\\"$`".utf8.contains(byte): return byte
        default:
            throw CommandFailure.refused(
                line: line, because: "behind a backslash stands one of: n r \\ \" $ `")
        }
    }

    private var expansion: CommandFailure {
        .refused(
            line: line,
            because:
                "it has a bare $ or `, and nothing is expanded. Put the value in single quotation marks, if it is meant as it is."
        )
    }

    private static func unclosed(_ line: Int) -> CommandFailure {
        .refused(line: line, because: "its quotation mark is not closed.")
    }

    // MARK: Bytes

    /// The next byte; nil at the end.
    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    private var isAtLineEnd: Bool {
        switch byte {
        case nil, 0x0a: true
        case 0x0d: place + 1 < bytes.count && bytes[place + 1] == 0x0a
        default: false
        }
    }

    private mutating func skip() {
        if byte == 0x0a { line += 1 }
        place += 1
    }

    private mutating func skipBlanks() { while byte?.isBlank == true { skip() } }

    private mutating func skipLine() { while byte != nil, !isAtLineEnd { skip() } }
}
