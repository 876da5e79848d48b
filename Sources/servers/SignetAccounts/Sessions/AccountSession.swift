// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// A session: a sign-in on a device, and everything refreshed from it.
public struct AccountSession: Sendable, Hashable {
    /// `sid` of its access tokens. It grants no access.
    public let id: String
    /// The user, `sub` of its access tokens.
    public let userID: String
    /// The device's own description, for the user's list.
    public let device: String?
    /// The client that alone refreshes and revokes it; nil for any.
    public let clientID: String?
    /// The sign-in.
    public let begunAt: NumericDate
    /// The last exchange of a refresh token; before that, the sign-in.
    public let refreshedAt: NumericDate

    /// Reads `id`, `user_id`, `device`, `begun_at`, `refreshed_at` and `client_id`, the first
    /// columns of a row.
    init(_ row: SQLRow) throws(AccountError) {
        id = try row.text(0)
        userID = try row.text(1)
        device = row.isNull(2) ? nil : try row.text(2)
        begunAt = try row.time(3)
        refreshedAt = try row.time(4)
        clientID = row.isNull(5) ? nil : try row.text(5)
    }

    /// Checks that a client may use the session's tokens. An empty identifier counts as none (RFC
    /// 6749, section 3.2).
    ///
    /// - Throws: `missingClient`, `otherClient`.
    func check(_ clientID: String?) throws(AccountError) {
        guard let own = self.clientID else { return }
        guard let clientID, !clientID.isEmpty else { throw .missingClient }
        guard own.utf8.elementsEqual(clientID.utf8) else { throw .otherClient }
    }

    /// The longest label of a device that is kept, in Unicode scalars.
    public static let maximumDeviceScalarCount = 100

    /// The kept part of a label: its beginning, without characters that control how the text around
    /// it is shown.
    static func label(_ text: String) -> String? {
        var label = String.UnicodeScalarView()
        // Bounded, so that a long text of such characters costs little.
        for scalar in text.unicodeScalars.prefix(4 * maximumDeviceScalarCount)
        where scalar.isShownInLine {
            guard label.count < maximumDeviceScalarCount else { break }
            label.append(scalar)
        }
        return label.isEmpty ? nil : String(label)
    }
}
