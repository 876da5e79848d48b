// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase

extension ErrorMessage.StringInterpolation {
    /// A path in quotes. A path over 256 characters is shown by its beginning, and a path that
    /// looks like a secret is not shown.
    package mutating func appendInterpolation(path: String) {
        appendInterpolation(reported: SystemFailure.quoted(path))
    }

    /// A path as it was typed, without quotation marks, and otherwise as `path:`.
    package mutating func appendInterpolation(typed path: String) {
        let shown =
            SecretShape.isIn(path: path)
            ? SecretShape.hidden
            : PathText.shown(path).withoutObeyed.cut(to: SystemFailure.maximumPathCount)
        appendInterpolation(reported: shown)
    }
}
