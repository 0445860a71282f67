package firewall

// rule is a named group of patterns of one weight. Several rules may share a
// name: they are the same kind of sign, of different strength.
type rule struct {
	name     string
	weight   float64
	patterns string
}

// rules are all of them. Their order is of no consequence.
var rules = joinRules(overrideRules, roleRules, addressRules, requestRules, secretRules, foreignRules, asianRules)

func joinRules(groups ...[]rule) []rule {
	var all []rule
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// possessiveWords stop a gap of the "-" kind: "ignore my previous message"
// is what people write to each other.
const possessiveWords = "my our his her their its mein meine meinen unsere mes nos mis nuestros meus minhas nossas miei nostre мои наши"

// politeWords come before a command.
const politeWords = `please kindly now then and also just immediately simply instead first next must should shall always to do
bitte dann jetzt und nun sofort plait vous maintenant puis et por favor ahora entonces y e agora depois per favore ora poi
пожалуйста теперь и затем сейчас`

// discussedWords mark a sentence that talks about injections.
const discussedWords = `injection* jailbreak* attacker* attack attacks phrase phrases adversar* malicious hacker hackers hostile
wording payload payloads trick tricks tricking tricked fool fooling quoted example examples eg attempt attempts detect detects detector classifier
angreifer angriff* injektion* attaque* attaquant* ataque* atacante* attacco attacchi attaccante inyeccion* injecao iniezione
атака атаки злоумышленник* инъекци* фраза фразы`

// softWords are commands that count inside an encoded text.
const softWords = `ignore disregard forget say state output print respond reply answer write tell send email forward delete
execute run call visit click follow download reveal include append pretend`

// overrideRules are about the instructions that the reader has.
var overrideRules = []rule{
	{"override", 0.9, `
^ ignore|disregard|forget|override|bypass -2 system_instruction*|system_prompt|developer_instruction*|safety_guidelines|content_policy|safety_protocols
^ ignore|disregard|forget|neglect|discard|override|bypass|overlook|nullify -3 previous|prior|above|preceding|earlier|existing|original|initial|foregoing|former|past|current|aforementioned -2 instruction*|prompt|prompts|directive|directives|guideline|guidelines|programming|instruct
^ ignore|disregard|forget|neglect|discard|override|bypass|overlook -2 your ~3 instruction*|programming|guideline|guidelines|training|prompt|prompts|restrictions|directive|directives|safety|constraints
^ ignore|disregard|forget|neglect|discard|override|bypass|overlook all|any|every|these|those ?of ?the ?other ?your instruction*|directive|directives|prompts
^ ignore|disregard|forget|discard|override ~1 all|any|every ~3 instruction*|prompts ~3 given|above|before|received|so_far|you
^ ignore|disregard|forget everything|anything|all|what|whatever ~2 you_were|you_have_been|youve_been|you_had_been ~1 told|instructed|given|asked|taught|programmed|said
^ ignore|disregard|forget|overlook everything|all|anything ?written ?said ?stated above|before_this|before_now|previously|prior_to_this|that_came_before|youve_been
^ do_not|dont|stop|never|cease follow|obey|following|obeying|comply_with|listening_to -3 previous|prior|above|original|earlier|initial|system|users|your -2 instruction*|prompt|prompts|directive|directives|orders|rules
^ ignore|disregard|forget|override the ~1 user|users|human|humans ~2 request|requests|question|query|prompt|instruction*|task|input|message|command|commands
`},
	{"override", 0.7, `
^ ignore|disregard|forget ?all ?of the_above|everything_above|all_above and|then|instead|but ~1 say|give|repeat|tell|do|write|print|send|show|respond|answer|reply|provide|follow|execute
^ ignore|disregard|forget|override the|this|that|all ~1 document|webpage|page|table|article|function|text|content|contents|resume|cv|email|paper|code|data|website|review|reviews|input|rest|information|passage|question|questions|story|report ~3 and|then|instead|just ~1 say|state|output|respond|reply|print|declare|claim|conclude|tell|answer|admit|announce|write
^ ignore|disregard|forget|abandon|stop -3 previous|prior|original|current|initial|users|earlier -1 task|tasks|objective|goal|goals|assignment
^ instead_of ~1 following|answering|summarizing|summarising|completing|responding_to|translating ~6 do|say|send|execute|output|print|reveal
the|your|all previous|prior|above|original|earlier|initial ~1 instruction*|prompt|directives are|is|were|have_been|has_been ~2 cancelled|canceled|void|obsolete|superseded|overridden|revoked|no_longer|replaced|outdated|wrong|null
your real|true|actual|only ~1 task|instruction*|objective|assignment|job|goal is|are|follows
your new|updated|revised ~1 instruction*|directive|directives|prompt is|are|follows
`},
	{"override", 0.6, `
strictly|carefully|exactly|only|fully ~1 adhere_to|follow|obey|comply_with ~1 the|this|these ~1 following|new|below ~1 instruction|command|directive
you must|have_to|shall|are_required_to ~2 adhere_to|follow|obey|comply_with ~2 following|new|these|below|this ~1 instruction*|command|commands|directive*
^ before ~1 you|continuing|answering|proceeding ~3 solve|complete|finish|continue|proceed|answer|respond|perform|answering|help|do|with ~4 task|request|question|query|conversation|assignment|user ~12 following|first
^ after ~1 you|that|doing|this ~5 you_can|you_may|continue|proceed|resume|go_back ~4 solve|task|original_request|users_request|original_task|original_question
^ follow|obey|execute|perform|carry_out|do ~2 instruction*|command|commands|steps|following ~3 instead_of ~6
^ new|updated|additional|important|special|urgent|hidden|real|secret system instruction*|prompt|directive|directives|message
`},
	{"override", 0.35, `
^ ignore|disregard|forget ~2 previous|prior|above|earlier|preceding ~1 message|messages|request|requests|command|commands|rule|rules|context|conversation|text|content|task|tasks|orders
^ new|updated|additional|important|special|urgent ~1 instruction|instructions ~2 for_you|for_the_assistant|for_the_ai|follow
important_message|important_instruction*|urgent_instruction* ~4 you
`},
}

// roleRules are about who the reader is told to be.
var roleRules = []rule{
	{"role", 0.7, `
you_are|youre|you_will_be|you_become now|henceforth|hereby ~4 dan|jailbroken|unrestricted|unfiltered|uncensored|hacker|chatbot|assistant|persona|ai|bot|llm|gpt*|evil|freed
you_are|youre now ~1 in ~2 developer|debug|dan|god|admin|maintenance|jailbreak|unrestricted|root ~1 mode
you_are|youre no_longer ~2 assistant|ai|bound|restricted|chatgpt|llm|chatbot|limited|language_model
^ from_now_on|henceforth|from_this_point_on|from_this_point_forward|starting_now ~1 you|your ~1 are|will|must|should|shall|only|have ~3 respond|answer|reply|act|behave|speak|pretend|ignore|obey|follow|roleplay|dan|unrestricted|no_restrictions|comply
do_anything_now
^ pretend|act|behave|roleplay|imagine|simulate|respond ~4 dan|unrestricted|jailbroken|no_restrictions|without_restrictions|no_rules|uncensored|unfiltered|no_ethical|no_moral|evil
^ enter|activate|enable|switch_to|engage dan|god|jailbreak|unrestricted|unfiltered|sudo ~1 mode
`},
	{"role", 0.6, `
your ~1 role|purpose|identity|persona has_been|is_now|was|have_been ~1 changed|updated|replaced|reassigned ~6
^ stay|remain in_character ~6
^ speak|respond|answer|act as_if|as_though|like ~2 you ~2 no ~2 restrictions|limits|guidelines|filters|rules
`},
}

// addressRules are about text that speaks to a program that reads it.
var addressRules = []rule{
	{"address", 0.55, `
^ attention|dear|hey|hello|hi|notice_to|note_to|message_to|message_for|instruction*_for|instruction*_to|note_for|warning_to|reminder_to|command_for ~2 ai_assistant|ai_assistants|ai_model|ai_models|ai_agent|ai_agents|language_model|language_models|llm_assistant|ai_reading|ai_system_reading|assistant_reading|agent_reading
^ attention|dear|hey|note_to|message_to chatgpt|claude|copilot|gpt*|llms
if|when you_are|youre ~1 an|a|any|the ~1 ai_assistant|ai_model|ai_agent|ai_language|ai_system|ai_reading|ai_processing|ai_summar*|llm|language_model|large_language_model|chatbot|ai_and|automated_assistant|artificial_intelligence
any|all|every ?ai|?llm assistant|assistants|ai|ais|llm|llms|model|agent|agents|chatbot reading|processing|summarizing|summarising|parsing|analyzing|scraping|handling|that_reads|who_reads ~1 this|the|these
message|note|instruction*|request|word ~6 to_you|for_you ~1 gpt*|chatgpt|claude|gemini|llama|mistral|copilot|ai_model|ai_assistant|ai_language|assistant|llm|qwen
^ assistant|ai|chatgpt|claude|copilot|llm|ai_assistant|ai_agent|ai_model you ~1 must|should|are_required|are_instructed|need_to|shall|will|are_to
^ as_an|as_a ?helpful|?large ai_assistant|ai_language_model|ai_agent|language_model|llm|ai_model|assistant you ~1 must|should|are_required|are_instructed|need_to|shall|are_to|have_to
`},
	{"address", 0.35, `
the assistant|ai|llm|language_model|ai_agent|ai_assistant|chatbot|ai_model must|should|shall|has_to|needs_to|is_to|is_required_to ~1 now|also|always|immediately|first|send|email|forward|include|ignore|execute|delete|call|reveal|disclose|never|transfer|post|visit|recommend
^ system|admin|administrator|developer|root ~1 you|your|override|ignore|new|must|instruct*
begin|end|start of ~1 system|new|user ~1 prompt|instruction*|message|input
i_am|im|this_is your ~1 developer|creator|administrator|admin|owner|programmer|master|supervisor
you_are|you_have_been|youve_been authorized|authorised|instructed|ordered|commanded|programmed to ~2 retrieve|send|ignore|execute|delete|disclose|reveal|transfer|export|bypass|forward|print|review
admin|administrator|developer|system|root|security ~1 override|command ~2 authorized|authorised|approved|accepted|granted|code
`},
}
