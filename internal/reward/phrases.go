package reward

import (
	"strings"

	"moothall/internal/lazyregexp"
)

// The rules. Words are in small letters, without accents and apostrophes;
// each line is one language or one thought. A rule matches at the beginning
// of the words it is given, at whole words, and takes as many as it can.

// rule makes one of alternatives.
func rule(alternatives ...string) *lazyregexp.Regexp {
	return lazyregexp.Longest(`^(?:` + strings.Join(alternatives, "|") + `)(?:\b|$)`)
}

const (
	// it is what a verdict is about.
	it = `(?:that|this|it|(?:your|the|this|that) (?:(?:last|previous|first|second) )?(?:answer|response|reply|result|explanation|solution|suggestion|code))`
	is = `(?:s| is| was)`
	// very strengthens or weakens without changing the side.
	very = `(?:(?:so|very|really|quite|pretty|just|exactly|absolutely|completely|totally|entirely|simply|plain|super|actually|still|also|all|clearly|obviously|definitely|again|factually|sehr|wirklich|einfach|so|leider|aber|total|komplett|vollig|genau|auch|immer noch|leider|ganz|muy|totalmente|completamente|realmente|tres|vraiment|tout a fait|completement|totalement|molto|davvero|proprio|completamente|muito|mesmo|totalmente|heel|erg|echt|helemaal|gewoon|nog steeds) )*`
	// wanted ends "exactly what I …".
	wanted = `i (?:just |really )?(?:needed|wanted|need|want|asked(?: for)?|was (?:looking|asking|hoping) for|meant|had in mind)`
)

// praiseRule is praise that stands by itself.
var praiseRule = rule(
	`(?:just |simply |absolutely )?(?:perfect|excellent|brilliant|awesome|fantastic|wonderful|amazing|superb|outstanding|fabulous|marvell?ous|terrific|spot on|great)(?: (?:answer|job|work|response|explanation|summary|one|stuff))?`,
	`(?:very |really |so |super |extremely |incredibly |most )+(?:helpful|useful|clear|well done|nice|impressive)`,
	`(?:good|nice|lovely|very good|really good|solid|clever|clear|very clear|beautiful) (?:answer|job|work|response|explanation|summary|one|find)`,
	it+is+` `+very+`(?:perfect|excellent|brilliant|awesome|fantastic|wonderful|amazing|superb|great|spot on|helpful|useful|it exactly|a (?:great|good|perfect|helpful|brilliant|excellent) (?:answer|explanation|response|summary)|(?:exactly |just |precisely )?what `+wanted+`|much better)`,
	`(?:exactly|just|precisely) what `+wanted, `well done`, `nicely done`, `bravo`, `impressive`, `kudos`, `nailed it`, `you nailed it`,
	`(?:that|this|it) (?:really |totally |just |actually )?(?:worked|helped|helps|solved it|fixed it|did it|did the trick|works)(?: (?:me|a lot|a ton|so much|very much|perfectly|great|fine|well|now|like a charm|beautifully))*`,
	`works (?:perfectly|great|like a charm|beautifully|now)`, `problem solved`, `(?:i )?love (?:it|this|that|this answer|your answer)`, `i (?:really )?like (?:it|this|that|your answer|this answer|that answer)`,
	`you(?:re| are) (?:right|the best|awesome|amazing|great|brilliant|a genius|a life ?saver|a star)`, `you rock`, `life ?saver`, `(?:thats|what) a life ?saver`, `that clears (?:it|things) up`, `that answers my question`,

	`(?:einfach )?(?:perfekt|super|klasse|toll|ausgezeichnet|hervorragend|wunderbar|grossartig|genial|spitze|fantastisch|sehr hilfreich|top(?: (?:antwort|arbeit|gemacht|erklart|erklarung)))(?: (?:antwort|arbeit|gemacht|erklart|erklarung))?`,
	`(?:gute|sehr gute|super|tolle|perfekte|schone) (?:antwort|arbeit|erklarung)`, `(?:gut|sehr gut|super|toll|schon) (?:gemacht|erklart)`, `genau (?:so|das|richtig)(?: (?:was ich (?:brauche|brauchte|wollte|gesucht habe|suchte|meinte|wissen wollte)|hab ich gesucht|habe ich gesucht|habe ich gebraucht|brauchte ich|wollte ich(?: wissen)?|meinte ich|ist es|wars))?`,
	`das (?:ist|war|passt) `+very+`(?:perfekt|super|klasse|toll|ausgezeichnet|hilfreich|prima|genial|richtig|das was ich (?:brauche|brauchte|wollte|gesucht habe|meinte))`, `(?:das )?(?:hat|hilft) (?:mir )?(?:sehr |wirklich |echt )?(?:geholfen|weiter|weitergeholfen|sehr)`, `(?:es|das) (?:funktioniert|klappt)(?: jetzt| super| perfekt)?`, `du hast recht`, `gefallt mir(?: sehr| gut)?`,

	`(?:perfecto|perfecta|excelente|estupendo|estupenda|fantastico|maravilloso|maravillosa|buenisimo|buenisima|fenomenal|impecable|justo eso)`, `(?:justo|exactamente|precisamente) lo que (?:necesitaba|queria|buscaba|pedi|preguntaba)`,
	`(?:buen trabajo|buena respuesta|muy buena respuesta|muy util|me (?:ha )?(?:ayudo|ayudado|sirvio|servido) mucho|me ayuda mucho|bien hecho|tienes razon|me encanta|ya funciona)`, `(?:eso )?(?:es|esta|estuvo) `+very+`(?:perfecto|excelente|genial|estupendo)`,

	`(?:parfait|parfaite|excellente|genial|formidable|magnifique|impeccable|nickel|(?:cest )?exactement ca)`,
	`(?:bonne reponse|tres bonne reponse|bien joue|bon travail|beau travail|tres utile|tu as raison|vous avez raison|jadore|ca (?:maide|ma aide|ma beaucoup aide)(?: beaucoup)?)`, `(?:cest )?exactement ce (?:quil me (?:fallait|faut)|que je (?:voulais|cherchais|demandais))`, `cest `+very+`(?:parfait|super|genial|excellent|utile|clair)`,

	`(?:perfetto|perfetta|ottimo|ottima|eccellente|fantastica|bravissimo|bravissima|grandioso|stupendo)(?: (?:lavoro|risposta|spiegazione))?`, `(?:proprio|esattamente) quello che (?:cercavo|volevo|mi serviva|ho chiesto|chiedevo)`,
	`(?:ben fatto|bel lavoro|bella risposta|buona risposta|molto utile|hai ragione|mi piace molto|mi hai aiutato(?: molto| tanto)?|ora funziona)`, `e `+very+`(?:perfetto|ottimo|utile)`,

	`(?:perfeito|perfeita|otimo|otima|maravilha|maravilhoso|sensacional|incrivel)(?: (?:resposta|trabalho|explicacao))?`, `(?:era |e )?(?:exatamente|justamente) (?:isso|o que eu (?:precisava|queria|procurava|perguntei))`, `era isso(?: mesmo)?(?: que eu (?:queria|precisava))?`,
	`(?:boa resposta|bom trabalho|muito bom|muito boa|muito util|ajudou muito|me ajudou(?: muito)?|voce tem razao|adorei|agora funciona|funcionou)`,

	`(?:perfecte|uitstekend|geweldig|helemaal top|fantastisch|schitterend|briljant|precies goed|precies dat)(?: (?:antwoord|werk|uitleg))?`, `precies wat ik (?:zocht|nodig had|wilde|bedoelde|wilde weten)`,
	`(?:goed gedaan|goed antwoord|goede uitleg|mooi werk|heel (?:handig|nuttig|behulpzaam)|je hebt gelijk|dat helpt (?:enorm|echt|heel erg)|dat werkt|het werkt nu|heel goed antwoord)`,
)

// hintRule is praise only beside thanks: alone it may answer a question.
var hintRule = rule(
	`nice|cool|neat|sweet|very good|very nice|really good|very well|correct|exactly|precisely|thats (?:right|correct|it|good|nice|better|fine)|that is (?:right|correct|it|good)|all good|works|it works|(?:that |it )?makes sense|helpful|good to know|much better|lovely|beautiful|very clear`,
	`prima|top|(?:das )?passt|stimmt|genau|richtig|sehr gut|sehr schon|schon|gut zu wissen|das wars`, `exacto|correcto|muy bien|eso mismo|eso es|de lujo`,
	`tres bien|exactement|cest ca|ca marche|cest bon|cest clair|bien vu|voila`, `esatto|giusto|molto bene|benissimo`, `exato|certo|isso mesmo|muito bem|beleza|legal`, `prima|klopt|precies|heel goed|mooi|helder|duidelijk`,
)

// thanksRule is courtesy.
var thanksRule = rule(
	`(?:many |a lot of )?(?:thanks|thank you|thankyou|thx|ty|tysm|cheers|much appreciated|appreciate it|i appreciate (?:it|that|your help))(?: (?:so much|very much|a lot|a million|a bunch|again|for (?:that|this|your help|the help|the answer|the explanation|explaining|helping)|mate|man|buddy))*`,
	`(?:vielen |besten |herzlichen |lieben |tausend )?(?:dank|danke|dankeschon)(?: (?:dir|schon|sehr|vielmals|fur (?:die hilfe|deine hilfe|die antwort)))*`, `(?:muchas |mil |muchisimas )?gracias(?: por (?:la|tu) (?:ayuda|respuesta))?`,
	`merci(?: (?:beaucoup|bien|a toi|a vous|pour (?:ton|votre|l) ?aide))*`, `(?:tante |molte )?grazie(?: (?:mille|tante|davvero))*`, `(?:muito |muita )?(?:obrigado|obrigada|valeu|brigado|brigada)(?: (?:mesmo|pela ajuda))*`, `(?:dank je(?: wel)?|dankjewel|bedankt|dank u(?: wel)?|hartelijk dank|heel erg bedankt|hartstikke bedankt)`,
)

// fillingRule is what may stand between praise without saying anything.
var fillingRule = rule(
	`oh|ah|aha|wow|that was (?:quick|fast)|ok|okay|alright|well|so|hey|hi|haha|lol|yay|hooray|and|now i (?:get it|understand|see)|i (?:see|understand)|got it|moothall|assistant|friend|mate|man|buddy|bye|goodbye|good night|see you|have a (?:nice|good|great) (?:day|evening|one|night|weekend)|again|really|very much|indeed|this time|for (?:that|this|your help|the help)|a lot|so much`,
	`ach|oh|ja super|gut|na|und|tschuss|bis bald|jetzt versteh(?:e)? ich(?: es)?|alles klar|super|diesmal|wow|was ich (?:brauche|brauchte|wollte|gesucht habe|suchte|meinte|wissen wollte)|schonen (?:tag|abend)(?: noch)?`,
	`vale|bueno|bien|adios|hasta luego|ya entiendo|entendido|ahora entiendo`, `bon|bien|daccord|au revoir|bonne (?:journee|soiree)|je comprends(?: mieux)?(?: maintenant)?|super`, `bene|va bene|ciao|ho capito|capito|ora capisco`, `bom|bem|tchau|entendi|agora entendi`, `goed|oke|doei|tot ziens|ik snap het|en`,
)

// yesRule may answer a question of the assistant's.
var yesRule = rule(`yes|yeah|yep|yup|ja|jep|si|oui|ouais|sim|jazeker`)

// noRule is a denial.
var noRule = rule(`no|nope|nah|nein|ne|nee|non|nao|naw|uh uh`)

// beforeRule is what may stand before blame.
var beforeRule = rule(
	`well|hm+|hmm|um|uh|oh|ah|ok|okay|sorry|sorry but|but|actually|wait|hey|moothall|i think|i believe|i(?:m| am) (?:afraid|sorry|pretty sure|quite sure|sure)(?: but)?|im sorry to say|unfortunately|nice try|good try|close|come on|ugh|argh|wow|yeah|look|listen`,
	`aber|leider|also|tja|ach|sorry|moment|ich (?:glaube|denke|finde)|entschuldigung|schade|halt|doch`, `pero|lo siento|creo que|perdon|oye|disculpa`, `mais|desole|desolee|je crois que|je pense que|pardon|euh|ben`,
	`ma|mi dispiace(?: ma)?|credo che|scusa|guarda|purtroppo`, `mas|desculpe|desculpa|acho que|olha|infelizmente`, `maar|helaas|ik denk dat|volgens mij|sorry maar`,
)

// blameRule says that the answer was wrong or no help.
var blameRule = rule(
	it+is+` `+very+`(?:wrong|incorrect|mistaken|inaccurate|nonsense|rubbish|bullshit|garbage|gibberish|a hallucination|hallucinated|made up|a lie|false|untrue|useless|unhelpful|no help|no good|outdated|off topic|beside the point|a (?:bad|terrible|wrong|poor|useless|horrible) (?:answer|response|explanation)|the wrong (?:answer|one|thing)|outdated information|a mistake|an error)`,
	it+`(?:s| is| was) (?:still |just |really |simply |definitely |clearly |actually |also )*not (?:very |really |quite |at all |even |actually |so |exactly |entirely |particularly |remotely )*(?:right|correct|true|accurate|helpful|useful|good|it|what `+wanted+`|what i said|how (?:it|that|this) works|the case|the (?:right )?answer(?: i wanted)?|an answer|my question|good enough)`,
	it+` (?:isnt|wasnt|aint) (?:very |really |quite |at all |even |actually |exactly |entirely |particularly )*(?:right|correct|true|accurate|helpful|useful|good|it|what `+wanted+`|what i said|how (?:it|that|this) works|the case|the (?:right )?answer|an answer|my question)`, `(?:that|this) (?:is|s|was) (?:still )?not working`,
	it+` (?:cant|cannot|can not|couldnt) be (?:right|correct|true)`, it+` (?:doesnt|does not|didnt|did not) (?:really |even |actually |quite )?(?:look right|seem right|sound right|look correct|seem correct|make (?:any )?sense|answer (?:my|the) question|help(?: me)?(?: at all| much)?|add up)`,
	`(?:that|this|(?:your|this|that|the) (?:answer|solution|suggestion|code|fix|command|link)) (?:still |also |just )*(?:doesnt|does not|didnt|did not|isnt) (?:work|working)(?: (?:either|at all|for me))?`, `(?:it )?still (?:doesnt|does not|isnt) (?:work|working)(?: at all)?`, `still (?:wrong|incorrect|not (?:right|correct|working))`,
	`(?:completely|totally|absolutely|just|plain|simply|dead|so|very|all) (?:wrong|incorrect|false|useless)`, `wrong(?: answer| again)?`, `(?:bad|terrible|awful|horrible|poor|useless|wrong|incorrect|lousy|stupid) (?:answer|response|reply|explanation|job)`, `not (?:right|correct|true|helpful|useful|accurate)(?: at all)?`, `not what `+wanted+``, `(?:total |complete |utter |absolute )?(?:nonsense|rubbish|bullshit|garbage)`,
	`you(?:re| are| were) (?:just |still |completely |totally |clearly |simply |dead |so )*(?:wrong|mistaken|incorrect|hallucinating|lying|making (?:that|this|it|things|stuff) up|not (?:listening|answering my question|helping|right|correct))`, `you (?:got|have got|have) (?:it|that|this|me) (?:all |completely |totally )?wrong`, `you (?:just )?(?:made|ve made|have made) (?:a|an|another|the same|some) (?:big )?(?:mistake|error|mistakes|errors)`, `you (?:just )?made (?:that|this|it) up`, `you keep (?:getting (?:it|this|that) wrong|making (?:the same )?mistakes)`, `you (?:completely |totally )?(?:misunderstood|misread|missed the point|ignored)(?: (?:me|it|that|my question|the question|what i (?:said|asked|wrote)))?`,
	`you (?:didnt|did not|havent|have not) (?:even |really |actually )?(?:answer(?:ed)?|read|understand|understood|address(?:ed)?) (?:(?:my|the) (?:question|message|text)|me|it|what i (?:asked|said|wrote))`, `i (?:dont|do not) (?:think|believe) (?:thats|that is|this is|its|it is|that was) (?:right|correct|true|accurate|what i asked(?: for)?)`, `thats wrong(?: on (?:so many|many|all) (?:levels|counts))?`, `i (?:didnt|did not) ask (?:for )?(?:that|this)`, `that(?:s| is| was) not (?:what|even) (?:i asked|close)(?: for)?`, `not even close`, `worst answer ever`,

	`das (?:ist|war) (?:leider |aber |so |doch |einfach |komplett |total |vollig |uberhaupt |absolut |ganz |auch |immer noch |wieder )*(?:falsch|verkehrt|inkorrekt|quatsch|unsinn|blodsinn|mull|unbrauchbar|nicht (?:ganz |wirklich |so )*(?:richtig|korrekt|wahr|hilfreich|das was ich (?:wollte|meinte|gefragt habe|brauche|brauchte)|meine frage|was ich (?:wollte|meinte|gefragt habe)|das)|keine antwort(?: auf meine frage)?|gelogen|erfunden)`,
	`(?:das )?stimmt (?:so |leider |aber |doch |uberhaupt |gar |einfach |immer noch |auch )*nicht(?: so)?`, `da liegst du (?:leider )?falsch`, `du liegst (?:leider )?falsch`, `du (?:irrst|tauschst|vertust) dich`, `du hast (?:dich geirrt|unrecht|mich (?:falsch|nicht) verstanden|meine frage nicht (?:beantwortet|verstanden)|das (?:erfunden|falsch verstanden)|einen fehler gemacht)`, `das (?:habe|hab) ich nicht (?:gefragt|gemeint|gewollt|so gemeint)`, `das hilft (?:mir )?(?:leider |so |uberhaupt |gar )*nicht(?: weiter)?`, `das (?:funktioniert|klappt|geht) (?:so |leider |immer noch |auch |aber )*nicht`, `(?:falsche|schlechte|vollig falsche) antwort`, `(?:vollig|komplett|total|leider|ganz|schon wieder|immer noch) falsch`, `(?:so ein |totaler )?(?:quatsch|unsinn|blodsinn)`, `nicht (?:richtig|korrekt|das was ich wollte)`, `das (?:ergibt|macht) (?:so |leider |aber |uberhaupt )*keinen sinn`, `das kann nicht (?:stimmen|sein|richtig sein)`,

	`(?:eso |esto |la respuesta |tu respuesta )?(?:es|esta|era|estuvo) (?:totalmente |completamente |muy |todo )*(?:incorrecto|incorrecta|equivocado|equivocada|mal|falso|falsa|mentira|un error)`, `(?:eso |esto )?no (?:es|esta|era) (?:del todo |realmente |muy )*(?:correcto|cierto|verdad|asi|bien|correcta|util|lo que (?:pedi|pregunte|queria|te pedi|te pregunte|buscaba|necesitaba|quise decir))`, `te (?:equivocas|equivocaste|has equivocado)`, `estas (?:equivocado|equivocada|mal)`, `respuesta (?:incorrecta|equivocada|mala)`, `mala respuesta`, `(?:eso |esto )?no (?:me )?(?:sirve|ayuda|ha ayudado)(?: (?:de|para) nada| mucho)?`, `(?:eso|esto) no funciona`, `no respondiste (?:a )?mi pregunta`, `no has entendido(?: nada| mi pregunta)?`, `eso no tiene sentido`,

	`cest (?:completement |totalement |tout simplement |encore |toujours )*(?:faux|incorrect|inexact|errone|une erreur|nul|nimporte quoi|un mensonge)`, `(?:ce nest|cest|ce netait|cetait) pas (?:du tout |tout a fait |vraiment |exactement )*(?:correct|juste|vrai|bon|ca|exact|utile|ce que (?:jai demande|je voulais|je demandais|je cherchais|je voulais dire)|ma question|la bonne reponse)`, `tu (?:te trompes|tes trompe|as tort|nas pas compris(?: ma question)?|nas pas repondu(?: a ma question)?)`, `vous (?:vous trompez|avez tort|navez pas compris(?: ma question)?)`, `(?:mauvaise|fausse) reponse`, `nimporte quoi`, `ca (?:ne )?(?:marche|fonctionne|maide) (?:toujours )?pas`, `ta reponse est (?:fausse|incorrecte)`, `completement faux`,

	`(?:questo |quello |la risposta |la tua risposta )?e (?:completamente |totalmente |del tutto |proprio )*(?:sbagliato|sbagliata|falso|falsa|errato|errata|scorretto|un errore|una bugia)`, `(?:questo |quello )?non e (?:affatto |proprio |del tutto )*(?:corretto|corretta|giusto|giusta|vero|utile|cosi|quello che (?:ho chiesto|volevo|intendevo|cercavo))`, `ti (?:sbagli|stai sbagliando|sei sbagliato)`, `hai sbagliato`, `hai torto`, `(?:risposta sbagliata|risposta errata|pessima risposta)`, `(?:questo |cosi )?non (?:mi )?(?:funziona|aiuta|serve)(?: a niente| affatto)?`, `non hai (?:capito|risposto)(?: (?:alla )?(?:la )?(?:mia )?domanda)?`, `(?:tutto|completamente) sbagliato`,

	`(?:isso |a resposta |sua resposta )?(?:esta|ta|estava) (?:completamente |totalmente |tudo |muito )*(?:errado|errada|incorreto|incorreta)`, `(?:isso )?e (?:falso|mentira|errado)`, `(?:isso )?nao (?:esta|ta|e|era|foi) (?:bem |nada )*(?:certo|correto|correta|verdade|isso|util|isso que (?:eu )?(?:pedi|perguntei|queria)|o que (?:eu )?(?:pedi|perguntei|queria))`, `voce (?:esta (?:errado|errada|enganado)|errou|se enganou|nao (?:entendeu|respondeu)(?: (?:a )?minha pergunta)?)`, `resposta (?:errada|incorreta)`, `isso nao (?:funciona|funcionou|ajuda|ajudou|faz sentido)`, `(?:tudo|completamente|totalmente) errado`,

	`(?:dat|dit|(?:je|dat|dit|het) antwoord|het) (?:is|was) (?:helaas |gewoon |helemaal |echt |nog steeds |volledig |totaal |weer )*(?:fout|onjuist|verkeerd|onzin|nonsens|niet (?:helemaal |echt |erg )*(?:juist|goed|waar|correct|nuttig|behulpzaam|wat ik (?:vroeg|bedoelde|zocht|wilde)|mijn vraag))`, `(?:dat |dit |het )?klopt (?:helaas |echt |helemaal |gewoon |nog steeds )*niet`, `je (?:hebt het (?:fout|mis|verkeerd)|vergist je|zit fout|hebt (?:me|mijn vraag) niet begrepen|hebt een fout gemaakt)`, `(?:verkeerd|fout|slecht) antwoord`, `(?:dat|dit) (?:werkt|helpt) (?:helaas |nog steeds |ook |me )*niet`, `(?:helemaal|totaal|volledig) (?:fout|verkeerd)`, `(?:wat een )?onzin`, `niet wat ik (?:vroeg|bedoelde|zocht|wilde)`,
)

// laterRule sounds like blame, and answers an offer of the assistant's.
var laterRule = rule(`not right now`)

// doubtRule is blame only after a denial or with emphasis: alone it may
// answer a question of the assistant.
var doubtRule = rule(`false|incorrect|not true|falsch|verkehrt|incorrecto|falso|mal|equivocado|faux|sbagliato|errado|fout|onjuist|verkeerd|useless|thats bad|terrible|that (?:is|was) bad`)

// afterRule is what may follow blame within its clause.
var afterRule = rule(`again|sorry|though|mate|man|dude|buddy|unfortunately|i think|im afraid|at all|actually|too|either|yet|now|completely|totally|for me|leider|oder|wieder|immer noch|so|hier|glaube ich|otra vez|creo|encore|je crois|purtroppo|credo|de novo|acho|helaas|denk ik|hoor|thanks|thank you|danke|moothall|and|but|aber|und`)

// correctionRule is what a correction without a comma begins with.
var correctionRule = rule(`(?:its|it is|it was|it should|the (?:right|correct|real|actual)|try again|please|because|i (?:asked|meant|said|wanted|told)|should be|es ist|es war|richtig (?:ist|ware)|weil|ich (?:meinte|wollte|habe)|versuch|es el|es la|cest|parce que|porque|perche|want|omdat|you (?:should|forgot|missed|need))`)
