// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where pending sign-ins wait for their callback, for example a table that all instances of a
/// server share. Records are sealed under a key that only the browser's cookie and the callback
/// yield.
public protocol SignInStore: Sendable {
    /// Keeps a record as durably as the server's other data.
    ///
    /// - Parameters:
    ///   - name: 43 characters of base64url, never used before.
    ///   - record: up to 1 KiB.
    ///   - seconds: how long the record is needed. It may be removed afterwards, and is not asked
    ///     for again.
    func keep(_ record: [UInt8], named name: String, forSeconds seconds: Int) async throws

    /// Takes a record. **At most one** of any number of simultaneous callers, in any process, gets
    /// it, and no later caller does. In SQL, `DELETE … WHERE name = … RETURNING record`.
    ///
    /// - Parameter name: derived from the browser's request, but always of the form that
    ///   ``keep(_:named:forSeconds:)`` gets: look it up as it is.
    /// - Returns: nil if no record has this name.
    func take(_ name: String) async throws -> [UInt8]?
}
