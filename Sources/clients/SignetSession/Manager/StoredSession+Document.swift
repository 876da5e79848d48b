// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension StoredSession {
    /// The stored data: JSON with these members. Programs that are older than an optional member
    /// ignore it.
    private struct Document: Codable {
        var version = 1
        var session: [UInt8]
        var accessToken: String
        var refreshToken: String?
        var userID: String
        var profile: String?
        var obtained: Double
        var lifetime: Double
        var isLifetimeStated: Bool?
        /// `begun`, from before the server is asked until its answer is stored.
        var phase: String?
        /// Makes the item as large as its successor can be.
        var padding: String?
        var pauseBegin: Double?
        var pauseLength: Double?
    }

    /// Two tokens at their limits, and room for the small members.
    private static let largestTokensByteCount = 2 * AccessToken.maximumByteCount + 1_024
    /// The least growth from the present item to its successor that there must be room for.
    private static let growth = 8_192

    /// Reads a stored session.
    ///
    /// - Throws: `corrupt` if it is not a session: another program or a newer version wrote it.
    init(_ value: SecretValue) throws(StoreError) {
        do {
            let document = try value.decoded(as: Document.self)
            guard document.version == 1 else {
                throw SessionError(.invalidGrant, "The item's version is not 1.")
            }
            guard document.session.count == Self.idByteCount, document.obtained.isFinite,
                document.lifetime.isFinite
            else { throw SessionError(.invalidGrant, "The session's id or times are damaged.") }
            // A stored session has the same limits as a grant.
            let grant = try SessionGrant(
                accessToken: AccessToken(document.accessToken),
                refreshToken: document.refreshToken.map { try RefreshToken($0) },
                lifetime: Self.duration(document.lifetime), userID: document.userID,
                profile: document.profile)
            let obtained = NumericDate(secondsSince1970: document.obtained)
            self.init(grant, id: document.session, after: nil, at: obtained)
            isLifetimeStated = document.isLifetimeStated ?? false
            if let begin = document.pauseBegin, let length = document.pauseLength,
                begin.isFinite, length.isFinite
            {
                serverPause = ServerPause(
                    from: NumericDate(secondsSince1970: begin),
                    for: Self.duration(length))
            }
        } catch {
            throw StoreError(
                .corrupt,
                underlying: error,
                "The item holds no session of this version, and stays: remove it to sign in again."
            )
        }
    }

    /// Cut to 0 to 1e9 s first, because a `Duration` cannot hold every number.
    private static func duration(_ seconds: Double) -> Duration {
        .seconds(min(max(seconds, 0), 1e9))
    }

    /// The value that a store keeps.
    func value() throws(StoreError) -> SecretValue { try SecretValue(encoding: document) }

    /// The value that a store keeps while the server is asked.
    ///
    /// - Parameter isPadded: whether the value takes ``roomByteCount()``, so that the successor
    ///   needs no more room on the disk.
    func begunValue(isPadded: Bool) throws(StoreError) -> SecretValue {
        var begun = document
        begun.phase = "begun"
        begun.pauseBegin = nil
        begun.pauseLength = nil
        guard isPadded else { return try SecretValue(encoding: begun) }
        begun.padding = ""
        let count = try roomByteCount() - SecretValue(encoding: begun).byteCount
        begun.padding = String(repeating: "-", count: max(0, count))
        return try SecretValue(encoding: begun)
    }

    /// The room that a successor may need, in bytes: the size of a session at its limits, in JSON
    /// without escapes. A server that has given no profile yet is expected to give none.
    func roomByteCount() throws(StoreError) -> Int {
        let profile = user.profile == nil ? 0 : SessionGrant.maximumProfileByteCount
        return max(Self.largestTokensByteCount + profile, try value().byteCount + Self.growth)
    }

    private var document: Document {
        Document(
            session: id, accessToken: accessToken.exposedText,
            refreshToken: refreshToken?.exposedText, userID: user.id, profile: user.profile,
            obtained: obtained.secondsSince1970, lifetime: lifetime / .seconds(1),
            isLifetimeStated: isLifetimeStated ? true : nil,
            pauseBegin: serverPause?.begin.secondsSince1970,
            pauseLength: serverPause.map { $0.length / .seconds(1) })
    }
}
