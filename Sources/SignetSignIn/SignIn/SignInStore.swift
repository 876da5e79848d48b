// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where sign-ins that have begun wait for their callback: a table that all instances of a server
/// share, for example. What it gets is sealed under a key that only the browser's cookie yields.
public protocol SignInStore: Sendable {
    /// Keeps a record, durably enough to survive what the server survives.
    ///
    /// - Parameters:
    ///   - name: 43 characters of base64url, never used before.
    ///   - record: up to 1 KiB.
    ///   - seconds: after which it may be removed, and no one will ask for it any more.
    func keep(_ record: [UInt8], named name: String, forSeconds seconds: Int) async throws

    /// Takes a record: of any number of simultaneous callers, in any process, **at most one**
    /// gets it, and no one later. In SQL, `DELETE … WHERE name = … RETURNING record`.
    ///
    /// - Parameter name: from the browser, but of the same form: look it up as it is.
    /// - Returns: nil when no record has this name.
    func take(_ name: String) async throws -> [UInt8]?
}
