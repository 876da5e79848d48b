// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSession
import Testing

@Suite("The table of transitions")
struct TransitionTests {
    let cells: [TransitionTable.Key: TransitionTable.Cell]
    let mistakes: [String]

    init() { (cells, mistakes) = TransitionTable.read() }

    @Test("The table has each cell once, and each cell names its rows")
    func complete() {
        #expect(mistakes == [])
        for situation in Situation.allCases {
            for event in EventKind.allCases {
                let key = TransitionTable.Key(situation: situation, event: event)
                #expect(cells[key] != nil, "\(situation) has no \(event)")
            }
        }
        #expect(cells.count == 756)
        for (key, cell) in cells {
            #expect(!cell.rows.isEmpty, "\(key.situation) \(key.event)")
            #expect(cell.rows.allSatisfy(isRow), "\(key.situation) \(key.event): \(cell.rows)")
        }
    }

    @Test("Each row that asks for a transition is in the table")
    func rows() {
        let asking: [(source: Int, rows: [Int])] = [
            (0, [9, 11, 12, 13, 14, 15, 16, 17, 18, 20, 25, 30, 42, 46, 61, 63]),
            (1, [9, 10, 11, 12, 13, 15, 17, 18, 19, 28]),
            (2, [16, 20, 35]),
            (3, [1, 2, 3, 4, 6, 7, 9, 16, 29, 34, 35]),
            (4, [1, 2, 3, 15]),
        ]
        let asked = asking.flatMap { source, rows in rows.map { "S\(source)-\($0)" } }
        let named = Set(cells.values.flatMap(\.rows)).subtracting(["rule"])
        #expect(named == Set(asked))
    }

    @Test("The paths lead to their situations", arguments: Situation.allCases)
    func paths(situation: Situation) {
        for path in [situation.path] + situation.pathsFromStore {
            #expect(Walk(through: path).situation == situation, "\(path)")
        }
    }

    @Test("The reducer does what each cell says", arguments: Situation.allCases)
    func agrees(situation: Situation) {
        for event in EventKind.allCases {
            guard let cell = cells[TransitionTable.Key(situation: situation, event: event)] else {
                Issue.record("\(situation) has no \(event)")
                continue
            }
            for path in [situation.path] + situation.pathsFromStore {
                compare(situation, event, cell, Walk(through: path))
            }
        }
    }

    private func compare(
        _ situation: Situation, _ event: EventKind, _ cell: TransitionTable.Cell, _ before: Walk
    ) {
        var walk = before
        let effects = walk.handle(event).map(\.word)
        #expect(walk.situation == cell.next, "\(situation) \(event) \(cell.rows)")
        #expect(effects == cell.effects, "\(situation) \(event) \(cell.rows)")
        if cell.next == situation && !cell.effects.contains(where: isChange) {
            #expect(walk.flow == before.flow, "\(situation) \(event) changes what is not seen")
        }
    }

    @Test("Every situation can be reached and left")
    func reachable() {
        var reached: Set<Situation> = [.notLaunched]
        var found = true
        while found {
            found = false
            for (key, cell) in cells where reached.contains(key.situation) {
                if reached.insert(cell.next).inserted { found = true }
            }
        }
        #expect(reached == Set(Situation.allCases))
        for situation in Situation.allCases {
            #expect(cells.contains { $0.key.situation == situation && $0.value.next != situation })
        }
    }

    private func isRow(_ text: String) -> Bool {
        text == "rule" || text.wholeMatch(of: /S[0-4]-[1-9][0-9]?/) != nil
    }

    private func isChange(_ word: String) -> Bool { word == "publish" || word.hasPrefix("start:") }
}
