#!/usr/bin/env python3
"""Turns CUDA C++ files into C++ that runs on the CPU with device.h.

    translate.py FOLDER SOURCE…

FOLDER gets the results, NAME.cpp of a NAME.cu. One that is there already as it should be is left alone.
What C++ has no word for is rewritten: launches, shared memory, inline PTX, and headers that stand-ins
take the place of. Lines keep their numbers as far as they can.
"""
import os
import re
import sys

STAND_INS = {
    r"<cub/[^>]*>": '"cub.h"',
    r"<cuda/[^>]*>": '"device.h"',
    r"<cuda_(?:fp16|pipeline\w*|runtime|runtime_api)\.h>": '"device.h"',
    r"<thrust/[^>]*>": '"cub.h"',
    r'"wgmma\.cuh"': '"wgmma.h"',
}
OPENING = {")": "(", "]": "[", ">": "<"}


class Untranslatable(Exception):
    pass


def fail(text, at, why):
    raise Untranslatable(f"{text.count(chr(10), 0, at) + 1}: {why}")


def opened_at(text, end):
    """Where the bracket that closes at `end` opens."""
    depth = 0
    for i in range(end, -1, -1):
        if text[i] == text[end] and text[i - 1 : i + 1] != "->":
            depth += 1
        elif text[i] == OPENING[text[end]]:
            depth -= 1
            if depth == 0:
                return i
    fail(text, end, "a bracket that nothing opens")


def closed_at(text, begin):
    depth = 0
    for i in range(begin, len(text)):
        if text[i] in "([{":
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i
    fail(text, begin, "a bracket that nothing closes")


def kernel_start(text, end):
    """Where the expression before <<< begins: names, template arguments, members."""
    i = end
    while text[i].isspace():
        i -= 1
    while True:
        if text[i] in OPENING and text[i - 1 : i + 1] != "->":
            i = opened_at(text, i) - 1
        while text[i].isalnum() or text[i] == "_":
            i -= 1
        if text[i - 1 : i + 1] in ("::", "->"):
            i -= 2
        elif text[i] == ".":
            i -= 1
        else:
            return i + 1


def rewrite_launches(text):
    while (at := text.find("<<<")) >= 0:
        begin = kernel_start(text, at - 1)
        end = text.index(">>>", at)
        opening = text.index("(", end)
        closing = closed_at(text, opening)
        kernel = text[begin:at].strip()
        arguments = re.sub(r"\bNULL\b", "nullptr", text[opening + 1 : closing]).strip()
        call = f"[=](auto... of_kernel) mutable {{ {kernel}(of_kernel...); }}"
        separator = ", " if arguments else ""
        text = (
            text[:begin]
            + f"emulated::launch({{{text[at + 3 : end]}}}, {call}{separator}{arguments})"
            + text[closing + 1 :]
        )
    return text


def rewrite_shared(text):
    """Dynamic shared memory is one block of bytes; other variables are static, and new to each block."""
    alignment = r"(?:__align__\(\d+\)\s+|alignas\(\d+\)\s+)?"
    text = re.sub(
        rf"extern\s+__shared__\s+{alignment}([\w:\s]+?)\s+(\w+)\[\]\s*;",
        r"\1 *\2 = (\1 *)emulated::dynamic_shared();",
        text,
    )
    return re.sub(
        r"(?<!#define )\b__shared__\s+([^;=]*?(\w+)\s*(?:\[[^;]*)?);",
        r"static \1; { static uint64_t known_to; emulated::new_to_block(&\2, sizeof \2, known_to); }",
        text,
    )


def flat(operand_text, operands):
    """The operands of an instruction, brackets and braces left out; special registers are functions."""
    words = re.findall(r"%\d+|%%\w+|[\w.]+", operand_text)
    words = [re.sub(r"^%%(\w+)", r"ptx::\1()", word) for word in words]
    return [operands[int(w[1:])] if re.fullmatch(r"%\d+", w) else w for w in words]


def ptx_statement(instruction, operands):
    instruction = instruction.strip()
    if declared := re.fullmatch(r"\.reg\s+\.(\w+)\s+(\w+)", instruction):
        kind = {"pred": "bool", "u32": "uint32_t", "s32": "int32_t", "f32": "float"}[declared[1]]
        return f"{kind} {declared[2]} = 0;"
    guard = re.match(r"@(\w+)\s+", instruction)
    if guard:
        instruction = instruction[guard.end() :]
    mnemonic, _, rest = instruction.partition(" ")
    call = f"ptx::{re.sub(r'[.:]+', '_', mnemonic)}({', '.join(flat(rest, operands))});"
    return f"if ({guard[1]}) {{ {call} }}" if guard else call


def rewrite_ptx(text):
    pattern = re.compile(r"\basm\b(?:\s+volatile)?\s*\(")
    while found := pattern.search(text):
        closing = closed_at(text, found.end() - 1)
        body = text[found.end() : closing]
        strings = r'(?:\s*"(?:[^"\\]|\\.)*")+'
        template_text = re.match(strings, body)[0]
        template = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', template_text))
        operands = re.findall(r'"[+=]?[rflhd]"\s*\(((?:[^()]|\([^()]*\))*)\)', body[len(template_text) :])
        template = re.sub(r"\\[nt]", " ", template).strip()
        if template.startswith("{") and template.endswith("}"):
            template = template[1:-1]
        statements = [ptx_statement(i, operands) for i in template.split(";") if i.strip()]
        text = text[: found.start()] + f"{{ {' '.join(statements)} }}" + text[closing + 1 :]
    return text


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def translated(source):
    text = read(source)
    for name, stand_in in STAND_INS.items():
        text = re.sub(rf"#include {name}", f"#include {stand_in}", text)
    text = rewrite_launches(rewrite_ptx(rewrite_shared(text)))
    return f'#line 1 "{source}"\n{text}'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for source in sys.argv[2:]:
        target = os.path.join(sys.argv[1], re.sub(r"\.cu$", ".cpp", os.path.basename(source)))
        try:
            text = translated(source)
        except Untranslatable as why:
            sys.exit(f"translate.py: {source}:{why}")
        if not os.path.exists(target) or read(target) != text:
            with open(target, "w", encoding="utf-8") as stream:
                stream.write(text)


main()
