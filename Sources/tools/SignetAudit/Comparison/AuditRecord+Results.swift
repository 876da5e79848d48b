// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension AuditRecord {
    /// Reads the file of `--results`.
    mutating func addResults() throws(AuditError) {
        let lines = report.bytes.split(separator: 0x0a)
        guard let head = lines.first, head.elementsEqual("[\"signet-audit-results/1\"]".utf8) else {
            throw report.malformed("is not of the format \"signet-audit-results/1\"")
        }
        // The suite that the next cases belong to.
        var suite: ReceivedText?
        for line in lines.dropFirst() {
            let root = try report.document(Array(line), maximumDepth: 1)
            let fields = Array(root.elements)
            guard let kind = fields.first?.text,
                try add(kind, fields: Array(fields.dropFirst()), suite: &suite)
            else { throw report.malformed("has a line that 'signet audit' does not write") }
        }
    }

    /// Adds a line.
    ///
    /// - Returns: whether the line has the form that its kind has.
    private mutating func add(
        _ kind: ReceivedText, fields: [JSONNode], suite: inout ReceivedText?
    ) throws(AuditError) -> Bool {
        guard let name = fields.first?.text else { return false }
        let value = fields.dropFirst().map { AuditText($0) }
        if kind.isEqual(to: "suite"), fields.count == 5 {
            suite = name
            try add(.suites, name: [name], value: value)
            if fields.last?.boolValue == false { deviationCount += 1 }
        } else if kind.isEqual(to: "case"), fields.count == 3, let suite {
            try add(.cases, name: [suite, name], value: value)
            caseCount += 1
            let state = fields.dropFirst().first?.text
            if state?.isEqual(to: "failed") == true { deviationCount += 1 }
            if state?.isEqual(to: "undecided") == true { undecidedCount += 1 }
        } else if kind.isEqual(to: "required"), fields.count == 2 {
            try add(.required, name: [name], value: value)
            if fields.last?.boolValue == false { deviationCount += 1 }
        } else if kind.isEqual(to: "not run"), fields.count == 4,
            let subject = fields.dropFirst().first?.text
        {
            try add(.notRun, name: [name, subject], value: Array(value.dropFirst()))
        } else {
            return false
        }
        return true
    }
}
