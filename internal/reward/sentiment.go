package reward

import "strings"

// sentiment is how a comment sounds, by rule: as feedback that is said in
// conversation where it is such, or else by the words that it is made of.
func sentiment(comment string) string {
	if f, ok := Said(comment); ok {
		if f.Thumbs > 0 {
			return positive
		}
		return negative
	}
	balance, flip := 0, 0
	for word := range strings.FieldsSeq(plainWords(short(comment, maxWords))) {
		v := 0
		switch {
		case word == over:
			flip = 0
		case strings.Contains(goodWords, " "+word+" "):
			v = 1
		case strings.Contains(badWords, " "+word+" "):
			v = -1
		}
		// A denial turns the next few words of its sentence around: "not very helpful".
		if flip > 0 {
			v, flip = -v, flip-1
		}
		if strings.Contains(denials, " "+word+" ") {
			flip = 3
		}
		balance += v
	}
	switch {
	case balance > 0:
		return positive
	case balance < 0:
		return negative
	}
	return neutral
}

// over stands for the end of a sentence.
const over = "."

// plainWords leaves letters and digits, without accents and apostrophes, and
// where sentences end.
func plainWords(text string) string {
	var b strings.Builder
	for _, r := range fold(text) {
		switch {
		case r == '\'':
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case isMark(r) && r != ',': // "neither clear, nor correct" is one thought
			b.WriteString(" " + over + " ")
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Words between spaces, as plainWords leaves them.
const (
	goodWords = " good great perfect excellent helpful useful clear correct right nice love loved like liked best better awesome brilliant amazing " +
		"accurate precise quick fast impressive thorough concise thanks wonderful fantastic " +
		"gut gute super perfekt toll hilfreich klar richtig klasse prima schnell genau " +
		"bien bueno buena perfecto excelente util claro correcto genial gracias " +
		"bon bonne parfait utile juste clair merci " +
		"bene buono ottimo perfetto chiaro corretto grazie bom boa otimo perfeito obrigado " +
		"goed prima duidelijk handig nuttig juist bedankt "
	badWords = " bad wrong incorrect useless unhelpful terrible awful poor slow confusing confused misleading inaccurate outdated hate hated worse worst " +
		"nonsense error errors mistake mistakes broken missing incomplete vague boring rude false rubbish garbage hallucinated " +
		"falsch schlecht unbrauchbar langsam verwirrend unklar fehler quatsch unsinn veraltet " +
		"mal malo mala incorrecto incorrecta inutil lento confuso error errores falso " +
		"faux mauvais mauvaise nul lent erreur erreurs confus " +
		"sbagliato sbagliata pessimo pessima lento errore errori errado errada ruim pessimo erro erros " +
		"fout slecht verkeerd traag onduidelijk onzin onjuist "
	denials = " not no never isnt wasnt dont doesnt didnt cant cannot hardly nicht kein keine nie no nunca pas jamais ne non mai nao niet geen nooit "
)
