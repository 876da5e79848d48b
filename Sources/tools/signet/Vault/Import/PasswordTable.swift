// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// The passwords that a browser exports as CSV: a header with the columns `url`, `username` and
/// `password`, as Chrome, Edge, Firefox and Safari write it.
struct PasswordTable {
    private let bytes: [UInt8]
    private let columns: [String: Int]
    private let columnCount: Int

    /// The names of columns that are read, each with what it is here.
    private static let known = [
        ("url", "url"), ("username", "username"), ("password", "password"), ("name", "label"),
        ("title", "label"), ("note", "comment"), ("notes", "comment"),
    ]

    /// An item for each row: the service is the host, the account the user's name.
    ///
    /// - Parameter leftOut: receives the names of columns that are not read.
    static func items(
        in bytes: [UInt8], leftOut: ([String]) -> Void
    ) throws -> [ImportedItem] {
        let rows = try CSVTable.rows(in: bytes)
        guard let header = rows.first else {
            throw CommandFailure.refused(line: 1, because: "the file is empty.")
        }
        var others: [String] = []
        let table = try PasswordTable(bytes, header: header, others: &others)
        var refused = RefusedLines()
        var items: [ImportedItem] = []
        for row in rows.dropFirst() {
            let item = try refused.collecting(row.line) { try table.item(row) }
            if let item { items.append(item) }
        }
        let once = try ImportedItem.once(items, refused: &refused)
        try refused.check()
        if !others.isEmpty { leftOut(others) }
        return once
    }

    private init(_ bytes: [UInt8], header: CSVTable.Row, others: inout [String]) throws {
        self.bytes = bytes
        columnCount = header.fields.count
        var columns: [String: Int] = [:]
        for (index, field) in header.fields.enumerated() {
            let bytes = CSVTable.content(of: field, in: bytes)
            let known = Self.known.first { $0.0.utf8.elementsEqual(bytes.map(\.lowercased)) }
            guard let known else {
                others.append(String(decoding: bytes, as: UTF8.self))
                continue
            }
            guard columns.updateValue(index, forKey: known.1) == nil else {
                throw CommandFailure.refused(line: 1, because: "two columns mean the same.")
            }
        }
        guard ["url", "username", "password"].allSatisfy({ columns[$0] != nil }) else {
            throw CommandFailure.refused(
                line: 1, because: "it is not a header with the columns url, username and password.")
        }
        self.columns = columns
    }

    private func item(_ row: CSVTable.Row) throws -> ImportedItem {
        guard row.fields.count == columnCount else {
            throw CommandFailure.refused(
                line: row.line,
                because:
                    "its number of fields is \(row.fields.count) instead of \(columnCount).")
        }
        let url = text("url", of: row)
        guard let service = Self.host(of: url) else {
            throw CommandFailure.refused(line: row.line, because: "its url names no host.")
        }
        var password = content("password", of: row)
        defer { SecretBytes.wipe(&password) }
        guard !password.isEmpty else {
            throw CommandFailure.refused(line: row.line, because: "it has no password.")
        }
        return try ImportedItem(
            line: row.line, service: service, account: text("username", of: row),
            value: SecretValue(bytes: password, type: .string),
            details: ItemDetails(
                label: text("label", of: row), comment: text("comment", of: row),
                attributes: ["url": Self.page(of: url, host: service)])
        )
    }

    private func content(_ column: String, of row: CSVTable.Row) -> [UInt8] {
        guard let index = columns[column], row.fields.indices.contains(index) else { return [] }
        return CSVTable.content(of: row.fields[index], in: bytes)
    }

    private func text(_ column: String, of row: CSVTable.Row) -> String {
        String(decoding: content(column, of: row), as: UTF8.self)
    }

    /// The host of a URL of any scheme, with its port; nil if there is none.
    private static func host(of url: String) -> String? {
        guard let start = url.utf8.firstRange(of: "://".utf8)?.upperBound else { return nil }
        let authority = url.utf8[start...].prefix { !"/?#".utf8.contains($0) }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() }
        let text = String(decoding: host ?? authority, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// The URL without what may be secret: the user's name and password, and what follows the path,
    /// as in a link that signs in.
    private static func page(of url: String, host: String) -> String {
        let whole = url.utf8.prefix { !"?#".utf8.contains($0) }
        guard let start = whole.firstRange(of: "://".utf8)?.upperBound else { return host }
        let path = whole[start...].drop { $0 != UInt8(ascii: "/") }
        return String(decoding: whole[..<start], as: UTF8.self) + host
            + String(decoding: path, as: UTF8.self)
    }
}
