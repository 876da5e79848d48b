// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetEmail

/// Which domains are allowed, and the lists that a policy looks at: the options of `signet email check`.
struct EmailPolicyOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-domain"),
        help: ArgumentHelp(
            "A domain whose addresses are allowed; may be repeated.", valueName: "domain"))
    var domains: [String] = []

    @Flag(name: .long, help: "Allow the domains below them as well.")
    var includeSubdomains = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Look up public suffixes in this list (publicsuffix.org).", valueName: "file"),
        completion: .file())
    var publicSuffixList: String?

    @Option(
        name: .long,
        help: ArgumentHelp("More consumer domains, one a line.", valueName: "file"),
        completion: .file())
    var consumerList: String?

    @Option(
        name: .long,
        help: ArgumentHelp("More disposable domains, one a line.", valueName: "file"),
        completion: .file())
    var disposableList: String?

    /// The files that may be standard input.
    var files: [String?] { [publicSuffixList, consumerList, disposableList] }

    func policy() throws -> BusinessEmailPolicy {
        guard !domains.isEmpty else {
            throw CommandFailure.usage(
                "Say which domain is allowed.", advice: "--allow-domain company.example")
        }
        var lists = EmailDomainLists()
        if let list = try Self.domains(consumerList) { lists.consumer = lists.consumer.union(list) }
        if let list = try Self.domains(disposableList) {
            lists.disposable = lists.disposable.union(list)
        }
        let rules = domains.map {
            includeSubdomains ? EmailDomainRule.includeSubdomains($0) : .exact($0)
        }
        let suffixes: any PublicSuffixSource =
            try Self.suffixes(publicSuffixList) ?? BuiltInPublicSuffixes()
        do throws(EmailPolicyError) {
            return try BusinessEmailPolicy(allowing: rules, publicSuffixes: suffixes, lists: lists)
        } catch {
            throw CommandFailure(status: .usage, code: error.code.rawValue, message: error.message)
        }
    }

    private static func domains(_ file: String?) throws -> DomainList? {
        guard let file else { return nil }
        let octets = try Input.bytes(file, maximumByteCount: DomainList.maximumByteCount)
        return try reading(file) { () throws(EmailListError) in try DomainList(octets: octets) }
    }

    private static func suffixes(_ file: String?) throws -> PublicSuffixList? {
        guard let file else { return nil }
        let octets = try Input.bytes(file, maximumByteCount: PublicSuffixList.maximumByteCount)
        return try reading(file) { () throws(EmailListError) in try PublicSuffixList(octets: octets)
        }
    }

    /// A list that is not read is a wrong command line: status 1 is for addresses.
    private static func reading<List>(
        _ file: String, _ body: () throws(EmailListError) -> List
    ) throws -> List {
        do throws(EmailListError) {
            return try body()
        } catch {
            let line = error.line.map { ", line \($0)" } ?? ""
            throw CommandFailure(
                status: .usage, code: error.code.rawValue,
                message: "\(file)\(line): \(error.message)")
        }
    }
}
