"""The parts of the page as HTML, each a section with a heading; every text from a run is escaped here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import gallery
from bacclab.dashboard.charts.settings import swept
from bacclab.dashboard.columns import summary_columns
from bacclab.dashboard.pages import tables
from bacclab.dashboard.words import answer, question, rules

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup
    from bacclab.plugins.registry import Registry

__all__ = ["PARTS", "filled", "nav", "part", "portions"]

#: The parts of a page in their order; a section of a plugin stands behind one of them.
PARTS = ("question", "answer", "summary", "all", "sweep", "bettor", "comparison", "rules", "method")
#: Bettors from which on one is looked for by a part of its name.
MANY = 12
#: Where the figures of a part stand.
HERE = "<!--figures-->"


def portions(look: Lookup, registry: Registry) -> dict[str, str]:
    """All parts of the page by name in their order, with the sections of plugins behind them, without figures."""
    say = look.language
    alone, several = len(look.positions) == 1, len(look.cells) > 1
    inside = {
        "question": ("page.question", _question(look)),
        "answer": ("page.answer", _answer(look)),
        "summary": ("page.figures", _summary(look)),
        "all": ("page.all_alone" if alone else "page.all", ""),
        "sweep": ("page.sweep" if several else "page.whole", ""),
        "bettor": ("page.one_alone" if alone else "page.one", _bettor_bar(look)),
        "comparison": ("page.comparison", _comparison(look)),
        "rules": ("page.experiment", _rules(look)),
        "method": ("page.method", _method(look)),
    }
    found = {
        # Pairs are between the words of their part and their table.
        name: part(name, say(heading), text if HERE in text else text + HERE) + _sections(look, registry, name)
        for name, (heading, text) in inside.items()
    }
    if not several:
        return found
    # The settings side by side come first; then one of them is chosen for all that follows.
    found["sweep"] += _cell_bar(look)
    first = ("question", "answer", "sweep")
    return {name: found[name] for name in (*first, *(name for name in found if name not in first))}


def filled(parts: Mapping[str, str], figures: Mapping[str, str]) -> str:
    """The parts with their figures; one that holds nothing but its heading is left out."""
    lost = "".join(text for name, text in figures.items() if name not in PARTS)
    texts = []
    for name, text in parts.items():
        drawn = figures.get(name, "") + (lost if name == "all" else "")
        empty = re.sub(rf'<section id="{name}" [^>]*><h2 [^>]*>[^<]*</h2>{HERE}</section>', "", text)
        texts.append(text.replace(HERE, drawn) if drawn else empty.replace(HERE, ""))
    return "\n".join(texts)


def nav(look: Lookup) -> str:
    """Links to the parts of the page."""
    say, alone = look.language, "_alone" if len(look.positions) == 1 else ""
    links = [("answer", "answer"), *([("sweep", "sweep")] if swept(look)[0] else [])]
    links += [("summary", "figures"), ("all", f"all{alone}"), ("bettor", f"one{alone}")]
    links += [("comparison", "comparison")] if look.run.comparisons.height else []
    links.append(("rules", "experiment"))
    inside = "".join(f'<a href="#{place}">{escape(say(f"page.nav_{word}"))}</a>' for place, word in links)
    return f'<nav aria-label="{escape(say("page.nav"))}">{inside}</nav>'


def part(name: str, heading: str, inside: str) -> str:
    """One part of the page; nothing at all where it holds nothing."""
    if not inside:
        return ""
    return (
        f'<section id="{name}" aria-labelledby="{name}-head"><h2 '
        f'id="{name}-head">{escape(heading)}</h2>{inside}</section>'
    )


def _prose(text: str) -> str:
    """A paragraph in HTML; a percent sign stays on the line of its number."""
    return escape(text).replace(" %", "&nbsp;%")


def _sections(look: Lookup, registry: Registry, name: str) -> str:
    """The sections that stand behind a part of the page; one that names no part stands behind the comparison."""
    found = []
    for entry in registry.of("sections").values():
        after = entry.item.after if entry.item.after in PARTS else "comparison"
        inside = gallery.written(entry, look) if after == name else ""
        found.append(part(f"section-{escape(entry.id)}", gallery.title_of(entry, look), inside))
    return "".join(found)


def _question(look: Lookup) -> str:
    return "".join(f"<p>{_marked(_prose(text))}</p>" for text in question.paragraphs(look.run.manifest))


def _marked(text: str) -> str:
    """HTML in which `code` and *emphasis*, as people write them in comments, are marked up.

    >>> _marked("`bacclab run` is *not* 2 * 3 * 4")
    '<code>bacclab run</code> is <em>not</em> 2 * 3 * 4'
    """
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"(?<!\w)\*(\w(?:[^*<>]*\w)?)\*(?!\w)", r"<em>\1</em>", text)


def _answer(look: Lookup) -> str:
    say = look.language
    own = answer.warnings(look, reason=lambda key: answer.refusal(key, say=say))
    warned = [f"<p>{_prose(text)}</p>" for text in own]
    # What the run itself warned of is kept as it was said.
    warned += [f'<p lang="en">{_prose(str(text))}</p>' for text in look.run.manifest.get("warnings", ())]
    first, *rest = [f"<p>{_prose(text)}</p>" for text in answer.answer(look)]
    box = f'<div class="warning" role="note">{"".join(warned)}</div>' if warned else ""
    return (
        f'<div class="answer"><div><div class="first">{first}</div>{"".join(rest)}{box}</div>'
        f'<dl class="facts brief">{tables.facts(rules.brief_facts(look))}<div><dt>{escape(say("page.more"))}</dt>'
        f'<dd><a href="#rules">{escape(say("page.all_rules"))}</a></dd></div></dl></div>'
    )


def _summary(look: Lookup) -> str:
    say = look.language
    return (
        f'<div class="tools"><p class="hint">{escape(say("page.sort_hint"))}</p>{_filters(look)}'
        f'<label class="check"><input type="checkbox" id="all-columns"> {escape(say("page.all_columns"))}</label></div>'
        f"{_scroll(say('page.summary_scrolls'), tables.summary_table(look))}"
        f'<details class="plain"><summary>{escape(say("page.columns_mean"))}</summary>'
        f'<dl class="meanings">{tables.meanings(say, summary_columns(look.run.manifest))}</dl></details>'
    )


def _scroll(label: str, inside: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">{inside}</div>'


def _filters(look: Lookup) -> str:
    say, parts = look.language, []
    if len(look.cells) > 1:
        text = escape(say("page.every_setting"))
        parts.append(f'<label class="check"><input type="checkbox" id="every-cell"> {text}</label>')
    if len(look.positions) > MANY:
        text = escape(say("page.find"))
        parts.append(f'<input type="search" id="filter" placeholder="{text}" aria-label="{text}">')
    return "".join(parts)


def _cell_bar(look: Lookup) -> str:
    if len(look.cells) <= 1:
        return ""
    options = "".join(f'<option value="{cell}">{escape(label)}</option>' for cell, label in look.cells.items())
    label = escape(look.language("page.setting"))
    return f'<div class="bar cellbar"><label for="cell">{label}</label><select id="cell">{options}</select></div>'


def _bettor_bar(look: Lookup) -> str:
    if len(look.positions) <= 1:
        return ""
    say = look.language
    options = "".join(f'<option value="{k}">{escape(name)}</option>' for name, k in look.positions.items())
    step = '<button type="button" class="step" data-step="{0}" aria-label="{1}">{2}</button>'
    return (
        f'<div class="bar"><label for="bettor-choice">{escape(say("page.system"))}</label>'
        f"{step.format(-1, escape(say('page.previous_system')), '◀')}"
        f'<select id="bettor-choice">{options}</select>{step.format(1, escape(say("page.next_system")), "▶")}</div>'
    )


def _comparison(look: Lookup) -> str:
    say = look.language
    table, note = tables.comparison_table(look)
    if not table:
        return ""
    hint = " ".join(filter(None, [say("page.pairs_hint"), note]))
    return f'<p class="hint">{escape(hint)}</p>{HERE}{_scroll(say("page.comparison_scrolls"), table)}'


def _rules(look: Lookup) -> str:
    say, manifest = look.language, look.run.manifest
    table = tables.facts(rules.table_facts(rules.table_settings(manifest, look.cell(None)), say=say))
    note = f'<p class="hint">{escape(say("page.first_setting"))}</p>' if len(look.cells) > 1 else ""
    return (
        f'<h3>{escape(say("page.table"))}</h3><dl class="facts">{table}</dl>{note}'
        f'<h3>{escape(say("page.sample"))}</h3><dl class="facts">{tables.facts(rules.experiment_facts(look))}</dl>'
        f"<h3>{escape(say('page.played'))}</h3>"
        f"{_scroll(say('page.played'), tables.played_table(look, rules.config_of(manifest)))}"
    )


def _method(look: Lookup) -> str:
    say = look.language
    texts = "".join(f"<p>{_prose(say(f'method.{key}'))}</p>" for key in ("p1", "p2", "p3"))
    return texts + _reproduce(look, say)


def _reproduce(look: Lookup, say: Language) -> str:
    manifest = look.run.manifest
    command = str(manifest.get("command") or "bacclab run experiment.toml")
    seed, given = manifest.get("seed"), manifest.get("seed_given", True)
    tail = "" if seed is None or (given and "experiment" in manifest) else f" --seed {seed}"
    text = manifest.get("experiment_text") or _resolved(look.run)
    name = escape(say("page.experiment_file"))
    file = f"<details><summary>{name}</summary><pre><code>{escape(str(text))}</code></pre></details>" if text else ""
    return f"<p>{escape(say('page.reproduce'))}</p><pre><code>{escape(command + tail)}</code></pre>{file}"


def _resolved(run: Any) -> str:
    """The experiment file of the run folder, where there is one."""
    folder = getattr(run, "path", None)
    file = None if folder is None else Path(folder) / "experiment.toml"
    return file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
