// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CPSL

/// A list of libpsl, loaded once and asked from any thread.
///
/// `@unchecked Sendable`: libpsl reads a loaded list and never writes to it.
@safe
package final class SuffixList: @unchecked Sendable {
    private let list: OpaquePointer

    /// The newer of the distribution's file and the list that libpsl was built with; nil without
    /// both.
    package static func newest() -> SuffixList? {
        unsafe SuffixList(psl_latest(nil))
    }

    /// The list that libpsl was built with; nil without one.
    package static func builtIn() -> SuffixList? {
        unsafe SuffixList(psl_builtin())
    }

    /// A file in the published format or in libpsl's own; nil when it cannot be read.
    package static func file(_ path: String) -> SuffixList? {
        unsafe SuffixList(psl_load_file(path))
    }

    private init?(_ list: OpaquePointer?) {
        guard let list = unsafe list else { return nil }
        unsafe self.list = list
    }

    deinit {
        // It leaves the list that libpsl was built with alone.
        unsafe psl_free(list)
    }

    /// Whether the list has a rule by which this very name is a public suffix. A name of one label
    /// is not one merely because no rule is about it.
    package func isListed(_ name: String) -> Bool {
        unsafe psl_is_public_suffix2(list, name, cpsl_listed()) == 1
    }

    /// The public suffix above the name and one label more, or nil when the name is a suffix
    /// itself. `name` is in lower case.
    package func registrableDomain(_ name: String) -> String? {
        unsafe name.withCString { name in
            // It points into the name.
            guard let found = unsafe psl_registrable_domain(list, name) else { return nil }
            return unsafe String(cString: found)
        }
    }

    /// The rules, or nil where libpsl does not count them (its own format).
    package var ruleCount: Int? {
        let count = unsafe psl_suffix_count(list)
        return count >= 0 ? Int(count) : nil
    }

    /// libpsl's version, for example `0.21.2`, with what it was built with.
    package static var libraryVersion: String {
        guard let text = unsafe psl_get_version() else { return "" }
        return unsafe String(cString: text)
    }
}
