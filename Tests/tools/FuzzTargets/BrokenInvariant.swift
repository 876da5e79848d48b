// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Something that has to hold for every input, and did not for one.
package struct BrokenInvariant: Error, CustomStringConvertible {
    package let description: String
}

/// - Throws: ``BrokenInvariant`` if the condition is false.
func hold(_ condition: Bool, _ sentence: String) throws {
    guard condition else { throw BrokenInvariant(description: sentence) }
}

/// The value of something that must be there.
/// - Throws: ``BrokenInvariant`` if it is nil.
func hold<Value>(_ value: Value?, _ sentence: String) throws -> Value {
    guard let value else { throw BrokenInvariant(description: sentence) }
    return value
}

/// The value of something that must not fail.
/// - Throws: ``BrokenInvariant`` if it does.
func hold<Value>(_ sentence: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        throw BrokenInvariant(description: "\(sentence): \(error)")
    }
}

/// The result of an asynchronous call, for a target that goes on after an error.
func outcome<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
