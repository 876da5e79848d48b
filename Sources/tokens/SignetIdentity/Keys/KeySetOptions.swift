// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// How long keys are kept and how much a refresh may cost. The defaults are recommended.
///
/// A ``RemoteKeySet`` rejects values outside the ranges given here (`outOfRange`).
public struct KeySetOptions: Sendable {
    /// The algorithms whose keys are loaded; not empty. Other keys are skipped. A key has a single
    /// algorithm. An RSA key that names none is loaded as RS256 if that is in the list, otherwise
    /// as the list's first RSA algorithm. If an issuer signs with RS512 and its keys do not say so,
    /// leave RS256 out.
    public var algorithms: [SignatureAlgorithm] = [.rs256]
    /// How often an issuer is asked because of tokens. About an unknown `kid`: three times in a
    /// burst, then once per cooldown. About a key that may have been replaced, for example because
    /// it does not verify a signature: once per cooldown. 30 s; 1 s to 1 h. The cooldown is also
    /// the longest pause after failed attempts, which begins at 1 s and doubles.
    public var cooldown: Duration = .seconds(30)
    /// What happens to a token whose key is unknown or may have been replaced while no fetch for it
    /// is allowed (`keyHeldBack`). By default the answer is 503 with `Retry-After`, since the key
    /// may just be new. If true, it is 401, which signs out people whose key is new.
    ///
    /// Set it if a load balancer takes instances out of service for 503: anyone can invent `kid`s
    /// and signatures.
    public var refusesHeldBackKeys = false
    /// How long keys are fresh if the server does not say: 600 s; 1 s to 24 h, and within
    /// ``lifetimeBounds``.
    public var defaultLifetime: Duration = .seconds(600)
    /// The shortest and longest lifetime that the server (`Cache-Control`) can set: 60 s to
    /// 24 h; 1 s to 24 h.
    public var lifetimeBounds: ClosedRange<Duration> = .seconds(60) ... .seconds(86_400)
    /// The share of the lifetime after which the next use starts a background refresh: 0.8; 0.1
    /// to 1. With 1 no refresh starts early.
    public var refreshAheadShare: Double = 0.8
    /// How long keys are still served past their lifetime, while a fetch runs or fails: 1 h; 0 to
    /// 24 h. With 0 the first caller after their lifetime waits for the fetch, and never gets a
    /// withdrawn key.
    public var maximumStaleness: Duration = .seconds(3_600)
    /// The longest document, in bytes: 524,288; 256 to 524,288.
    public var maximumByteCount = 524_288
    /// The most members of a key set, usable or not: 100; 1 to 1,000.
    public var maximumKeyCount = 100
    /// How long a document may take, including redirects: 5 s; 0.1 s to 60 s. Enforced even if the
    /// transport does not enforce it.
    public var timeout: Duration = .seconds(5)
    /// The most redirects to follow, all to the same scheme, host and port: 3; 0 to 3.
    public var maximumRedirects = 3
    /// The source of the time: elapsed time for lifetimes, pauses and timeouts, the time of day
    /// only for the validity of certificates.
    ///
    /// If the elapsed time goes back, keys become due for a refresh and are not kept longer.
    public var clock = TimeSource.system
    /// Receives events on any thread, outside every lock. The closure must be quick, since callers
    /// wait for it. Events of different threads may come in any order.
    public var onEvent: @Sendable (KeySetEvent) -> Void = { _ in }

    /// The recommended values.
    public init() {}
}
