// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Decides when the progress of long work is shown, and in which words. A value that is told the
/// time: it reads no clock and writes nothing.
package struct ProgressMeter: Sendable {
    /// The things that are counted.
    package enum Unit: Sendable {
        case bytes, items, cases
        /// Steps that are no thing to a person: their share of all is shown.
        case share
    }

    /// The place where progress is shown.
    package enum Form: Sendable {
        /// In one line of a terminal, which is rewritten in place and erased at the end.
        case terminal
        /// In a line every second, for those who ask for it with `--progress`.
        case lines
    }

    package enum Action: Equatable, Sendable {
        case show(String)
        case erase
    }

    private let what: String
    private let unit: Unit
    private let form: Form
    private var due: Duration
    /// Below this count the clock is not read.
    private var next = 0

    /// - Parameters:
    ///   - what: what is being done, for example `sealing`.
    ///   - now: the time since some moment, which is the same in each call.
    package init(_ what: String, counting unit: Unit, in form: Form, startingAt now: Duration) {
        self.what = what
        self.unit = unit
        self.form = form
        due = form == .terminal ? now + .seconds(1) : now
    }

    /// The action after a step; nil for none.
    ///
    /// At a terminal the last step erases the line. What may follow is one call that reports
    /// nothing, such as flushing a file or SQLite's rebuilding of a vault, and a line that stands
    /// still would say that nothing happens.
    ///
    /// - Parameters:
    ///   - total: nil where it is not known.
    ///   - now: read for every 16th item only.
    package mutating func step(
        _ done: Int, of total: Int?, at now: () -> Duration
    ) -> Action? {
        let isLast = done == total
        if isLast, form == .terminal { return .erase }
        guard isLast || done >= next else { return nil }
        // A step of bytes is a chunk.
        next = done &+ (unit == .bytes ? 1 : 16)
        let now = now()
        guard isLast || now >= due else { return nil }
        due = now + (form == .terminal ? .milliseconds(150) : .seconds(1))
        return .show("signet: \(what): \(words(done, of: total))")
    }

    /// The words. They are short, because a line that is wrapped is not erased whole.
    private func words(_ done: Int, of total: Int?) -> String {
        // A file that grows has more than it said.
        let total = total.flatMap { $0 < done ? nil : $0 }
        switch unit {
        case .bytes: return Self.bytes(done, of: total)
        case .items: return Self.count(done, of: total, unit: "items")
        case .cases: return Self.count(done, of: total, unit: "cases")
        case .share:
            guard let total, total > 0 else { return Self.count(done, of: total, unit: "steps") }
            let percent = (100 * Double(done) / Double(total)).rounded(.down)
            return "\(Int(exactly: percent) ?? 0)%"
        }
    }

    private static func count(_ done: Int, of total: Int?, unit: String) -> String {
        "\(grouped(done))\(total.map { " of \(grouped($0))" } ?? "") \(unit)"
    }

    /// A number with a comma before every three digits: `8,850`.
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number).utf8)
        var text: [UInt8] = []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) {
                text.append(UInt8(ascii: ","))
            }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decimal units, as file managers and disks have them: `1.2 of 4.0 GB`.
    private static func bytes(_ done: Int, of total: Int?) -> String {
        let units = [
            ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000),
        ]
        guard let (name, size) = units.first(where: { total ?? done >= $0.1 }) else {
            return count(done, of: total, unit: "bytes")
        }
        let texts = [done, total].compactMap { number in
            number.map { "\($0 / size).\($0 % size / (size / 10))" }
        }
        return texts.joined(separator: " of ") + " \(name)"
    }
}
