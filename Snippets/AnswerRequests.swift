// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import SignetJSON

struct Order: Decodable {
    var item: String
    var count: Int
}

// Errors of our own: a domain, its codes, and the answer to each.
enum OrderErrorDomain: RefusingDomain {
    static func httpRefusal(of error: OrderError) -> HTTPRefusal {
        switch error.code {
        case .invalidCount: .badRequest
        case .closed: .unavailable.retrying(afterSeconds: 3_600)
        default: .internalError
        }
    }
}

typealias OrderError = CodedError<OrderErrorDomain>

extension OrderError.Code {
    static let invalidCount = Self(rawValue: "invalidCount")
    static let closed = Self(rawValue: "closed")
}

func place(_ order: Order, isOpen: Bool) throws(OrderError) {
    guard isOpen else { throw OrderError(.closed, "The shop is closed. Order tomorrow.") }
    guard (1...100).contains(order.count) else {
        throw OrderError(.invalidCount, "The count is \(order.count), and must be 1 to 100.")
    }
}

// A handler: one catch for what Signet refuses and for what we do.
func answer(to body: [UInt8], isOpen: Bool = true) -> (status: Int, retryAfter: Int?) {
    do {
        try place(StrictJSON.decode(from: body, maximumByteCount: 4_096), isOpen: isOpen)
        return (200, nil)
    } catch {
        print("refused:", (error as? any AnyCodedError)?.fullCode ?? "unknown")
        let refusal = HTTPRefusal(error)
        return (refusal.status, refusal.retryAfterSeconds)
    }
}

print(answer(to: Array(#"{"item":"book","count":2}"#.utf8)).status)
print(answer(to: Array(#"{"item":"book","count":0}"#.utf8)).status)
print(answer(to: Array(#"{"item":"book","count":1,"count":2}"#.utf8)).status)
print(answer(to: Array(#"{"item":"book","count":2}"#.utf8), isOpen: false).retryAfter ?? 0)
