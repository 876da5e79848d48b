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
        let name: [AuditText]
    }

    /// The longest name, in bytes. `signet audit` writes none near it. All cases of a suite have its
    /// name, so a long one would cost its length for each of them.
    private static let maximumNameByteCount = 1_024

    let report: ReceivedReport
    let form: Form
    /// The entries, in the order of the report.
    private(set) var keys: [Key] = []
    /// The values of an entry, each with its columns: several where the report says something
    /// twice.
    private(set) var values: [Key: [[AuditText]]] = [:]
    /// How many cases the report counts.
    var caseCount = 0
    /// How many deviations it has.
    var deviationCount = 0
    /// How many cases without a recorded decision it has.
    var undecidedCount = 0

    /// Reads a report.
    /// - Throws: ``AuditError`` `malformed`.
    init(_ report: ReceivedReport) throws(AuditError) {
        self.report = report
        switch report.bytes.first {
        case UInt8(ascii: "{"):
            form = .report
            try addReport()
        case UInt8(ascii: "["):
            form = .results
            try addResults()
        default:
            throw report.malformed("is neither a report of --json nor the file of --results")
        }
        guard keys.contains(where: { $0.part == .suites }) else {
            throw report.malformed("names no vectors: nothing was run")
        }
    }

    mutating func add(
        _ part: AuditPart, name: [ReceivedText], value: [AuditText]
    ) throws(AuditError) {
        guard name.allSatisfy({ $0.byteCount <= Self.maximumNameByteCount }) else {
            throw report.malformed("has a longer name than 'signet audit' writes")
        }
        let key = Key(part: part, name: name.map { AuditText($0) })
        if values[key] == nil { keys.append(key) }
        values[key, default: []].append(value)
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
