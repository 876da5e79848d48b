// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// A pending sign-in: the values that its callback and its ID token must match.
struct PendingSignIn {
    /// In seconds. Long enough to read mail or look for a phone in between.
    static let lifetime = 600
    /// The longest state of the application, in bytes.
    static let maximumApplicationStateByteCount = 256

    let state: AuthorizationState
    let nonce: AuthorizationNonce?
    let pkce: PKCE?
    let applicationState: String

    /// Makes the values of a new sign-in.
    init(_ flow: CodeFlow, applicationState: String) throws(AuthorizationError) {
        guard applicationState.utf8.count <= Self.maximumApplicationStateByteCount else {
            throw AuthorizationError(
                .tooLarge,
                "The application's state is longer than \(Self.maximumApplicationStateByteCount) bytes."
            )
        }
        state = try AuthorizationState()
        nonce = flow.usesNonce ? try AuthorizationNonce() : nil
        pkce = flow.usesPKCE ? try PKCE() : nil
        self.applicationState = applicationState
    }

    /// Whether the sign-in uses PKCE, the same for request and exchange.
    var pkceUse: PKCE.Use { pkce.map { .used($0) } ?? (nonce == nil ? .notUsedNorNonce : .notUsed) }

    /// Four lines: state, nonce, verifier and application state. Only the last may contain line
    /// feeds. The bytes are sealed, so only this program reads or writes them.
    var bytes: [UInt8] {
        Array(
            [
                state.exposedText, nonce?.exposedText ?? "", pkce?.exposedVerifier ?? "",
                applicationState,
            ].joined(separator: "\n").utf8)
    }

    /// - Throws: `malformed` for bytes of a different form, which only another version of this
    ///   program can have sealed.
    init(_ bytes: [UInt8]) throws(AuthorizationError) {
        let lines = bytes.split(separator: 0x0a, maxSplits: 3, omittingEmptySubsequences: false)
            .map { ReceivedText(utf8: $0).swiftString() }
        // line  field
        //    1  state
        //    2  nonce, or nothing
        //    3  the PKCE verifier, or nothing
        //    4  the application's state, which may have line feeds
        guard lines.count == 4 else { throw Self.otherForm }
        state = try AuthorizationState(lines[0])
        nonce = lines[1].isEmpty ? nil : try AuthorizationNonce(lines[1])
        pkce = lines[2].isEmpty ? nil : try PKCE(verifier: lines[2])
        applicationState = lines[3]
    }

    /// The error for what another version of this program has sealed.
    static let otherForm = AuthorizationError(
        .malformed, "The sign-in was kept by another version.")
}
