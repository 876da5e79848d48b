// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

extension ReceivedText {
    /// The text with only A to Z in lower case.
    package var lowercasedASCII: ReceivedText {
        ReceivedText(utf8: utf8.map(\.lowercased)[...])
    }
}
