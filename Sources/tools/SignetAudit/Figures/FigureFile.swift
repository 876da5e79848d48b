// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import TestVectors

/// A figure file, as `TestVectors/README.md` describes it.
struct FigureFile: Sendable {
    static let version = 1

    let name: String
    let kind: String
    let keys: [JSONNode]
    let rows: [FigureRow]

    /// Reads a file and checks it against its manifest entry.
    init(_ entry: FigureManifest.Entry, in vectors: TestVectors) throws(AuditError) {
        let bytes: [UInt8]
        do { bytes = try vectors.bytes(at: entry.path) } catch {
            throw AuditError(error)
        }
        guard let digest = try? MessageDigest.digest(bytes, using: .sha256), digest == entry.digest
        else {
            throw AuditError(
                .digestMismatch, "\(shown: entry.path) is not the file that MANIFEST.json names.")
        }
        let root = VectorObject(try Self.document(bytes, name: entry.path).root, place: entry.path)
        let version = try root.integer("v")
        guard version == Self.version else {
            throw root.malformed("v", because: "is \(version) instead of \(Self.version)")
        }
        let stated = try root.string("kind")
        guard stated == entry.kind else {
            throw root.malformed(
                "kind", because: "is \(shown: stated), and MANIFEST.json says \(shown: entry.kind)")
        }
        name = entry.name
        kind = entry.kind
        let algorithms = try root.strings("algs")
        keys = root.has("keys") ? Array(try root.node("keys").elements) : []
        let overrides = root.has("ovr") ? try root.node("ovr") : nil
        var columns: [String: Int] = [:]
        for (index, column) in try root.strings("cols").enumerated() { columns[column] = index }
        var rows: [FigureRow] = []
        for (index, row) in try root.node("rows").elements.enumerated() {
            let place = "\(entry.path), row \(index)"
            let cells = VectorObject(columns: columns, cells: Array(row.elements), place: place)
            rows.append(try FigureRow(cells, algorithms: algorithms, overrides: overrides))
        }
        self.rows = rows
    }

    /// The key of a row.
    func key(_ row: FigureRow) throws(AuditError) -> JSONNode {
        let index = try row.cells.integer("k")
        guard keys.indices.contains(index) else {
            throw row.cells.malformed("k", because: "is not a key of the file")
        }
        return keys[index]
    }

    /// Reads JSON with the strict reader, but up to 256 MiB of it: vector files are large, and
    /// trusted enough for that.
    static func document(_ bytes: [UInt8], name: String) throws(AuditError) -> JSONDocument {
        do {
            return try JSONDocument(
                bytes, limits: .init(maximumByteCount: 1 << 28, maximumDepth: 32))
        } catch {
            throw AuditError(error, in: name)
        }
    }
}
