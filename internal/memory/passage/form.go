package passage

import (
	"strings"

	"moothall/internal/lazyregexp"
)

// form is a sentence form: groups s, o and r are subject, object and, where
// the sentence itself names it, the relation.
type form struct {
	relation string
	cues     map[string]bool // it cannot match a sentence without one of these words
	re       *lazyregexp.Regexp
}

const (
	nameForm = `\p{Lu}[\p{L}’'-]+(?: (?:(?:de|da|van|von|der|del|of) )?\p{Lu}[\p{L}’'-]+){0,3}`
	kinForm  = `sister|brother|mother|father|mom|mum|dad|son|daughter|wife|husband|partner|girlfriend|boyfriend|friend|best friend|cousin|niece|nephew|aunt|uncle|grandmother|grandfather|grandma|grandpa|boss|colleague|neighbou?r|roommate|dog|cat|puppy|kitten`
	subject  = `\b(?P<s>` + nameForm + `|I|We|we|[Mm]y (?:` + kinForm + `)(?: ` + nameForm + `)?)(?:,? who)? (?:(?:also|now|currently|just|recently|still|really|finally|always) )?`
	object   = `(?P<o>[^.!?;]{2,120})`
	aName    = `(?P<o>` + nameForm + `)`
)

// forms in the order in which facts of one sentence are listed.
var forms = []form{
	{"lives in", setOf("live lives living reside resides"), re(subject + `(?:live|lives|am living|is living|reside|resides) (?:in|at|near) ` + object)},
	{"lived in", setOf("lived live grew"), re(subject + `(?:lived|used to live|grew up) in ` + object)},
	{"moved to", setOf("moved relocated emigrated immigrated"), re(subject + `(?:moved|relocated|emigrated|immigrated) (?:back )?(?:from [^.!?;,]{2,40} )?to ` + object)},
	{"moved from", setOf("moved relocated emigrated immigrated"), re(subject + `(?:moved|relocated|emigrated|immigrated) (?:here )?from ` + aName)},
	{"works at", setOf("work works working"), re(subject + `(?:work|works|am working|is working) (?:at|for) ` + object)},
	{"worked at", setOf("worked work"), re(subject + `(?:worked|used to work) (?:at|for) ` + object)},
	{"works as", setOf("work works working"), re(subject + `(?:work|works|am working|is working) as ` + object)},
	{"joined", setOf("joined"), re(subject + `joined ` + object)},
	{"is a", setOf("am is became"), re(subject + `(?:am|is|became) (?P<o>an? [\p{L} -]{3,60})`)},
	{"is from", setOf("from"), re(subject + `(?:am|is|comes?|came) (?:originally )?from ` + aName)},
	{"born in", setOf("born"), re(subject + `(?:was|were) born in ` + aName)},
	{"born on", setOf("born"), re(subject + `(?:was|were) born (?P<o>(?:on|in) [^.!?;,]*\d{4})`)},
	{"married to", setOf("married"), re(subject + `(?:(?:am|is|was) married to|married|got married to) ` + aName)},
	{"likes", setOf("like likes love loves enjoy enjoys adore adores"), re(subject + `(?:like|likes|love|loves|enjoy|enjoys|adore|adores) ` + object)},
	{"prefers", setOf("prefer prefers"), re(subject + `(?:prefer|prefers) ` + object)},
	{"dislikes", setOf("dislike dislikes hate hates stand like"), re(subject + `(?:dislike|dislikes|hate|hates|can't stand|do not like|don't like|does not like|doesn't like) ` + object)},
	{"allergic to", setOf("allergic"), re(subject + `(?:am|is) allergic to ` + object)},
	{"has", setOf("have has own owns adopted bought got"), re(subject + `(?:have|has|own|owns|adopted|bought|got) (?P<o>(?:an?|two|three|four|five) [^.!?;]{2,80})`)},
	{"speaks", setOf("speak speaks"), re(subject + `(?:speak|speaks) ` + aName)},
	{"studies", setOf("study studies studying"), re(subject + `(?:study|studies|am studying|is studying) ` + object)},
	{"studied at", setOf("studied graduated school"), re(subject + `(?:studied at|graduated from|went to school at) ` + object)},
	{"founded", setOf("founded company"), re(subject + `(?:founded|started a company called) ` + object)},
	{"kin", kinWords, re(`\b(?P<s>[Mm]y|[Oo]ur) (?P<r>` + kinForm + `),?(?: is| was|'s name is| is called| is named| named| called)? ` + aName)},
	{"kin", kinWords, re(`\b(?P<s>` + nameForm + `)['’]s (?P<r>` + kinForm + `),?(?: is| was| is called| is named| named| called)? ` + aName)},
	{"kin", kinWords, re(`\b` + `(?P<o>` + nameForm + `) is (?P<s>[Mm]y|[Oo]ur) (?P<r>` + kinForm + `)\b`)},
	{"favourite", setOf("favourite favorite"), re(`\b(?P<s>[Mm]y|` + nameForm + `['’]s) favou?rite (?P<r>[\p{L} ]{2,30}) (?:is|are|was) ` + object)},
	{"named", setOf("name"), re(`\b(?P<s>[Mm]y) name is ` + aName)},
}

// kinWords are the words of kinForm.
var kinWords = setOf(strings.NewReplacer("|", " ", "neighbou?r", "neighbor neighbour", "best ", "").Replace(kinForm))

func re(s string) *lazyregexp.Regexp { return lazyregexp.New(s) }

// times are the ways in which a sentence says when.
var times = lazyregexp.New(`\b(?:(?:(?:on|in|since|until|by|around|from) )?(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?` + months + `,?(?: \d{4})?|` + months + ` \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4})?|` + months + `,? \d{4}|\d{4}-\d{2}-\d{2})|(?:in|since|until|around) (?:19|20)\d{2}|(?i:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|autumn|fall|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (?:days?|weeks?|months?|years?) ago))\b`)
