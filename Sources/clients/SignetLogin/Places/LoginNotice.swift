// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetSession

/// What a program may tell its user, beyond a result or an error.
package enum LoginNotice: Sendable {
    /// A vault was set aside, under this path. Its sessions still live at their servers.
    case setAside(String)
    /// What can be read of a vault that was set aside is at this path again.
    case salvaged(String)
    /// A vault that could not be salvaged is back at this path.
    case putBack(String)
    /// Only accounts of a company may sign in.
    case businessOnly
    /// The server gave no refresh token: the session ends after this time. `leftOut` says whether
    /// the scope for one was not asked for, because the server does not list it.
    case noRefreshToken(Duration, leftOut: Bool)
    /// The session ended here, and its server may not know of it.
    case serverNotTold(SessionError)
}
