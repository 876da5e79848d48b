// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report as JUnit XML: a test suite for each suite, a test case for each vector.
    public var junit: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let failures = suites.map(\.failureCount).reduce(0, +)
        lines.append(
            "<testsuites name=\"signet audit: \(Markup.escaped(library.version))\" tests=\"\(total.cases)\""
                + " failures=\"\(failures)\" time=\"\(Markup.decimal(seconds))\">")
        for suite in suites { lines += suite.junitLines }
        return (lines + ["</testsuites>", ""]).joined(separator: "\n")
    }
}

extension AuditReport.SuiteResult {
    /// Failed and undecided cases; a suite that could not be read counts as one case.
    var failureCount: Int {
        cases.count { $0.state != .passed && $0.state != .notRun } + (problem == nil ? 0 : 1)
    }

    fileprivate var junitLines: [String] {
        let skipped = cases.count { $0.state == .notRun }
        let tests = cases.count + (problem == nil ? 0 : 1)
        let name = Markup.escaped(name)
        var lines = [
            "<testsuite name=\"\(name)\" package=\"\(Markup.escaped(source))\" tests=\"\(tests)\""
                + " failures=\"\(failureCount)\" skipped=\"\(skipped)\" time=\"\(Markup.decimal(seconds))\">"
        ]
        if let problem {
            lines.append(
                "<testcase classname=\"\(name)\" name=\"(file)\">"
                    + "<failure message=\"\(Markup.escaped(problem))\"/></testcase>")
        }
        for result in cases {
            let head = "<testcase classname=\"\(name)\" name=\"\(Markup.escaped(result.id))\""
            switch result.state {
            case .passed: lines.append(head + "/>")
            case .notRun: lines.append(head + "><skipped/></testcase>")
            case .failed(let text):
                lines.append(head + "><failure message=\"\(Markup.escaped(text))\"/></testcase>")
            case .undecided(let text):
                lines.append(
                    head
                        + "><failure type=\"undecided\" message=\"\(Markup.escaped(text))\"/></testcase>"
                )
            }
        }
        return lines + ["</testsuite>"]
    }
}
