// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AuditRecord {
    /// Reads the file of `--results`.
    mutating func add(results report: ReceivedReport) throws(AuditError) {
        let lines = report.bytes.split(separator: 0x0a)
        guard let head = lines.first, head.elementsEqual("[\"signet-audit-results/1\"]".utf8) else {
            throw report.malformed("is not of the format \"signet-audit-results/1\"")
        }
        // The suite that the next cases belong to.
        var suite: [UInt8]?
        for line in lines.dropFirst() {
            let root = try report.document(Array(line), maximumDepth: 1)
            let fields = Array(root.elements)
            guard let kind = fields.first?.text, add(kind, fields: fields[1...], suite: &suite)
            else { throw report.malformed("has a line that 'signet audit' does not write") }
        }
    }

    /// Adds a line.
    ///
    /// - Returns: whether the line has the form that its kind has.
    private mutating func add(
        _ kind: ReceivedText, fields: ArraySlice<JSONNode>, suite: inout [UInt8]?
    ) -> Bool {
        let texts = fields.map(\.comparedText)
        guard let name = texts.first else { return false }
        let value = texts.dropFirst().joined(separator: ", ".utf8)
        if kind.isEqual(to: "suite"), texts.count == 5 {
            suite = name
            add(.suites, name: name, value: value)
        } else if kind.isEqual(to: "case"), texts.count == 3, let suite {
            add(.cases, name: suite + Array("#".utf8) + name, value: value)
        } else if kind.isEqual(to: "required"), texts.count == 2 {
            add(.required, name: name, value: value)
        } else if kind.isEqual(to: "not run"), texts.count == 4 {
            let subject = texts.prefix(2).joined(separator: " / ".utf8)
            add(.notRun, name: subject, value: texts.dropFirst(2).joined(separator: ", ".utf8))
        } else {
            return false
        }
        return true
    }
}
