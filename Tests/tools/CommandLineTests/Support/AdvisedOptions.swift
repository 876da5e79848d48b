// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import signet

/// The options of each command, as the program describes itself.
struct CommandOptions: Decodable {
    private struct Name: Decodable {
        let kind: String
        let name: String
    }

    private struct Argument: Decodable {
        let names: [Name]?
        let shouldDisplay: Bool
    }

    private struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    private let command: Command

    /// By the words of the command, without `signet`. Commands that only group others are left out.
    static let all: [String: Set<String>] = {
        let streams = CapturedStreams(input: [])
        _ = Invocation(arguments: ["--experimental-dump-help"]).run(with: streams)
        guard
            let dump = try? JSONDecoder().decode(CommandOptions.self, from: Data(streams.output))
        else { return [:] }
        var all: [String: Set<String>] = [:]
        collect(dump.command, [], into: &all)
        all["help"] = nil
        return all
    }()

    private static func collect(
        _ command: Command, _ path: [String], into all: inout [String: Set<String>]
    ) {
        for child in command.subcommands ?? [] {
            collect(child, path + [child.commandName], into: &all)
        }
        // What a command refuses for its subcommands is not shown.
        let names = (command.arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
        let options = Set(names.filter { $0.kind == "long" }.map { "--" + $0.name })
        let isGroup = options.isSubset(of: ["--help", "--version"])
        guard command.subcommands?.isEmpty ?? true || !isGroup else { return }
        all[path.joined(separator: " ")] = options
    }

    /// The words of the command that a line calls.
    static func command(of line: [String]) -> String? {
        (1...3).reversed().map { line.prefix($0).joined(separator: " ") }.first { all[$0] != nil }
    }

    /// The options in an advice that the command which it names, or else the one that failed, does
    /// not have.
    static func unknown(in advice: String, of failed: String) -> [String] {
        Advice.options(in: advice).filter { command, option in
            option != "--help" && all[command ?? failed]?.contains(option) != true
        }.map { "\($0.command ?? failed) \($0.option)" }
    }
}

extension Outcome {
    /// What the last line says to do, if it does.
    var advice: String? {
        let last = errors.split(separator: "\n").last ?? ""
        let text = last.drop { $0 == " " }
        return last.count - text.count == 8 ? String(text) : nil
    }

    /// Fails the test if the advice names an option that there is not.
    func checkAdvice(of line: [String]) {
        guard status != 0, let advice, let command = CommandOptions.command(of: line) else {
            return
        }
        let unknown = CommandOptions.unknown(in: advice, of: command)
        if !unknown.isEmpty { Issue.record("\(line.prefix(3)): there is no \(unknown): \(advice)") }
    }
}
