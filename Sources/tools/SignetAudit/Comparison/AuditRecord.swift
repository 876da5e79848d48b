// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import SignetPlatform

/// The content of a report, as entries: a name in a part, and the values that it has there. All
/// texts are bytes, because the report may come from anyone.
struct AuditRecord {
    /// The forms that can be compared.
    enum Form {
        /// One JSON object (``AuditReport/json``).
        case report
        /// Lines of JSON (``AuditReport/results``).
        case results
    }

    struct Key: Hashable {
        let part: AuditPart
        let name: [UInt8]
    }

    let form: Form
    /// The entries, in the order of the report.
    private(set) var keys: [Key] = []
    /// The values of an entry: several where the report says something twice.
    private(set) var values: [Key: [[UInt8]]] = [:]

    /// Reads a report.
    /// - Throws: ``AuditError`` `malformed`.
    init(_ report: ReceivedReport) throws(AuditError) {
        switch report.bytes.first {
        case UInt8(ascii: "{"):
            form = .report
            try add(report: report)
        case UInt8(ascii: "["):
            form = .results
            try add(results: report)
        default:
            throw report.malformed("is neither a report of --json nor the file of --results")
        }
    }

    mutating func add(_ part: AuditPart, name: some Sequence<UInt8>, value: some Sequence<UInt8>) {
        let key = Key(part: part, name: Array(name))
        if values[key] == nil { keys.append(key) }
        values[key, default: []].append(Array(value))
    }
}

extension ReceivedReport {
    func malformed(_ what: ErrorMessage) -> AuditError {
        AuditError(.malformed, "\(path: name) \(what).")
    }

    /// Reads JSON of a report, or of a line of its results.
    func document(_ bytes: [UInt8], maximumDepth: Int) throws(AuditError) -> JSONNode {
        do {
            return try JSONDocument(
                bytes, maximumByteCount: Self.maximumByteCount, maximumDepth: maximumDepth
            ).root
        } catch {
            throw AuditError(error, in: name)
        }
    }
}

extension JSONNode {
    /// The value as text: that of a string, those of a list with commas, any other as it is
    /// written.
    var comparedText: [UInt8] {
        guard isArray else { return text.map { Array($0.utf8) } ?? Array(rawBytes) }
        let values = elements.map { $0.text.map { Array($0.utf8) } ?? Array($0.rawBytes) }
        return Array(values.joined(separator: ", ".utf8))
    }
}
