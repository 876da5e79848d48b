// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// The columns that every kind of figure has.
struct FigureRow: Sendable {
    let cells: VectorObject
    let id: String
    let algorithm: String
    let expectation: AuditExpectation
    let override: String?
    let isSlow: Bool

    init(_ cells: VectorObject, algorithms: [String], overrides: JSONNode?) throws(AuditError) {
        self.cells = cells
        // Ids that a document gives are texts; running numbers are numbers.
        id =
            if let text = try cells.node("id").stringValue { text } else {
                String(try cells.integer("id"))
            }
        let algorithm = try cells.integer("a")
        guard algorithms.indices.contains(algorithm) else {
            throw cells.malformed("a", because: "is not an algorithm of the file")
        }
        self.algorithm = algorithms[algorithm]
        isSlow = cells.has("slow") ? try cells.integer("slow") == 1 : false
        if let entry = overrides?.member(id) {
            let parts = Array(entry.elements)
            guard parts.count == 3, let reason = parts[2].stringValue else {
                throw cells.malformed("ovr", because: "is not [r, f, reason]")
            }
            expectation = try Self.expectation(label: parts[0], failure: parts[1], in: cells)
            override = reason
        } else {
            let failure = cells.has("f") ? try cells.node("f") : nil
            expectation = try Self.expectation(
                label: try cells.node("r"), failure: failure, in: cells)
            override = nil
        }
    }

    private static func expectation(
        label: JSONNode, failure: JSONNode?, in cells: VectorObject
    ) throws(AuditError) -> AuditExpectation {
        switch label.int64Value {
        case 1: return .accept
        case 0:
            guard let names = failure?.stringValue, let classes = FailureClass(names: names) else {
                throw cells.malformed("f", because: "does not name a class of failure")
            }
            return .reject(classes)
        default: throw cells.malformed("r", because: "is not 0 or 1")
        }
    }
}
