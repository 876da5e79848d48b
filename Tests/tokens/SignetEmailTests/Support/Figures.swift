// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestVectors
import Testing

/// One row of a figure file of `TestVectors/Figures/email`.
struct Figure: Sendable, CustomTestStringConvertible {
    let suite: String
    let id: String
    /// The publisher's label.
    let isLabelledValid: Bool
    /// Why Signet does otherwise.
    let override: String?
    private let strings: [String: String]

    /// The text of a column; nil where the row has null.
    subscript(column: String) -> String? { strings[column] }

    /// How a person finds the row.
    var testDescription: String { "\(suite)#\(id)" }

    /// The rows of a file, or none when it cannot be read: `FigureCountTests` says so.
    static func rows(_ suite: String) -> [Figure] {
        guard let vectors = try? TestVectors.located(),
            let bytes = try? vectors.bytes(at: "email/\(suite).json"),
            let root = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let columns = root["cols"] as? [String], let rows = root["rows"] as? [[Any]]
        else { return [] }
        let overrides = root["ovr"] as? [String: [Any]] ?? [:]
        return rows.map { row in
            let cells = Dictionary(uniqueKeysWithValues: zip(columns, row))
            let id = cells["id"].map { "\($0)" } ?? "?"
            return Figure(
                suite: suite, id: id, isLabelledValid: cells["r"] as? Int == 1,
                override: overrides[id]?.last as? String,
                strings: cells.compactMapValues { $0 as? String })
        }
    }

    private init(
        suite: String, id: String, isLabelledValid: Bool, override: String?,
        strings: [String: String]
    ) {
        self.suite = suite
        self.id = id
        self.isLabelledValid = isLabelledValid
        self.override = override
        self.strings = strings
    }

    /// Octets as the figures carry them.
    static func base64URL(_ text: String) -> [UInt8] {
        var padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
            of: "_", with: "/")
        while !padded.utf8.count.isMultiple(of: 4) { padded += "=" }
        return [UInt8](Data(base64Encoded: padded) ?? Data())
    }
}
