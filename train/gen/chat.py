"""Conversations: a system prompt, tools, and one to eight tasks in a row."""
from . import chat_again as again
from . import chat_again_more as again_more
from . import chat_asked as asked
from . import chat_beyond as beyond
from . import chat_both as both
from . import chat_calc as calc
from . import chat_chain as chain
from . import chat_code as code
from . import chat_days as days
from . import chat_documents as documents
from . import chat_fail as fail
from . import chat_figures as figures
from . import chat_files as fs
from . import chat_hall as hall
from . import chat_hops as hops
from . import chat_hops_more as more_hops
from . import chat_inject as inject
from . import chat_inject_more as inject_more
from . import chat_library as library
from . import chat_many as many
from . import chat_memory as memory
from . import chat_most as most
from . import chat_options as options
from . import chat_pairs as pairs
from . import chat_people as people
from . import chat_puzzle as puzzle
from . import chat_read as read
from . import chat_refer as refer
from . import chat_refer_more as refer_more
from . import chat_scenes as scenes
from . import chat_reckon as reckons
from . import chat_worlds as worlds
from . import chat_seq as seq
from . import chat_signs as signs
from . import chat_sources as sources
from . import chat_spoken as spoken
from . import chat_state as stated
from . import chat_steps as steps
from . import chat_steps_more as more_steps
from . import chat_talk as talk
from . import chat_told as told
from . import chat_twins as twins
from . import chat_units as units
from . import chat_web as web
from . import chat_which as which
from . import chat_write as write
from . import personal
from . import tools_ask as asking
from . import tools_foreign as foreign
from .conv import Conv
from .hall import HALL, OFFERS, TOOLS

ALL = ["calculate", "calendar_read", "compare_answers", "fs_list", "fs_read", "fs_search", "fs_write", "graph_search", "memory_read", "memory_write", "notes_search", "now", "run_code", "web_fetch", "web_search"]
SYSTEMS = ["You are a helpful assistant.", "You are a helpful assistant with access to tools. Use them when they help.", "Answer briefly.", "You help a person on their own machine. Be truthful.", "You are an assistant. Today you have some tools.",
           "Be brief and honest.", "You are Moothall's assistant.", "Use the tools. If none fits, say so.", ""]

# weight, name, what must be on offer, task
TASKS = [
    (7, "calculate", ("calculate",), calc.calculate), (3, "now", ("now",), calc.now), (3, "days", ("calculate",), days.days), (3, "units", ("calculate",), units.units),
    (8, "fs_read", ("fs_read",), fs.fs_read), (1.5, "fs_read_lines", ("fs_read",), fs.fs_read_lines),
    (4, "fs_list", ("fs_list",), fs.fs_list), (4, "fs_search", ("fs_search",), fs.fs_search),
    (3.5, "fs_write", ("fs_write",), write.fs_write), (3.5, "write_piece", ("fs_write",), write.write_piece),
    (1.2, "list_options", ("fs_list",), options.list_options), (1.2, "search_options", ("fs_search",), options.search_options),
    (4, "recall", ("memory_read",), memory.recall), (3, "memory_read", ("memory_read",), memory.memory_read),
    (4.5, "memory_write", ("memory_write",), memory.memory_write),
    (3, "notes_search", ("notes_search",), memory.notes_search), (1, "notes_question", ("notes_search",), memory.notes_question),
    (3.5, "calendar_read", ("calendar_read",), people.calendar_read), (4, "graph_search", ("graph_search",), people.graph_search),
    (5, "web_news", ("web_search",), web.web_news), (4, "web_fact", ("web_search",), web.web_fact),
    (2.5, "web_fetch", ("web_fetch",), web.web_fetch), (1.5, "fetch_question", ("web_fetch",), web.fetch_question),
    (3.5, "run_code", ("run_code",), code.run_code), (1, "run_print", ("run_code",), code.run_print),
    (0.8, "compare", ("compare_answers",), code.compare_answers),
    (1.2, "search_fetch", ("web_search", "web_fetch"), web.search_then_fetch), (0.5, "list_read", ("fs_list", "fs_read"), seq.list_read),
    (0.5, "search_read", ("fs_search", "fs_read"), seq.search_read), (0.4, "read_write", ("fs_read", "fs_write"), seq.read_write),
    (0.4, "calc_write", ("calculate", "fs_write"), seq.calc_write), (0.9, "now_calendar", ("now", "calendar_read"), seq.now_calendar),
    (1.2, "two_reads", ("fs_read",), seq.two_reads), (1.2, "two_sums", ("calculate",), seq.two_sums),
    (0.5, "search_save", ("web_search", "fs_write"), seq.search_save), (0.5, "recall_web", ("memory_read", "web_search"), seq.recall_web),
    (1.5, "other_place", ("notes_search",), sources.other_place), (1, "other_place2", ("web_search",), sources.other_place),
    (0.7, "code_save", ("run_code", "fs_write"), more_steps.code_save), (2, "copy_text", ("fs_read", "fs_write"), steps.copy_text),
    (1.6, "calc_save", ("calculate", "fs_write"), steps.calc_save), (1.2, "sum_file", ("fs_read", "calculate"), steps.sum_file),
    (1.3, "value_sum", ("fs_read", "calculate"), steps.value_sum),
    (0.8, "set_value", ("fs_read", "fs_write"), steps.set_value), (2, "list_open", ("fs_list", "fs_read"), more_steps.list_open),
    (0.6, "list_save", ("fs_list", "fs_write"), more_steps.list_save), (1.4, "seek_file", ("fs_search", "fs_read"), more_steps.seek_file),
    (1.6, "web_page", ("web_search", "web_fetch"), more_steps.web_page), (1.2, "web_keep", ("web_search", "fs_write"), more_steps.web_keep),
    (1, "fetch_save", ("web_fetch", "fs_write"), more_steps.fetch_save), (1, "file_web", ("fs_read", "web_search"), more_steps.file_web),
    (0.8, "recall_save", ("memory_read", "fs_write"), more_steps.recall_save), (2, "two_at_once", ("calculate",), both.two_at_once),
    (2, "two_alike", ("fs_read",), both.two_alike),
    (0.8, "two_values", ("fs_read", "calculate"), steps.two_values), (0.8, "found_save", ("fs_search", "fs_write"), chain.found_save),
    (0.8, "read_mind", ("fs_read", "memory_write"), chain.read_mind), (0.8, "calendar_save", ("calendar_read", "fs_write"), chain.calendar_save),
    (0.7, "time_save", ("now", "fs_write"), chain.time_save), (1, "note_day", ("notes_search", "calendar_read"), chain.note_day),
    (0.9, "told_day", ("memory_read", "calendar_read"), chain.told_day), (0.8, "person_news", ("graph_search", "web_search"), chain.person_news),
    (0.7, "person_save", ("graph_search", "fs_write"), chain.person_save), (0.7, "price_sum", ("web_search", "calculate"), chain.price_sum),
    (0.7, "person_time", ("graph_search", "now"), hops.person_time), (0.6, "kin_time", ("memory_read", "now"), hops.kin_time),
    (0.8, "file_day", ("fs_read", "calendar_read"), hops.file_day), (0.8, "told_sum", ("memory_read", "calculate"), hops.told_sum),
    (1, "note_sum", ("fs_read", "calculate"), hops.note_sum), (0.8, "list_if", ("fs_list", "fs_read"), hops.list_if),
    (0.6, "size_sum", ("fs_list", "calculate"), hops.size_sum), (0.7, "meet_person", ("calendar_read", "graph_search"), more_hops.meet_person),
    (0.7, "calendar_notes", ("calendar_read", "notes_search"), more_hops.calendar_notes), (0.6, "note_web", ("notes_search", "web_search"), more_hops.note_web),
    (0.6, "page_mind", ("web_fetch", "memory_write"), more_hops.page_mind), (0.6, "note_mind", ("notes_search", "memory_write"), more_hops.note_mind),
    (0.9, "check_add", ("fs_read", "fs_write"), more_hops.check_add), (0.6, "run_file", ("fs_read", "run_code"), more_hops.run_file),
    (2.5, "pair", ("now",), pairs.pair),
    (1.6, "beyond_person", ("graph_search",), beyond.beyond_person), (0.6, "beyond_person2", (), beyond.beyond_person),
    (2, "call_it", (), refer_more.call_it), (2, "one_step", ("fs_read",), chain.one_step),
    (1.8, "not_found", ("fs_read",), fail.not_found), (1.3, "denied", (), fail.denied), (1.5, "failed", (), fail.failed),
    (0.3, "calc_failed", ("calculate",), fail.calc_failed), (0.7, "last_round", (), hall.last_round),
    (0.4, "refused", (), hall.refused),
    (8, "read_sheet", (), read.read_sheet), (12, "read_library", (), library.read_library),
    (2.5, "library_missing", (), library.library_missing), (1.2, "read_two", (), read.read_two),
    (3, "ask_otherwise", (), asked.ask_otherwise), (4, "read_missing", (), read.read_missing), (3.5, "paste", (), read.paste),
    (5, "state", (), read.state), (8, "many", (), many.many), (2.4, "most", (), most.most), (1.4, "count", (), most.count), (3, "figures", (), figures.figures),
    (5, "talk", (), talk.talk), (0.8, "able", (), talk.able), (9, "unknown", (), talk.unknown), (0.8, "language", (), signs.language), (0.3, "emoji", (), signs.emoji),
    (3.2, "impossible", (), talk.impossible), (2, "puzzle", (), puzzle.puzzle), (4, "twin", (), twins.twin),
    (1, "person_memory", ("memory_read",), people.person_memory), (0.9, "now_then", ("now",), again.now_then),
    (0.6, "calendar_then", ("calendar_read",), again.calendar_then), (0.9, "person_then", ("graph_search",), again.person_then),
    (1.5, "ask_back", (), again.ask_back),
    (0.6, "nudged", (), hall.nudged), (0.5, "emptied", (), hall.emptied), (1.5, "not_told", (), told.not_told),
    (1, "clock_line", (), hall.clock_line),
    (18, "document", (), documents.document), (11, "document_file", ("fs_read",), documents.document_file), (3, "document_page", ("web_fetch",), documents.document_page), (2, "shorter", (), documents.shorter),
    (6, "inject", (), inject.attack), (1.5, "inject_whole", (), inject.attack_whole), (5, "inject_any", (), inject.anywhere),
    (2, "inject_entry", (), inject_more.entry),
    (6, "spoken", (), spoken.spoken), (6, "tell", (), told.tell), (4.5, "plain", (), stated.plain), (0.8, "which", ("fs_write",), which.which), (0.4, "which2", ("memory_write",), which.which),
    (34, "scene", ("fs_read",), scenes.scene), (32, "several", (), worlds.several), (11, "reckon", ("calculate",), reckons.reckon),
]
FOREIGN = [(10, "foreign", foreign.use), (2, "foreign_two", foreign.two_wishes), (2.6, "foreign_then", again.foreign_then),
           (1.2, "foreign_none", foreign.none_fits), (0.8, "foreign_ask", asking.missing), (2, "foreign_chain", asking.chain),
           (1.2, "foreign_it", asking.same_thing), (1.1, "beyond_tool", beyond.beyond_tool), (0.7, "talk", talk.talk), (0.8, "state", read.state), (1, "plain", stated.plain), (0.8, "near", stated.near)]

# what can follow a task, by what "it" is then
NEXT = {
    "sheet": [(4, read.follow), (2, read.switch), (0.7, read.again), (3.5, refer.follow_seen), (1, refer.follow_lacking), (1.5, refer.switch_seen), (1, refer.repeat),
              (1.2, refer.search_it)],
    "document": [(1, documents.document_further)],
    "library": [(3, library.library_follow), (2, library.library_switch), (0.5, library.library_doubt)],
    "number": [(3, calc.calculate_next), (1.5, again_more.sum_swap), (1.5, again_more.share_swap)],
    "file": [(2, fs.file_again), (3, fs.file_next), (2, again.file_other), (2, refer.add_to_it), (1, refer.other_file), (1.5, again_more.same_into)],
    "list": [(3, refer_more.open_listed), (1, again.folder_other), (1.5, asked.ask_listed), (2, refer_more.open_chosen)],
    "found": [(3, refer_more.open_found), (1, again_more.word_too)],
    "page": [(3, web.open_result), (1.5, again.topic_other), (1.2, asked.ask_hits), (2, again_more.elsewhere)],
    "person": [(3, people.person_next)],
    "told": [(3, read.earlier), (1, read.correct), (1.5, refer.remember_it)],
}
NEEDS = {again_more.sum_swap: "calculate", again_more.share_swap: "calculate", again_more.same_into: "fs_write", again_more.word_too: "fs_search", refer_more.open_chosen: "fs_read", refer_more.open_found: "fs_read", refer.add_to_it: "fs_write", refer.search_it: "web_search", refer.remember_it: "memory_write", again.file_other: "fs_read",
         again.folder_other: "fs_list", again.topic_other: "web_search", calc.calculate_next: "calculate", fs.file_again: "fs_read",
         refer.other_file: "fs_read", refer_more.open_listed: "fs_read", web.open_result: "web_fetch", write.save_that: "fs_write"}


def choose_tools(r):
    """(specs, foreign ones among them)"""
    x = r.random()
    if x < 0.34:
        names, extra = OFFERS["chat"], 0
    elif x < 0.48:
        names, extra = OFFERS["chat_second"], 0
    elif x < 0.57:
        names, extra = r.some(ALL, r.int(1, 12)), 0
    elif x < 0.73:
        names, extra = r.some(ALL, r.int(3, 10)), r.int(1, 5)
    elif x < 0.95:
        names, extra = [], r.int(1, 8)
    else:
        names, extra = [], 0
    if names is OFFERS["chat"] and r.chance(0.1):
        names, extra = list(names), r.int(1, 3)
    bound = foreign.offer(r, extra, names) if extra else []
    specs = [TOOLS[n] for n in names] + [b.spec for b in bound]
    if r.chance(0.35) and (len(names) != len(OFFERS["chat"]) or r.chance(0.2)):
        specs = r.shuffled(specs)
    else:
        specs = sorted(specs, key=lambda s: s["name"])
    return specs, bound


_feasible = {}
MORE = (0.85, 1.2, 2.6)  # by how many tools a task needs: sequences are the hardest and come too rarely by themselves


def feasible(names):
    """The tasks for which the tools are there; those without tools count less where there are many."""
    key = frozenset(names)
    known = _feasible.get(key)
    if known is None:
        known = [(w * MORE[min(2, len(need))], (n, f)) for w, n, need, f in TASKS if all(t in key for t in need)]
        if len(_feasible) < 3000:
            _feasible[key] = known
    return known


def system(r):
    x = r.random()
    if x < 0.88:
        return None
    if x < 0.92:
        return HALL["system"]["alone"] if r.chance(0.3) else r.pick(SYSTEMS)
    return r.pick(SYSTEMS)


MEANWHILE = ["take your time", "please be brief", "I'm still here", "no hurry", "thanks so far", "just the main thing please", "one sentence is enough", "I'm waiting", "let me know when you have it"]
LEFT_OUT = "[Earlier messages were left out to save room.]"


def conversation(r):
    """One sample."""
    specs, bound = choose_tools(r)
    c = Conv(r, specs, system(r), bound)
    c.beside = read.beside
    own = feasible(n for n in c.names if n in TOOLS)
    n = r.weighted([(30, 1), (22, 2), (17, 3), (12, 4), (8, 5), (5, 6), (3, 7), (3, 8)])
    most = 8500
    if r.chance(0.07):  # a long one
        n, most = r.int(9, 20), 10000
    if r.chance(0.04):
        notes(c)
    kinds = []
    while c.tasks < n and not c.no_tools and c.size < most and len(c.msgs) < 90:
        before, begins = c.tasks, len(c.msgs)
        name = next_task(c, own, bool(kinds))
        kinds += name
        for m in c.msgs[begins:]:
            if m.get("check"):
                m["check"].setdefault("kind", name[0])
        if c.tasks == before:
            c.about = None
    interrupt(c)
    first = c.msgs[0]
    if r.chance(0.05) and first["role"] == "user" and "_plain" in first:
        first["_plain"] = LEFT_OUT + "\n\n" + first["_plain"]
    return c.sample("chat:" + "+".join(kinds))


def next_task(c, own, begun):
    """One more task, out of what can follow or out of own, the tasks that the tools on offer allow; gives its name in a list."""
    r = c.r
    follow = NEXT.get(c.about[0]) if c.about else None
    if follow and r.chance(0.48):
        f = r.weighted(follow)
        need = NEEDS.get(f)
        if need and not c.has(need):
            return []
        f(c)
        return [f.__name__]
    if begun and c.has("fs_write") and r.chance(0.05):
        name, f = "save_that", write.save_that
    elif begun and r.chance(0.027):
        name, f = "sure", talk.sure
    elif c.past and r.chance(0.06):
        name, f = "back", refer.back
    elif c.called and r.chance(0.16):
        name, f = "use_called", refer_more.use_called
    elif c.has("calculate") and r.chance(0.1) and refer_more.far(c):
        name, f = "far_sum", refer_more.far_sum
    elif c.told and r.chance(0.1):
        name, f = "earlier", read.earlier
    elif c.foreign and r.chance(0.75 if len(c.foreign) * 2 > len(c.specs) else 0.4):
        name, f = r.weighted([(w, (n, f)) for w, n, f in FOREIGN])
        c.about = None  # "it" is what comes next
    else:
        name, f = r.weighted(own)
        c.about = None
    f(c)
    return [name]


def interrupt(c):
    """Now and then the hall or the person says something before the last answer."""
    r = c.r
    answered = c.msgs[-1]["role"] == "assistant" and c.msgs[-2]["role"] == "tool"
    if not c.no_tools and answered and r.chance(0.03):
        c.msgs.insert(-1, {"role": "user", "content": hall.NO_TOOLS, "_note": True})
        c.no_tools = True
        c.msgs[-1]["think"] = r.pick(["No tool may be called now; I answer with what I have.",
                                      "The time for tools is over; the results are enough."])
    elif answered and r.chance(0.012):
        c.msgs.insert(-1, {"role": "user", "content": "The person says meanwhile:\n- " + r.pick(MEANWHILE), "_note": True})


def notes(c):
    """A conversation that begins with the hall's notes on what came before."""
    r = c.r
    t = HALL["text"]
    told = personal.told(r)
    out = t["compact.heading"] + "\n\n" + t["compact.decisions"] + "\n- " + told.sentence(r)
    if r.chance(0.5):
        out += "\n- " + r.sentence()
    if r.chance(0.4):
        out += "\n\n" + t["compact.artifacts"] + "\n- " + r.path()
    if r.chance(0.3):
        out += "\n\n" + t["compact.questions"] + "\n- " + r.sentence()
    c.msgs.append({"role": "user", "content": out, "_note": True})
    c.msgs.append({"role": "assistant", "think": "", "content": t["compact.noted"], "calls": [], "train": False})
    c.told.append(told)
