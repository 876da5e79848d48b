# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""The pages of the commands, from what `signet --experimental-dump-help` says."""

import html
import itertools
import re
import textwrap


def texts(text):
    """Help as Markdown: a line of capitals is a heading, and indented lines are shown as they are."""
    for part in re.split(r"\n\n+", text):
        for is_shown, group in itertools.groupby(part.splitlines(), lambda line: line.startswith("  ")):
            lines = list(group)
            if is_shown:
                yield "```\n" + textwrap.dedent("\n".join(lines)) + "\n```"
                continue
            if re.fullmatch(r"[A-Z][A-Z ]+", lines[0]):
                yield f"## {lines.pop(0).capitalize()}"
            yield escaped("\n".join(lines))


def escaped(text):
    return html.escape(text, quote=False)


def sign_of(argument):
    """How an argument is written, with all its names."""
    value = f"<{argument['valueName']}>" if argument["kind"] != "flag" else ""
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
    return " ".join(filter(None, [", ".join(names), value]))


def described(argument):
    text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
    if "defaultValue" in argument:
        text += f" Default: `{argument['defaultValue']}`."
    if argument.get("isRepeating"):
        text += " May be repeated."
    return escaped(" ".join(text.split()))


def synopsis(name, arguments):
    parts = [name]
    for argument in arguments:
        if argument.get("names", [{}])[-1].get("name") in ("help", "version"):
            continue
        sign = sign_of(argument).split(", ")[-1]
        sign += " …" if argument.get("isRepeating") else ""
        parts.append(f"[{sign}]" if argument.get("isOptional", True) else sign)
    return " ".join(parts)


def pages(command, above=()):
    """The name and the text of each page: of the command, and of those below it."""
    path = [*above, command["commandName"]]
    arguments = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    below = [
        each for each in command.get("subcommands", [])
        if each.get("shouldDisplay", True) and each["commandName"] != "help"]
    parts = [f"# {' '.join(path)}", escaped(command.get("abstract", ""))]
    if not below:
        parts.append(f"```\n{synopsis(' '.join(path), arguments)}\n```")
    parts += texts(command.get("discussion", ""))
    if below:
        parts.append("## Commands\n\n" + "\n".join(
            f"- [{each['commandName']}]({'-'.join([*path, each['commandName']])}.md): "
            + escaped(each.get("abstract", "")) for each in below))
    if arguments:
        parts.append("## Arguments and options\n\n" + "\n\n".join(
            f"`{sign_of(each)}`\n:   {described(each)}" for each in arguments))
    yield path, "\n\n".join(parts) + "\n"
    for each in below:
        yield from pages(each, path)
