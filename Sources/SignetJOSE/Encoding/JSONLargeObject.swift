// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The members of a large object by name, or a dictionary of n members would be searched n times.
final class JSONLargeObject {
    private let index: JSONIndex
    private let table: [String: Int]

    init(_ index: JSONIndex, _ position: Int) {
        self.index = index
        let end = Int(index[position].link)
        var table: [String: Int] = [:]
        var name = position &+ 1
        while name < end {
            table[index.text(of: index[name])] = name &+ 1
            name = Int(index[name &+ 1].link)
        }
        self.table = table
    }

    func member(_ name: String) -> Int? {
        // A dictionary also finds a canonically equivalent name; only the same bytes are the same member.
        guard let member = table[name], index.text(of: index[member &- 1], equals: name.utf8.span)
        else {
            return nil
        }
        return member
    }
}
