// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
public import SignetIdentity
internal import SignetJOSE

/// A cookie of your own that only your server can read and make, sealed with XAES-256-GCM:
/// encrypted, and any change of it is noticed.
///
/// ```swift
/// let cart = try SealedCookie(
///     key: key, name: "__Host-cart", purpose: "cart, version 1", lifetime: .seconds(7 * 86_400))
/// // The value of Set-Cookie.
/// let setCookie = try cart.setting("2 of article 17".utf8)
/// // A later request: the values of its Cookie fields; nil if it has no such cookie.
/// let contents = try cart.contents(in: cookies)
/// ```
///
/// Checked when a cookie is opened: that one of the keys sealed it for this name and this purpose,
/// that no byte of it has changed, and that its lifetime is not over by the server's clock, without
/// leeway. Only one text is accepted for a cookie: base64url without padding.
///
/// **Not** checked: that a cookie is presented for the first time, that it is the newest one, or
/// that it comes from the browser that it was set in. A copy is good until it expires, also after
/// the browser has removed it: what must be taken back or count once belongs into a store on the
/// server. A browser sends the cookie for other sites' pages too: before a request changes
/// anything, ask `SiteOrigins`.
///
/// The cookie is named `__Host-…`, so that no other host of the domain can plant one. Its length
/// tells the length of the contents. Contents that do not fit are refused; nothing is compressed or
/// divided among several cookies.
public struct SealedCookie: Sendable {
    /// The most bytes of name, `=` and value: 4,000. With its attributes a cookie stays below the
    /// 4,096 bytes that every browser stores (RFC 6265, section 6.1).
    public static let maximumByteCount = 4_000

    /// The cookie's name.
    public let name: String
    private let seconds: Int64
    private let sealer: ExpiringSeal
    private let clock: TimeSource
    /// Writes the attributes of `Set-Cookie`: `SameSite=Lax` and so on.
    private let form = HostCookie(.lax)

    /// Makes a way to seal and open the cookies of one name and purpose.
    ///
    /// - Parameters:
    ///   - key: 32 bytes, the same on all instances. Cookies of other names and purposes may share
    ///     it.
    ///   - previous: earlier keys, which only open. Keep each for a lifetime after its successor
    ///     has begun to seal on all instances. A cookie that none sealed is tried with every key.
    ///   - name: `__Host-` and 1 to 64 letters, digits, `-` and `_`.
    ///   - purpose: what the contents are, in a text of 1 to 255 bytes, such as `cart, version 1`.
    ///     A cookie that was sealed for another purpose is not opened: change the purpose with the
    ///     form of the contents.
    ///   - lifetime: how long a cookie is good: 1 s to 34,560,000 s (400 days, which is as long as
    ///     browsers store one), in whole seconds.
    ///   - clock: the source of the time; tests pass a `ManualClock`'s.
    /// - Throws: `invalidSecret` for a key that does not have 32 bytes, `invalidIdentifier` for a
    ///   name or purpose of any other form, `outOfRange` for the lifetime.
    public init(
        key: SecretKey, previous: [SecretKey] = [], name: String, purpose: String,
        lifetime: Duration, clock: TimeSource = .system
    ) throws(IdentityConfigurationError) {
        guard ([key] + previous).allSatisfy({ $0.byteCount == ExpiringSeal.keyByteCount }) else {
            throw IdentityConfigurationError(
                .invalidSecret, "A key that seals cookies has 32 bytes.")
        }
        // Made only for its check: one rule for the names of all cookies.
        _ = try SessionCookie(name: name)
        guard (1...255).contains(purpose.utf8.count) else {
            throw IdentityConfigurationError(
                .invalidIdentifier, "The purpose of a sealed cookie has 1 to 255 bytes.")
        }
        seconds = lifetime.wholeSeconds
        guard (1...HostCookie.maximumSeconds).contains(seconds) else {
            throw IdentityConfigurationError(
                .outOfRange,
                "The lifetime of a sealed cookie is 1 s to 34,560,000 s (400 days), not \(lifetime)."
            )
        }
        self.name = name
        self.clock = clock
        // The name has no line feed, so no other name and purpose give the same text.
        sealer = ExpiringSeal(
            key, previous: previous, context: Array("signet cookie\n\(name)\n\(purpose)".utf8))
    }

    /// Seals contents for one lifetime from now: the cookie's value, in base64url.
    ///
    /// - Parameter contents: any bytes. 2,890 fit with every name, and more with a short one.
    /// - Throws: `tooLarge`, `libraryFailure`.
    public func seal(_ contents: some Collection<UInt8>) throws(SealedCookieError) -> String {
        // Long contents are not sealed first.
        guard contents.count <= Self.maximumByteCount else { throw Self.tooLarge }
        let sealed: [UInt8]
        do throws(CryptographyError) {
            sealed = try sealer.seal(Array(contents), forSeconds: seconds, now: now)
        } catch {
            throw Self.libraryFailure(error)
        }
        let value = Base64URL.encode(sealed)
        guard fits(value) else { throw Self.tooLarge }
        return value
    }

    /// Opens a cookie's value.
    ///
    /// - Throws: `notAuthentic`, `expired` (from the second on at which the lifetime is over),
    ///   `libraryFailure`.
    public func open(_ value: String) throws(SealedCookieError) -> [UInt8] {
        guard fits(value), let sealed = try? Base64URL.decode(value) else {
            throw Self.notAuthentic
        }
        do throws(ExpiringSeal.Refusal) {
            return try sealer.open(sealed, now: now)
        } catch {
            switch error {
            // `otherForm` is sealed with the key, but by another program.
            case .notAuthentic, .otherForm: throw Self.notAuthentic
            case .expired:
                throw SealedCookieError(.expired, "The lifetime of the sealed cookie is over.")
            case .libraryFailure(let error): throw Self.libraryFailure(error)
            }
        }
    }

    /// Seals contents: the value of `Set-Cookie` that stores them for a lifetime (`Path=/; Secure;
    /// HttpOnly; SameSite=Lax`).
    ///
    /// - Throws: the errors of ``seal(_:)``.
    public func setting(_ contents: some Collection<UInt8>) throws(SealedCookieError) -> String {
        form.setting(try seal(contents), named: name, forSeconds: seconds)
    }

    /// The value of `Set-Cookie` that removes the cookie. A copy of it stays good until it expires.
    public var clearing: String { form.clearing(name) }

    /// Opens the cookie of a request.
    ///
    /// - Parameter cookies: the values of all `Cookie` fields.
    /// - Returns: the contents; nil if the request has no cookie of the name.
    /// - Throws: `repeated` for two cookies of the name, even equal ones, and the errors of
    ///   ``open(_:)``.
    public func contents(in cookies: [String]) throws(SealedCookieError) -> [UInt8]? {
        let values = HostCookie.values(of: name, in: cookies)
        guard values.count <= 1 else {
            throw SealedCookieError(.repeated, "The request has several cookies of the name.")
        }
        guard let value = values.first else { return nil }
        return try open(value)
    }

    private var now: Int64 { ExpiringSeal.secondsSince1970(by: clock) }

    /// Whether name, `=` and value together are not too long.
    private func fits(_ value: String) -> Bool {
        value.utf8.count <= Self.maximumByteCount - name.utf8.count - 1
    }

    private static let notAuthentic = SealedCookieError(
        .notAuthentic,
        "The cookie was not sealed with these keys for this name and purpose, or it was changed.")
    private static let tooLarge = SealedCookieError(
        .tooLarge,
        "Name and value of a sealed cookie have at most \(maximumByteCount) bytes. Keep less in it."
    )
    private static func libraryFailure(_ error: CryptographyError) -> SealedCookieError {
        SealedCookieError(
            .libraryFailure, underlying: error,
            "libcrypto has no randomness or no memory, or lacks AES-256-GCM.")
    }
}
