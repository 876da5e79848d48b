// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Why the keys in hand may be out of date. The whole policy for what a rejected token means for
/// their freshness is here.
///
/// | Failure | What may have changed | The issuer is asked again |
/// |---|---|---|
/// | `noMatchingKey`: no key has the `kid` | a new key | from the budget for ``unknownKey`` |
/// | `signatureInvalid`: the key of this `kid`, or the only one | replaced | ``replacedKey`` |
/// | `ambiguousKey`: several keys fit | the earlier ones withdrawn | ``replacedKey`` |
/// | `noMatchingKey`, `unusableKey`: a skipped key or certificate | mended | ``replacedKey`` |
/// | `algorithmNotAllowed`: another one than the key's | replaced | ``replacedKey`` |
/// | `algorithmNotAllowed`: none of the issuer's | nothing | no |
/// | `noMatchingKey`, `noKeyID`: a `kid` that is always there is absent | nothing | no |
/// | a malformed token; claims under a good signature; `libraryFailure` | nothing | no |
///
/// The two reasons have separate budgets, so that forged signatures do not keep a new `kid` out
/// (``FetchBudget``). A token with ``replacedKey`` causes no fetch if the set was fetched long
/// after the token was issued (``RemoteKeySet/wasFetched(_:longAfter:)``). Every other token is
/// rejected only when a fetch that began after the token came has brought no key for it. Until then
/// the answer is 503.
package enum StaleKeyReason: Sendable {
    /// No key in hand has the token's `kid`.
    case unknownKey
    /// The key in hand that the token names does not verify the token.
    case replacedKey

    /// - Parameter issuerUsesAlgorithm: whether the issuer signs with the header's `alg`; evaluated
    ///   only for `algorithmNotAllowed`.
    /// - Returns: nil if newer keys cannot change the outcome.
    init?(_ error: TokenError, issuerUsesAlgorithm: @autoclosure () -> Bool) {
        switch (error.code, error.detail) {
        case (.noMatchingKey, nil): self = .unknownKey
        case (.signatureInvalid, _), (.ambiguousKey, _), (.noMatchingKey, .unusableKey):
            self = .replacedKey
        case (.algorithmNotAllowed, nil) where issuerUsesAlgorithm(): self = .replacedKey
        default: return nil
        }
    }

    var trigger: KeySetEvent.Trigger {
        switch self {
        case .unknownKey: .unknownKey
        case .replacedKey: .replacedKey
        }
    }
}
