"""What was found is kept, in a file or in the memory: the call, its result and the report."""
from .chat_call import make_call
from .messages import check_text


def write(c, path, content, think, said, ways=None, words=None, group="two_tools", modes=()):
    """A new file is written, in one of several ways or with certain words in it, and that is said."""
    wanted = {"path": [path], "mode": [None, "overwrite", "create", *modes]}
    check = {"type": "call", "name": "fs_write", "any": dict(wanted, content=ways) if ways else wanted, "group": group}
    if words:
        check["contains"] = {"content": words}
    c.call(think, [make_call("fs_write", {"path": path, "content": content})], check=check)
    c.result("fs_write", "Created %s: %d bytes, %d lines.\n" % (c.path(path), len(content.encode()), content.count("\n") + 1))
    c.answer("The file is written; I say so.", "Done: %s now %s." % (path, said), check_text("extraction", [path]))


def kept(c, path, content, words, think):
    """A text of its own wording is written: only what it must hold is checked."""
    write(c, path, content, think, 'says "%s"' % content, words=words)


def remembered(c, name, text, words, think):
    """A text goes into the memory: its title may be another one, the text may not."""
    check = {"type": "call", "name": "memory_write", "contains": {"text": words}, "group": "two_tools"}
    c.call(think, [make_call("memory_write", {"name": name, "text": text})], check=check)
    c.result("memory_write", "Remembered: %s." % name)
    c.answer("It is stored; I confirm it.", "I will remember this: %s" % text, check_text("extraction", words))


def write_names(c, path, names):
    """Names of files go into a file: one a line, or with the marks that people put between and before them."""
    text, listed = "\n".join(names), ", ".join(names)
    ways = [text, text + "\n", listed, "\n".join("- " + n for n in names)]
    write(c, path, text, "I have the names: %s. They are still to go to %s, so I write them there." % (listed, path), "lists " + listed, ways=ways)
