// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The members of a large object by name, or a dictionary of n members would be searched n times.
final class JSONLargeObject {
    private let table: ReceivedTextTable<Int>

    init(_ index: JSONIndex, _ position: Int) {
        let end = Int(index[position].link)
        var table = ReceivedTextTable<Int>()
        var name = position &+ 1
        while name < end {
            table[index.text(of: index[name])] = name &+ 1
            name = Int(index[name &+ 1].link)
        }
        self.table = table
    }

    func member(_ name: String) -> Int? { table[name] }
}
