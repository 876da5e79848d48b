// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// How long keys are kept and how much a refresh may cost. The defaults are the recommended values.
///
/// Values outside the ranges given here are refused when the ``RemoteKeySet`` is made
/// (`outOfRange`).
public struct KeySetOptions: Sendable {
    /// The algorithms whose keys are loaded; not empty. Keys of others are skipped. A key has one
    /// algorithm: an RSA key that names none is loaded as RS256 where that is in the list, else as
    /// the first of the list that is of RSA. Where an issuer signs with RS512 and does not say so
    /// in its keys, leave RS256 out.
    public var algorithms: [SignatureAlgorithm] = [.rs256]
    /// How often an issuer is asked because of a `kid` that is unknown: three times in a burst,
    /// then once in this time: 30 s; 1 s to 1 h. It is also the longest pause after failed
    /// attempts, which begins with 1 s and doubles.
    public var cooldown: Duration = .seconds(30)
    /// What happens to a token whose `kid` is unknown while no fetch for it is allowed
    /// (`keyHeldBack`): 503 with `Retry-After`, since the key may just be new; with true 401, which
    /// signs people out whose key is new.
    ///
    /// Set it where a balancer takes an instance out of service because of 503: anybody can make up
    /// `kid`s.
    public var refusesHeldBackKeys = false
    /// How long keys are good when the server does not say: 600 s; 1 s to 24 h, and then inside
    /// ``lifetimeBounds``.
    public var defaultLifetime: Duration = .seconds(600)
    /// The shortest and longest lifetime that the server (`Cache-Control`) can set: 60 s to
    /// 24 h; 1 s to 24 h.
    public var lifetimeBounds: ClosedRange<Duration> = .seconds(60) ... .seconds(86_400)
    /// The share of the lifetime after which the next use starts a background refresh: 0.8;
    /// 0.1 to 1. With 1 no refresh starts ahead of time.
    public var refreshAheadShare: Double = 0.8
    /// How long keys are still served past their lifetime, while they are fetched beside it or
    /// fetching fails: 1 h; 0 to 24 h. With 0 the first caller after their lifetime waits for the
    /// fetch, and is never served a key that was withdrawn meanwhile.
    public var maximumStaleness: Duration = .seconds(3_600)
    /// The longest document, in bytes: 524 288; 256 to 524 288.
    public var maximumByteCount = 524_288
    /// The most members of a key set, usable or not: 100; 1 to 1 000.
    public var maximumKeyCount = 100
    /// How long one document may take, redirects included: 5 s; 0.1 s to 60 s. It holds against a
    /// transport that does not keep it, too.
    public var timeout: Duration = .seconds(5)
    /// The most redirects that are followed, all to the same scheme, host and port: 3; 0 to 3.
    public var maximumRedirects = 3
    /// Where the time comes from: the time that passes for lifetimes, pauses and timeout, the time
    /// of day for the validity of certificates alone.
    ///
    /// Time that goes back all the same makes keys due for a refresh, and neither valid for longer
    /// nor refreshed never.
    public var clock = TimeSource.system
    /// Told what happens, on whatever thread it happens and outside of every lock; must be quick,
    /// since callers wait for it. Events of different threads may come in any order.
    public var onEvent: @Sendable (KeySetEvent) -> Void = { _ in }

    /// The recommended values.
    public init() {}
}
