// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PSLBridge
public import SignetEmail

/// The public suffix list of libpsl: with the list that the distribution keeps up to date, or one
/// of your own.
///
/// ```swift
/// let policy = try BusinessEmailPolicy(allowing: ["company.example"], publicSuffixes: LibPSL())
/// ```
///
/// Both sections of the list count (`co.uk` of the first, `github.io` of the second). Domains are
/// asked for in their ASCII form, which an ``EmailDomain`` has; libpsl knows the ASCII forms of the
/// list's other names, where it was built with a library for them, as distributions do. In one
/// thing libpsl is stricter than the list's text: what stands right above a wildcard (`nom.br`, of
/// the rule `*.nom.br`) is a public suffix to it as well. A loaded list is never read again: who
/// runs for months loads it again now and then.
public struct LibPSL: PublicSuffixSource {
    private let list: SuffixList

    /// The newer of the distribution's file (package `publicsuffix`) and the list that libpsl was
    /// built with.
    ///
    /// - Throws: ``LibPSLError``, code `unavailable`, when there is neither.
    public init() throws(LibPSLError) {
        guard let list = SuffixList.newest() else {
            throw LibPSLError(
                .unavailable, "libpsl was built without a list, and there is no file of the distribution."
            )
        }
        try self.init(list, "The newest list of this machine")
    }

    /// A file, as it is published (`public_suffix_list.dat`) or in libpsl's own compact form.
    ///
    /// Whole and not too large is for you to see to: a file that was cut off in the middle is a
    /// valid, shorter list.
    ///
    /// - Throws: ``LibPSLError``, code `unreadable` when the file cannot be read, `notAList` when
    ///   it does not know that `com` is a public suffix.
    public init(file path: String) throws(LibPSLError) {
        // C would end the path there.
        guard !path.utf8.contains(0), let list = SuffixList.file(path) else {
            throw LibPSLError(.unreadable, "The public suffix list cannot be read from \(path).")
        }
        try self.init(list, path)
    }

    /// The list that libpsl was built with, whatever files are on the machine.
    ///
    /// - Throws: ``LibPSLError``, code `unavailable`, when libpsl was built without one.
    public static func builtIn() throws(LibPSLError) -> LibPSL {
        guard let list = SuffixList.builtIn() else {
            throw LibPSLError(.unavailable, "libpsl was built without a list.")
        }
        return try LibPSL(list, "The list that libpsl was built with")
    }

    private init(_ list: SuffixList, _ name: String) throws(LibPSLError) {
        // libpsl takes every line of every file for a rule.
        guard list.isListed("com") else {
            throw LibPSLError(.notAList, "\(name) has no rule for com: it is not the public suffix list.")
        }
        self.list = list
    }

    /// Whether this very domain is a public suffix, of either section of the list.
    public func isPublicSuffix(_ domain: EmailDomain) -> Bool {
        list.isListed(domain.text)
    }

    /// The domain that was registered: the public suffix above it and one label more. For
    /// `mail.company.co.uk` that is `company.co.uk`, under a top-level domain without a rule the
    /// last two labels; nil for a public suffix.
    public func registrableDomain(of domain: EmailDomain) -> EmailDomain? {
        guard let text = list.registrableDomain(domain.text) else { return nil }
        return try? EmailDomain(text)
    }

    /// How many rules the list has, or nil where libpsl does not count them (its own compact form).
    public var ruleCount: Int? { list.ruleCount }

    /// libpsl's version and what it was built with, as it says itself.
    public static var libraryVersion: String { SuffixList.libraryVersion }
}
