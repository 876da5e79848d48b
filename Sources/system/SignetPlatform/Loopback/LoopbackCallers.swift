// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Finds out whose programs are at the other ends of new connections.
struct LoopbackCallers {
    private let diagnosis: SocketDiagnosis?

    /// - Parameter isAsking: `false` leaves every caller unknown.
    init(isAsking: Bool) {
        diagnosis = isAsking ? SocketDiagnosis() : nil
    }

    /// Sets ``LoopbackConnection/caller`` of each connection.
    ///
    /// - Returns: the connections whose callers are known, or stay unknown while the connection is
    ///   open. A caller that sends and hangs up at once is dropped: it reads no answer, and its
    ///   request must not end the wait.
    func identify(_ connections: [LoopbackConnection]) -> [LoopbackConnection] {
        guard let diagnosis else { return connections }
        let unnamed = connections.filter { connection in
            let user = connection.ends.flatMap(diagnosis.user)
            if let user { connection.caller = LoopbackCaller(user: user) }
            return user == nil && connection.isOpen
        }
        // One reading for all: it takes long where there are many sockets.
        if let port = unnamed.first?.ends?.port {
            let table = SocketTable(port: port)
            for connection in unnamed {
                let user = connection.ends.flatMap(table.user)
                if let user { connection.caller = LoopbackCaller(user: user) }
            }
        }
        return connections.filter { $0.caller != .unknown || $0.isOpen }
    }
}
