// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAudit
import SignetCrypto
import SignetJOSE
import Testing

@Suite("What a FIPS provider may lack")
struct FIPSOmissionTests {
    private static let absences: [AuditObservation] = [
        .failed("libcrypto refused the operation"), .rejected(.algorithm, "unsupported"),
    ]

    private static func vector(
        _ observation: AuditObservation, need: FIPSOmission?,
        expectation: AuditExpectation = .accept, id: String = "1"
    ) throws -> AuditCase {
        var vector = try #require(try Vectors.figureSuites.first?.cases().first)
        vector.localID = id
        vector.expectation = expectation
        vector.need = need
        vector.body = { observation }
        return vector
    }

    /// The report of an audit in a process that fetches with `fips=yes`, or not.
    private static func report(
        _ cases: [AuditCase], isFIPS: Bool = true, offered: Set<FIPSOmission> = [],
        required: [FIPSOmission] = []
    ) throws -> AuditReport {
        var suite = try #require(Vectors.figureSuites.first)
        suite.declaredCount = cases.count
        suite.loader = { cases }
        var runner = AuditRunner()
        runner.library.isFIPS = isFIPS
        runner.library.offered = offered
        runner.required = required
        return runner.run(AuditCatalog(suites: [suite], gaps: []))
    }

    private static func state(of report: AuditReport) -> AuditReport.State? {
        report.suites.first?.cases.first?.state
    }

    @Test("The names are those that --require takes")
    func names() {
        let names = FIPSOmission.allCases.map(\.rawValue)
        #expect(names == ["scrypt", "argon2id", "x25519", "short-keys"])
    }

    @Test("The library is asked what it offers")
    func probes() {
        #expect(FIPSOmission.scrypt.isOffered == KeyDerivation.isScryptAvailable)
        #expect(FIPSOmission.argon2id.isOffered == KeyDerivation.isArgon2idAvailable)
        guard !CryptoProvider.isFIPS else { return }
        #expect(FIPSOmission.x25519.isOffered && FIPSOmission.shortKeys.isOffered)
    }

    @Test("The published cases that need something of the list are known from their vectors")
    func needs() throws {
        let cases = try Vectors.figureSuites.flatMap { try $0.cases() }
        for vector in cases {
            #expect((vector.need == .scrypt) == (vector.algorithm == "scrypt"), "\(vector)")
            #expect((vector.need == .x25519) == vector.algorithm.hasSuffix("X25519"), "\(vector)")
        }
        // The fourth has a short salt, which is the key of HKDF-Extract's HMAC.
        let short = cases.filter { $0.need == .shortKeys }.map(\.id)
        #expect(
            short.sorted() == [
                "rfc4231-hmac#2-sha256", "rfc4231-hmac#2-sha384", "rfc4231-hmac#2-sha512",
                "rfc5869-hkdf#1",
            ])
        #expect(cases.allSatisfy { [nil, .scrypt, .x25519, .shortKeys].contains($0.need) })
    }

    @Test(
        "With FIPS, the absence of a listed thing that a case needs is counted apart",
        arguments: FIPSOmission.allCases, absences)
    func apart(need: FIPSOmission, observation: AuditObservation) throws {
        let good = try Self.vector(.accepted, need: nil, id: "2")
        let report = try Self.report([Self.vector(observation, need: need), good])
        #expect(Self.state(of: report) == .notOffered(need.rawValue))
        #expect(report.total.notOffered == 1 && report.total.passed == 1)
        #expect(report.total.cases == 2 && report.isClean)
        // A rejection that was expected is not shown by an algorithm that is absent.
        let bad = try Self.vector(observation, need: need, expectation: .reject(.any))
        #expect(try Self.state(of: Self.report([bad])) == .notOffered(need.rawValue))
    }

    @Test("With the default provider every absence is a deviation", arguments: absences)
    func byDefault(_ observation: AuditObservation) throws {
        for need in [nil] + FIPSOmission.allCases {
            let report = try Self.report([Self.vector(observation, need: need)], isFIPS: false)
            #expect(report.total.failed == 1 && !report.isClean)
        }
    }

    @Test("With FIPS, any other absence is a deviation", arguments: absences)
    func otherAbsence(_ observation: AuditObservation) throws {
        let unlisted = try Self.report([Self.vector(observation, need: nil)])
        #expect(unlisted.total.failed == 1 && !unlisted.isClean)
        let offered = try Self.report([Self.vector(observation, need: .scrypt)], offered: [.scrypt])
        #expect(offered.total.failed == 1 && !offered.isClean)
    }

    @Test(
        "With FIPS, a wrong output and an acceptance of what is invalid are deviations",
        arguments: [
            (.differed("another key came out"), .accept), (.accepted, .reject(.any)),
            (.rejected(.authentication, "no"), .accept), (.rejected(.key, "no"), .accept),
            (.rejected(.parameter, "no"), .accept), (.rejected(.malformed, "no"), .accept),
        ] as [(AuditObservation, AuditExpectation)])
    func wrong(observation: AuditObservation, expectation: AuditExpectation) throws {
        for need in FIPSOmission.allCases {
            let vector = try Self.vector(observation, need: need, expectation: expectation)
            let report = try Self.report([vector])
            #expect(report.total.failed == 1 && !report.isClean, "\(need)")
        }
    }

    @Test("An undecided case stays undecided where its algorithm is absent")
    func undecided() throws {
        let vector = try Self.vector(Self.absences[0], need: .scrypt, expectation: .undecided)
        #expect(try Self.report([vector]).total.undecided == 1)
    }

    @Test("An audit in which everything was absent is not clean")
    func nothing() throws {
        let report = try Self.report([Self.vector(Self.absences[0], need: .scrypt)])
        #expect(!report.isClean && report.deviations.isEmpty)
        #expect(report.verdict.contains("NOTHING WAS RUN."))
    }

    @Test("Each form of the report shows what is not offered")
    func forms() throws {
        let report = try Self.report([
            Self.vector(Self.absences[0], need: .scrypt),
            Self.vector(Self.absences[1], need: .shortKeys, id: "2"),
            Self.vector(.accepted, need: nil, id: "3"),
        ])
        #expect(report.verdict == "No deviation: every case that ran did what is expected of it.")
        let line = "2 (scrypt, short-keys)"
        #expect(report.text.contains("\n  Passed: 1 of 1 cases that ran (1 published, 0 of"))
        #expect(report.text.contains("\n  Cases not offered by this provider: \(line)\n"))
        #expect(
            report.html.contains(
                "<dt>Cases not offered by this provider</dt><dd class=\"open\">\(line)</dd>"))
        for form in [report.text, report.html] { #expect(form.contains("#1")) }
        #expect(report.text.contains("\n  offers scrypt: no\n"))
        let root = try JSONDocument(Array(report.json.utf8)).root
        #expect(root.member("total")?.member("notOffered")?.int64Value == 2)
        #expect(root.member("notOffered")?.count == 2)
        #expect(root.member("libcrypto")?.member("short-keys")?.stringValue == "no")
        let skipped = "<skipped message=\"scrypt: not offered by this provider\"/>"
        #expect(report.junit.contains(skipped))
        #expect(report.junit.contains(" failures=\"0\" skipped=\"2\" "))
        #expect(report.results.contains("[\"case\",\"1\",\"not offered\",null]\n"))
    }

    @Test("What is required and not offered is a deviation, also when no vector needs it")
    func required() throws {
        let cases = try [Self.vector(.accepted, need: nil)]
        for isFIPS in [false, true] {
            let report = try Self.report(
                cases, isFIPS: isFIPS, offered: [.scrypt], required: [.scrypt, .argon2id])
            #expect(!report.isClean)
            #expect(
                report.deviations == ["argon2id: required, and not offered by this provider"])
            #expect(
                report.verdict
                    == "DEVIATION: required, and not offered by this provider: argon2id.")
            #expect(report.junit.contains(" tests=\"3\" failures=\"1\" "))
            #expect(
                report.junit.contains(
                    "name=\"argon2id\"><failure message=\"not offered by this provider\"/>"))
            #expect(
                report.results.hasSuffix(
                    "[\"required\",\"scrypt\",true]\n[\"required\",\"argon2id\",false]\n"))
        }
        let met = try Self.report(cases, offered: [.scrypt], required: [.scrypt])
        #expect(met.isClean && met.verdict.hasPrefix("No deviation: "))
    }
}
