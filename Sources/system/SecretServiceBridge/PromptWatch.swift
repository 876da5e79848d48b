// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import SignetBase

/// Notices when the Secret Service is asked to show a prompt. libsecret asks for one in the middle
/// of a call, without telling its caller.
///
/// It looks for calls of `Prompt` of `org.freedesktop.Secret.Prompt` among the messages that leave
/// this process. It runs on GDBus's own thread, and changes no message.
final class PromptWatch: Sendable {
    /// The running job.
    let job = Locked<ServiceJob?>(nil)

    /// - Returns: the number with which the watch is removed from the bus.
    @unsafe
    func startWatching(_ bus: OpaquePointer) -> UInt32 {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        return unsafe g_dbus_connection_add_filter(
            bus,
            { _, message, isIncoming, context in
                if isIncoming == 0, let context = unsafe context,
                    unsafe PromptWatch.isPrompt(message)
                {
                    let watch = unsafe Unmanaged<PromptWatch>.fromOpaque(context)
                        .takeUnretainedValue()
                    watch.job.withLock { $0 }?.promptAppeared()
                }
                return unsafe message
            }, context,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<PromptWatch>.fromOpaque(context).release()
                }
            })
    }

    @unsafe
    private static func isPrompt(_ message: OpaquePointer?) -> Bool {
        guard let message = unsafe message, let member = unsafe g_dbus_message_get_member(message),
            let interface = unsafe g_dbus_message_get_interface(message)
        else { return false }
        return unsafe g_str_equal(member, "Prompt") != 0
            && g_str_equal(interface, "org.freedesktop.Secret.Prompt") != 0
    }
}
