// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetEmail
internal import SignetPlatform

/// Which domains are allowed, and the lists that a policy consults: the options of `signet email
/// check`.
struct EmailPolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A domain whose addresses are allowed, '*.domain' for those below it; may be repeated.",
            valueName: "domain"))
    var allowDomain: [String] = []

    @Flag(help: "Allow their subdomains too.")
    var includeSubdomains = false

    @Option(file: "Look up public suffixes in this list (publicsuffix.org).")
    var publicSuffixList: String?

    @Option(file: "File with more consumer domains, one per line; '*.domain' is all below it.")
    var consumerList: String?

    @Option(file: "File with more disposable domains, as above.")
    var disposableList: String?

    /// The files that may be standard input.
    var files: [String?] { [publicSuffixList, consumerList, disposableList] }

    func policy() throws -> BusinessEmailPolicy {
        try require(
            !allowDomain.isEmpty, otherwise: "Say which domain is allowed.",
            advice: "--allow-domain company.example")
        let suffixes: any PublicSuffixSource =
            try Self.list(publicSuffixList, maximumByteCount: PublicSuffixList.maximumByteCount) {
                try PublicSuffixList(octets: $0)
            } ?? BuiltInPublicSuffixes()
        var lists = EmailDomainLists()
        let consumer = try Self.list(consumerList, maximumByteCount: DomainList.maximumByteCount) {
            try DomainList(octets: $0, publicSuffixes: suffixes)
        }
        let disposable = try Self.list(
            disposableList, maximumByteCount: DomainList.maximumByteCount
        ) {
            try DomainList(octets: $0, publicSuffixes: suffixes)
        }
        if let consumer { lists.consumer = lists.consumer.union(consumer) }
        if let disposable { lists.disposable = lists.disposable.union(disposable) }
        let rules = allowDomain.flatMap(EmailDomainRule.rules(fromList:)).map(widened)
        do {
            return try BusinessEmailPolicy(allowing: rules, publicSuffixes: suffixes, lists: lists)
        } catch {
            throw CommandFailure(
                status: .usage, code: error.code.rawValue, message: "\(messageOf: error)")
        }
    }

    /// The rule, with the domains below it where the command line asks for them.
    private func widened(_ rule: EmailDomainRule) -> EmailDomainRule {
        guard includeSubdomains, case .exact(let domain) = rule else { return rule }
        return .includeSubdomains(domain)
    }

    /// A list in a file. If it cannot be read, the command line is wrong: status 1 is for refused
    /// addresses.
    private static func list<List>(
        _ file: String?, maximumByteCount: Int, _ read: ([UInt8]) throws -> List
    ) throws -> List? {
        guard let file else { return nil }
        let octets = try Input.bytes(file, maximumByteCount: maximumByteCount)
        do {
            return try read(octets)
        } catch let error as EmailListError {
            throw CommandFailure(
                status: .usage, code: error.code.rawValue,
                message: "\(typed: file): \(messageOf: error)")
        }
    }
}
