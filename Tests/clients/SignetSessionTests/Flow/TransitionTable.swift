// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The transitions of `AuthFlow`, written by hand from the rows of the five source documents, for
/// an app that requires a profile.
///
/// A line is: events | next situation | effects in order | the rows that ask for it. "=" is the
/// same situation, "-" no effect, "rule" a rule of issue 18 that no row has. Each situation has
/// each event exactly once, also where nothing changes. An answer has the number of the action in
/// flight, and what the manager says that of the last action which may have brought a session.
/// Where the table and the reducer differ, the rows say which of them is wrong.
enum TransitionTable {
    static let sections: [(Situation, String)] = launch + signingIn + settling + session

    struct Cell: Equatable {
        let next: Situation
        let effects: [String]
        let rows: [String]
    }

    struct Key: Hashable {
        let situation: Situation
        let event: EventKind
    }

    /// The cells of the text, and which lines are unreadable or duplicates.
    static func read() -> (cells: [Key: Cell], mistakes: [String]) {
        var cells: [Key: Cell] = [:]
        var mistakes: [String] = []
        for (situation, text) in sections {
            for line in text.split(separator: "\n") {
                let columns = line.split(separator: "|").map { words($0) }
                guard columns.count == 4, let nextWord = columns[1].first,
                    let next = nextWord == "=" ? situation : Situation(rawValue: nextWord)
                else {
                    mistakes.append("\(situation): \(line)")
                    continue
                }
                let effects = columns[2] == ["-"] ? [] : columns[2]
                for word in columns[0] {
                    let cell = Cell(next: next, effects: effects, rows: columns[3])
                    guard let event = EventKind(rawValue: word),
                        cells.updateValue(cell, forKey: Key(situation: situation, event: event))
                            == nil
                    else {
                        mistakes.append("\(situation): \(word) is unknown or there twice")
                        continue
                    }
                }
            }
        }
        return (cells, mistakes)
    }

    private static func words(_ text: Substring) -> [String] {
        text.split(separator: " ").map(String.init)
    }
}
