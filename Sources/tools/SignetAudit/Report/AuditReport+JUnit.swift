// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension AuditReport {
    /// The report as JUnit XML: a test suite for each suite, a test case for each vector.
    public var junit: String {
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        let failures = suites.map(\.failureCount).reduce(0, +) + missing.count
        lines.append(
            "<testsuites name=\"signet audit: \(Markup.escaped(library.version))\" tests=\"\(total.cases + required.count)\""
                + " failures=\"\(failures)\" time=\"\(Markup.decimal(seconds))\">")
        for suite in suites { lines += suite.junitLines }
        if !required.isEmpty { lines += requirementLines }
        return (lines + ["</testsuites>", ""]).joined(separator: "\n")
    }

    private var requirementLines: [String] {
        let failure = "<failure message=\"not offered by this provider\"/>"
        let head =
            "<testsuite name=\"required\" tests=\"\(required.count)\" failures=\"\(missing.count)\">"
        let cases = required.map {
            "<testcase classname=\"required\" name=\"\($0.rawValue)\">"
                + "\(missing.contains($0) ? failure : "")</testcase>"
        }
        return [head] + cases + ["</testsuite>"]
    }
}

extension AuditReport.SuiteResult {
    /// Failed and undecided cases; a suite that could not be read counts as one case.
    var failureCount: Int {
        cases.count { $0.state != .passed && !$0.state.isSkipped } + (problem == nil ? 0 : 1)
    }

    fileprivate var junitLines: [String] {
        let skipped = cases.count(where: \.state.isSkipped)
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
            case .notOffered(let need):
                lines.append(
                    head
                        + "><skipped message=\"\(Markup.escaped(need)): not offered by this provider\"/></testcase>"
                )
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
