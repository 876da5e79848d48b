// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite("Published e-mail addresses")
struct MailboxVectorTests {
    static let names = ["isemail", "isemail-original", "egulias", "python-email-validator"]
    static let figures = names.flatMap(Figure.rows)

    @Test("An address is accepted, or refused for the stated reason", arguments: figures)
    func address(_ figure: Figure) throws {
        let octets = octets(figure)
        guard let reason = figure["why"] else {
            let mailbox = try Mailbox(octets: octets)
            #expect(mailbox.localPart == figure["local"])
            #expect(mailbox.domain.text == figure["domain"])
            #expect(try Mailbox(mailbox.text) == mailbox)
            return
        }
        #expect(throws: MailboxError(.init(rawValue: reason), "")) {
            _ = try Mailbox(octets: octets)
        }
    }

    @Test(
        "What one option allows is accepted with it",
        arguments: figures.filter { $0["opt"] != nil })
    func option(_ figure: Figure) throws {
        var options = Mailbox.Options()
        switch figure["opt"] {
        case "quoted": options.allowsQuotedLocalPart = true
        case "routing": options.allowsRouting = true
        default: options.allowsUnicodeLocalPart = true
        }
        let mailbox = try Mailbox(octets: octets(figure), options: options)
        #expect(try Mailbox(mailbox.text, options: options) == mailbox)
    }

    /// Refused by its author because its local part grows when it is normalised, which is not done here.
    private static let normalised = ["python-email-validator#90"]

    @Test(
        "With every option on, nothing else that the publisher refuses is accepted",
        arguments: figures.filter { !$0.isLabelledValid && $0.override == nil })
    func nothingMore(_ figure: Figure) {
        let options = Mailbox.Options(
            allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true)
        // Its author refuses quoted local parts and characters outside ASCII as we do, unless asked.
        let diagnosis = figure["diag"] ?? ""
        guard !diagnosis.hasPrefix("invalid-unless"), !diagnosis.hasPrefix("invalid-if-ascii"),
            !Self.normalised.contains(figure.testDescription)
        else { return }
        #expect((try? Mailbox(octets: octets(figure), options: options)) == nil)
    }

    @Test("Every vector of the four suites is there, and our differences are counted")
    func counts() {
        let rows = Self.names.map { name in Self.figures.filter { $0.suite == name } }
        #expect(rows.map(\.count) == [164, 279, 173, 145])
        let stricter = rows.map { $0.count { $0.override != nil && $0.isLabelledValid } }
        let laxer = rows.map { $0.count { $0.override != nil && !$0.isLabelledValid } }
        #expect(stricter == [18, 69, 44, 24])
        #expect(laxer == [0, 0, 0, 9])
        for (index, name) in Self.names.enumerated() {
            let agreeing = rows[index].count - stricter[index] - laxer[index]
            print(
                "e-mail vectors, \(name): \(agreeing) agree, \(stricter[index]) stricter by rule, \(laxer[index]) laxer"
            )
        }
    }

    private func octets(_ figure: Figure) -> [UInt8] {
        if let text = figure["text"] { return Array(text.utf8) }
        return figure["oct"].map(Figure.base64URL) ?? []
    }
}
