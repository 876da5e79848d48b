// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A place that somebody has been to: the sample of something that belongs to a person.
package struct Visit: Sendable, Equatable, Encodable {
    package let id: Int64
    package let place: String
    /// Unix time, in seconds.
    package let at: Int64
}

/// A visit that is not kept yet.
package struct NewVisit: Sendable, Equatable {
    package let place: String
    package let at: Int64
}
