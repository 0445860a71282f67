import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import lua from "highlight.js/lib/languages/lua";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const known = { bash, c, cpp, css, diff, go, ini, java, javascript, json, lua, markdown, python, ruby, rust, shell, sql, typescript, xml, yaml };
for (const [name, rules] of Object.entries(known)) hljs.registerLanguage(name, rules);

const longest = 50_000; // longer code stays plain

/** Code as HTML with its parts marked, or undefined when it stays plain. Everything is escaped. */
export function highlight(text: string, lang: string): string | undefined {
  if (!lang || text.length > longest || !hljs.getLanguage(lang)) return undefined;
  return hljs.highlight(text, { language: lang, ignoreIllegals: true }).value;
}
