// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetJOSE

extension SignIn {
    /// Where a sign-in waits for its callback. In a cookie and in a store it is sealed, bound to
    /// this provider, client and redirect URI, and expires after 10 minutes.
    public enum Keeping: Sendable {
        /// In the browser's cookie, sealed with a key of the server: no state on the server.
        ///
        /// The risk: a copy of cookie and callback can be presented again within the 10 minutes.
        /// Only the provider's one-time code stops that.
        ///
        /// - Parameters:
        ///   - key: 32 bytes, the same on all instances and used for nothing else.
        ///   - previous: earlier keys that may still have sealed cookies; needed for 10 minutes
        ///     after a change.
        case cookie(sealedWith: SecretKey, previous: [SecretKey] = [])
        /// In a store, from which the callback takes the sign-in once. The cookie, or the program,
        /// holds a random ticket, from which the key is derived: a copy of the store reveals
        /// nothing.
        case store(any SignInStore)
    }
}

/// Seals a pending sign-in when it begins, keeps it, and finds and opens it for its callback.
///
/// The *ticket* is what the browser, or the program, holds in between:
///
/// | Kept in | Ticket, in base64url | The store's record |
/// |---|---|---|
/// | a cookie | the sealed sign-in | none |
/// | a store | 32 random bytes | the sealed sign-in; name and key derived from ticket and state |
///
/// `let ticket = try await keeper.keep(pending, now: now)`, and for the callback
/// `try await keeper.take(ticket, state: state, now: now)`.
struct SignInKeeper: Sendable {
    private static let ticketByteCount = 32
    /// The longest sealed sign-in, with some room.
    private static let maximumTicketByteCount = 1_024

    private let keeping: SignIn.Keeping
    /// The provider, client and redirect URI that a sealed sign-in is bound to.
    private let context: [UInt8]

    /// - Parameter context: provider, client and redirect URI.
    init(_ keeping: SignIn.Keeping, context: String) {
        self.keeping = keeping
        self.context = Array(("signet sign-in\n" + context).utf8)
    }

    /// Seals and keeps a sign-in for its lifetime, and returns its ticket.
    func keep(
        _ pending: PendingSignIn, now: Int64
    ) async throws(AuthorizationError) -> String {
        switch keeping {
        case .cookie(let key, _):
            return Base64URL.encode(try seal(pending, using: key, now: now))
        case .store(let store):
            let ticket: [UInt8]
            do throws(CryptographyError) {
                ticket = try SecureRandom.bytes(count: Self.ticketByteCount)
            } catch {
                throw Self.libraryFailure
            }
            let (name, key) = try nameAndKey(ticket, state: pending.state)
            let record = try seal(pending, using: key, now: now)
            do {
                try await store.keep(record, named: name, forSeconds: PendingSignIn.lifetime)
            } catch {
                throw Self.storeFailure(error)
            }
            return Base64URL.encode(ticket)
        }
    }

    /// Finds and opens the sign-in of a ticket; takes it out of a store.
    ///
    /// - Parameter state: the callback's state.
    /// - Throws: `notPending`, `expired`, `storeUnavailable`.
    func take(
        _ ticket: String, state: AuthorizationState, now: Int64
    ) async throws(AuthorizationError) -> PendingSignIn {
        // PendingSignIn describes what is sealed, and ExpiringSeal how.
        guard ticket.utf8.count <= Self.maximumTicketByteCount,
            let ticket = try? Base64URL.decode(ticket),
            let (sealed, sealer) = try await find(ticket, state: state)
        else { throw Self.notPending }
        let bytes: [UInt8]
        do throws(ExpiringSeal.Refusal) {
            bytes = try sealer.open(sealed, now: now)
        } catch {
            switch error {
            case .notAuthentic: throw Self.notPending
            case .otherForm: throw PendingSignIn.otherForm
            case .expired:
                throw AuthorizationError(
                    .expired, "The sign-in was begun more than 10 minutes ago.")
            case .libraryFailure: throw Self.libraryFailure
            }
        }
        return try PendingSignIn(bytes)
    }

    /// The sealed sign-in of a ticket and what opens it; nil if the ticket is not this program's,
    /// or its record is gone.
    private func find(
        _ ticket: [UInt8], state: AuthorizationState
    ) async throws(AuthorizationError) -> (sealed: [UInt8], sealer: ExpiringSeal)? {
        switch keeping {
        case .cookie(let key, let previous):
            return (ticket, ExpiringSeal(key, previous: previous, context: context))
        case .store(let store):
            guard ticket.count == Self.ticketByteCount else { return nil }
            // A state that does not match the ticket leads to no record, so that no pending sign-in
            // is lost.
            let (name, key) = try nameAndKey(ticket, state: state)
            let record: [UInt8]?
            do {
                record = try await store.take(name)
            } catch {
                throw Self.storeFailure(error)
            }
            return record.map { ($0, ExpiringSeal(key, context: context)) }
        }
    }

    /// The name of a record and the key that it is sealed with. Both depend on ticket, state and
    /// context, so another `SignIn` with the same store finds and takes nothing. The name's 32
    /// bytes become the 43 characters that ``SignInStore`` promises.
    private func nameAndKey(
        _ ticket: [UInt8], state: AuthorizationState
    ) throws(AuthorizationError) -> (name: String, key: SecretKey) {
        do throws(CryptographyError) {
            let root = try KeyDerivation.hkdfExtract(
                SecretKey(copying: ticket), salt: state.exposedText.utf8)
            let name = try KeyDerivation.hkdfExpand(
                root, info: Array("name of ".utf8) + context, byteCount: 32)
            let key = try KeyDerivation.hkdfExpand(
                root, info: Array("key of ".utf8) + context, byteCount: 32)
            let encodedName = name.withExposedBytes { bytes in
                Base64URL.encode(bytes.indices.map { bytes[$0] })
            }
            return (encodedName, key)
        } catch {
            throw Self.libraryFailure
        }
    }

    private func seal(
        _ pending: PendingSignIn, using key: SecretKey, now: Int64
    ) throws(AuthorizationError) -> [UInt8] {
        do throws(CryptographyError) {
            return try ExpiringSeal(key, context: context).seal(
                pending.bytes, forSeconds: Int64(PendingSignIn.lifetime), now: now)
        } catch {
            throw Self.libraryFailure
        }
    }

    private static let notPending = AuthorizationError(
        .notPending,
        "No sign-in of this browser waits for this callback: it is finished or has expired, or "
            + "its cookie is missing."
    )
    private static func storeFailure(_ error: any Error) -> AuthorizationError {
        AuthorizationError(
            .storeUnavailable, underlying: error, "The store of pending sign-ins failed.")
    }
    private static let libraryFailure = AuthorizationError(
        .libraryFailure, "libcrypto has no randomness, or lacks AES-256-GCM.")
}
