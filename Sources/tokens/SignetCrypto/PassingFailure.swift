// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error that may pass soon: a server answers 503 to it, and 500 to an error that stays
/// (`HTTPRefusal`). Here, because the errors of stores and of tokens meet nowhere else.
package protocol PassingFailure: Error {
    var mayPass: Bool { get }
}
