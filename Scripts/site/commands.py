# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
"""The pages of the commands, from what `signet --experimental-dump-help` says."""

import html
import re


def texts(text):
    """Help as Markdown: a line of capitals is a heading, an indented one is shown as it is."""
    for part in re.split(r"\n(?:\n+|(?= {2,}\S)|(?=\S)(?<=\n))", text or ""):
        if re.fullmatch(r"[A-Z][A-Z ]+", part):
            yield f"## {part.capitalize()}"
        elif part.startswith("  "):
            yield f"```\n{part.rstrip()}\n```"
        elif part.strip():
            yield html.escape(part.strip(), quote=False)


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
    return html.escape(" ".join(text.split()), quote=False)


def synopsis(name, arguments):
    parts = [name]
    for argument in arguments:
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
    parts = [f"# {' '.join(path)}", html.escape(command.get("abstract", ""), quote=False)]
    if not below:
        parts.append(f"```\n{synopsis(' '.join(path), arguments)}\n```")
    parts += texts(command.get("discussion"))
    if below:
        parts.append("## Commands\n\n" + "\n".join(
            f"- [{each['commandName']}]({'-'.join([*path, each['commandName']])}.md): "
            + html.escape(each.get("abstract", ""), quote=False) for each in below))
    if arguments:
        parts.append("## Arguments and options\n\n" + "\n\n".join(
            f"`{sign_of(each)}`\n:   {described(each)}" for each in arguments))
    yield path, "\n\n".join(parts) + "\n"
    for each in below:
        yield from pages(each, path)
