"""Phrasings of requests to read, list, search and write files; as in asks.py."""
from .asks import load

FS_READ = load("fs_read", """Read {path}.
What's in {path}?
show me {path}
open {path}
cat {path}
read me the file {path}
what does {path} say?
can you read {path} for me?
print {path}
display the contents of {path}
I want to see {path}
take a look at {path}
what is written in {path}?
have a look into {path} and tell me what's there
let me see {path}
give me the contents of {path}
could you open {path} and show it
fetch me the text of {path}
what stands in {path}?
please go through {path}
view {path}
contents of {path}?
whats in the file {path}
what do we have in {path}
load {path}""")

FS_READ_LINES = load("fs_read_lines", """read the first {n} lines of {path}\t{"path": "{path}", "limit": "{n}"}
show me the first {n} lines of {path}\t{"path": "{path}", "limit": "{n}"}
head -n {n} {path}\t{"path": "{path}", "limit": "{n}"}
only the top {n} lines of {path} please\t{"path": "{path}", "limit": "{n}"}
give me {n} lines of {path}\t{"path": "{path}", "limit": "{n}"}
the beginning of {path}, {n} lines\t{"path": "{path}", "limit": "{n}"}
read {path} from line {k}\t{"path": "{path}", "offset": "{k}"}
show {path} starting at line {k}\t{"path": "{path}", "offset": "{k}"}
continue {path} at line {k}\t{"path": "{path}", "offset": "{k}"}
from line {k} on, what does {path} say?\t{"path": "{path}", "offset": "{k}"}
open {path} at line {k} and show {n} lines\t{"path": "{path}", "offset": "{k}", "limit": "{n}"}
read {n} lines of {path} from line {k}\t{"path": "{path}", "offset": "{k}", "limit": "{n}"}
lines {k} and following of {path}, {n} of them\t{"path": "{path}", "offset": "{k}", "limit": "{n}"}
what is in line {k} of {path}?\t{"path": "{path}", "offset": "{k}", "limit": "1"}
show me line {k} of {path}\t{"path": "{path}", "offset": "{k}", "limit": "1"}""")

FS_LIST = load("fs_list", """list {folder}
What's in the folder {folder}?
what files are in {folder}?
show me the files in {folder}
ls {folder}
which files do I have in {folder}?
list the contents of {folder}
what's inside {folder}
give me a listing of {folder}
dir {folder}
how many files are in {folder}?
let me see what is in {folder}
list all files in the {folder} folder
what do I have in {folder}
is there anything in {folder}?
which documents are in {folder}?
what files are here?\t{}
list my files\t{}
what's in this folder?\t{}
show me the files\t{}
ls\t{}
which files do we have?\t{}
list everything in the working folder\t{}
list {folder} with hidden files\t{"path": "{folder}", "hidden": "true"}
show hidden files in {folder} too\t{"path": "{folder}", "hidden": "true"}
ls -a {folder}\t{"path": "{folder}", "hidden": "true"}
list {folder}, {n} levels deep\t{"path": "{folder}", "depth": "{n}"}
show the tree of {folder} down to {n} levels\t{"path": "{folder}", "depth": "{n}"}""")

FS_SEARCH = load("fs_search", """search my files for {word}
find {word} in my files
where does {word} appear?
which file mentions {word}?
grep {word}
look for {word} in the files
search for {word}\t{"pattern": "{word}"}
in which files is {word}?
find the word {word}
is {word} mentioned anywhere in my files?
search {folder} for {word}\t{"pattern": "{word}", "path": "{folder}"}
find {word} in {folder}\t{"pattern": "{word}", "path": "{folder}"}
grep {word} in {folder}\t{"pattern": "{word}", "path": "{folder}"}
where in {folder} is {word} used?\t{"pattern": "{word}", "path": "{folder}"}
look through {folder} for {word}\t{"pattern": "{word}", "path": "{folder}"}
which files in {folder} contain {word}?\t{"pattern": "{word}", "path": "{folder}"}
does {path} contain {word}?\t{"pattern": "{word}", "path": "{path}"}
look for {word} in {path}\t{"pattern": "{word}", "path": "{path}"}
in which line of {path} is {word}?\t{"pattern": "{word}", "path": "{path}"}
find {word} in all .{ext} files\t{"pattern": "{word}", "glob": "*.{ext}"}
search the {ext} files for {word}\t{"pattern": "{word}", "glob": "*.{ext}"}
look for {word}, only in *.{ext}\t{"pattern": "{word}", "glob": "*.{ext}"}""")

FS_OVERWRITE = load("fs_write_overwrite", """write {text} to {path}
save {text} in {path}
put {text} into {path}
save "{text}" to {path}
write "{text}" into the file {path}
store {text} in {path}
make {path} say {text}
note {text} in {path}
please write this to {path}: {text}
save this as {path}: {text}
write down {text} in {path}
I want {path} to contain {text}
fill {path} with {text}
jot down {text} in {path}
overwrite {path} with {text}
replace the contents of {path} with {text}""")

FS_APPEND = load("fs_write_append", """add {text} to {path}
append {text} to {path}
append "{text}" to {path}
put {text} at the end of {path}
add a line to {path}: {text}
add "{text}" to the list in {path}
extend {path} with {text}
also write {text} at the end of {path}
tack {text} onto {path}
add {text} at the bottom of {path}
write {text} below everything in {path}
stick {text} on the end of {path}""")

FS_CREATE = load("fs_write_create", """create {path} with {text}
create a new file {path} containing {text}
make a new file called {path} with the text {text}
start a new file {path} with {text}
create the file {path}; it should say {text}
new file {path}: {text}
create {path}, but only if it isn't there yet, with {text}
make me a fresh file {path} that says {text}
create a file named {path} with "{text}" in it
set up a new file {path} with {text}""")

FS_REPLACE = load("fs_write_replace", """replace {old} with {new} in {path}
change {old} to {new} in {path}
in {path}, change {old} to {new}
in {path} replace {old} by {new}
swap {old} for {new} in {path}
correct {old} to {new} in {path}
edit {path}: {old} becomes {new}
turn {old} into {new} in {path}
{path} says {old}, it should say {new}
fix {path}: {old} must be {new}
update {old} to {new} in {path}
rename {old} to {new} in {path}""")
