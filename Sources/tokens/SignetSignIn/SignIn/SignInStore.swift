// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where pending sign-ins wait for their callback, such as a table that all instances of a server
/// share. Its records are sealed under a key that only the browser's cookie yields.
public protocol SignInStore: Sendable {
    /// Keeps a record as durably as the server's other data.
    ///
    /// - Parameters:
    ///   - name: 43 characters of base64url, never used before.
    ///   - record: up to 1 KiB.
    ///   - seconds: after that the record may be removed, and is not asked for again.
    func keep(_ record: [UInt8], named name: String, forSeconds seconds: Int) async throws

    /// Takes a record: of any number of simultaneous callers, in any process, **at most one** gets
    /// it, and no later caller does. In SQL, `DELETE … WHERE name = … RETURNING record`.
    ///
    /// - Parameter name: from the browser, but of the same form: look it up as it is.
    /// - Returns: nil if no record has this name.
    func take(_ name: String) async throws -> [UInt8]?
}
