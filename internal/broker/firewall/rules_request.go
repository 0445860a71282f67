package firewall

// requestRules are about what the reader is asked to do: commands that touch
// the person's data, money, accounts or devices, and orders to send things
// out. People ask each other for similar things, so a pattern needs both the
// deed and the possessive or the address that makes it odd in a document.
var requestRules = []rule{
	{"exfiltration", 0.75, `
^ retrieve|fetch|get|find|extract|look_up|search|check|access|collect|gather|list|read|obtain|export|download|locate|pull|view|show|copy|query|scan|take|grab|compile|identify|track ~6 my|users|all|the_users ~10 send|email|forward|share|post|upload|transmit|mail|submit|dm|text|deliver|message|sending|emailing|forwarding|sharing ~6 to|with|at ~6 @email|@url|friend|via|attacker
^ send|forward|email|upload|post|transmit|leak|exfiltrate|share|mail|submit|copy|export ~2 my|the_users|users ~4 password|passwords|credential*|key|keys|token|tokens|secret|secrets|ssn|card|cards|bank|contact|contacts|email|emails|inbox|file|files|document|documents|calendar|address|addresses|payment|medical|health|location|history|data|information|details|record|records|messages|photos|balance|profile ~8 to|with|at|via ~4 @email|@url
^ send|forward|email|upload|post|transmit|leak|exfiltrate|submit|append|include ~4 conversation|chat|system|context|previous|session ~1 history|prompt|log|logs|messages|conversation|transcript|window|contents ~8 to|at|in|as ~4 @email|@url|parameter|webhook|server
^ send|forward|email|upload|post|transmit|leak|exfiltrate|mail|dump|reveal ~4 password|passwords|credential*|api_key|api_keys|private_key|private_keys|ssh_key|ssh_keys|access_token|access_tokens|secret_key|env_file|environment_variables|cookies|session_token ~8 to|at|via ~4 @email|@url|webhook|server|address
^ send|forward ~2 most_recent|latest|last|newest|all|every ~2 email|emails|conversation|conversations|inbox|transaction|transactions ~12 to ~3 @email
^ encode|append|embed|include|insert|put ~3 conversation|secret|secrets|password|passwords|chat|users ~6 url|link|image|query|parameter ~8 @url
`},
	{"request", 0.6, `
^ grant|give ~6 access|permission|permissions|control|privileges|rights ~4 to ~8 my|@email
^ grant|give ~1 my|permanent|full|unrestricted|admin|administrator|root|@email ~8 access|permission|permissions|privileges
^ transfer|wire|pay|withdraw|donate|deposit ~8 from|to|into ~4 my|account|savings|wallet|iban
^ delete|remove|erase|wipe|destroy|purge|clear ~3 my|users|the_users ~8 account|accounts|file|files|email|emails|backup|backups|history|records|data|calendar|contacts|profile|repository|database|messages|appointments|events|photos|directory|folder
^ unlock|open|disable|deactivate|disarm|turn_off|switch_off|shut_down ~1 my|our|the_users ~5 door|doors|lock|alarm|camera|cameras|security|garage|firewall|antivirus|system|gate|safe|home|house
^ buy|sell|purchase|order|trade|book|schedule|cancel|reserve|rent ~12 using|with|from|through|for|on ~2 my|me ~3 account|card|behalf|saved|stored|portfolio|credit|wallet|bank|payment|appointment|name
^ sell|liquidate|cancel|terminate|close|deactivate|unsubscribe|unfollow|block ?all ?of my ~4 account|accounts|shares|stocks|subscription|subscriptions|holdings|position|positions|appointments|orders|policy|membership|cards
^ change|reset|update|replace|modify|set|alter ~2 my|the_users|users ~4 password|email_address|shipping_address|billing_address|pin|recovery|two_factor|2fa|beneficiary|direct_deposit|phone_number|mailing_address|security_settings|privacy|medical|prescription|home_address
^ post|tweet|publish|share ~8 on|to ~1 my ~3 account|profile|page|timeline|feed|followers|channel|blog
^ send|text|email|message ~2 all|every|everyone ~3 my ~2 contacts|friends|followers|colleagues|list
^ install|download|run|execute ~8 from ~1 @url ~6 my|users ~1 machine|computer|laptop|device|system|server
^ create|set_up|add|make ~6 user|account|admin|administrator|device|key ~8 full_access|admin_rights|root_access|admin_privileges|administrator_privileges|ssh_access
^ retrieve|fetch|extract|collect|gather|access|get ~1 all|my|the_users|users ~3 saved|stored|personal|private|medical|financial|bank|payment|health|genetic|credit|confidential ~8 details|data|information|records|addresses|methods|history|passwords|report|cards|accounts
`},
	{"request", 0.35, `
^ delete|erase|wipe|destroy|purge all|every ~3 files|emails|backups|records|data|accounts|contacts|documents|messages|folders|databases|users|logs
^ disable|deactivate|disarm|turn_off ~2 all ~2 security|safety|firewall|antivirus|alarms|protections|cameras|logging|monitoring
^ call|invoke|execute|use|run ~2 the ~4 tool|function|plugin|api ~3 to|with|now|and
you must|have_to|need_to ~2 call|invoke|execute|use ~4 tool|function|plugin
^ directly execute|call|use|invoke ~5 tool|function|api
^ click|visit|open|go_to|navigate_to ~3 @url ~3 immediately|now|and_then|and_enter
`},
	{"output", 0.6, `
following|below|subsequent|given|provided code|python ?code snippet|block|section|excerpt|segment|fragment|block ~9 your ~1 solution|implementation|algorithm|response|answer|elucidation|explanation|logic|solutions|output
your ~2 solution|implementation|algorithm|response|answer|code|program ~6 include|including|incorporating|embedding|adding|addition|integrating|inserting|inclusion ~3 following|below|subsequent code ~1 snippet|block|section|excerpt|segment|fragment
^ add|include|insert|incorporate|embed|append|put|place|integrate|ensure|make_sure ~5 code|snippet|script|link|url|phrase|sentence|image|advertisement|text|line|paragraph|markdown ~10 in|into|to|within|at_the_end_of|at_the_beginning_of|of|with your ~1 response|answer|output|summary|responses|answers|reply
^ end|start|begin|finish|preface|conclude your|every|each|all ~1 response|answer|reply|summary|output|message|responses ~1 with|by
^ include|add|mention|say|insert|recommend|promote|advertise ~8 in your ~1 summary|final_answer|output|responses|generated ~9
^ respond|reply|answer only|exclusively with|in|using ~6
^ when|if|while ~1 summarizing|summarising|you_summarize|the_user_asks|a_user_asks|you_are_asked_about|asked_about_this ~8 say|state|recommend|claim|tell_them|mention|output
`},
}

// secretRules are about keeping something from the person, and about things
// that a reader must not give away.
var secretRules = []rule{
	{"secrecy", 0.6, `
^ do_not|dont|never tell|inform|notify|alert|warn|mention|reveal|disclose|let|ask|show|report ~5 the ~1 user|owner|human|victim|person|account_holder ~9
without telling|informing|notifying|alerting|asking|warning|mentioning the ~1 user|owner|human|person|account_holder
^ do_not|dont|never mention|reveal|disclose|acknowledge|repeat|discuss|explain|quote ~1 this|these|that|any_of_this|the_fact ~1 instruction*|message|prompt|injection|command|note|directive|text ~4
^ keep ~2 this|these|it|them|all ~3 from_the_user|from_the_human|from_your_user
^ do_not|dont|never mention|include|reveal|say ~3 in_your ~1 response|reply|answer|summary|output
^ covertly|secretly|silently|stealthily|discreetly ~1 send|forward|copy|upload|collect|modify|install|delete|execute|transfer|change|alter|access|extract|export|record|monitor
`},
	{"leak", 0.6, `
^ reveal|print|show|repeat|output|display|tell_me|give_me|share|what_is|what_are|whats|what_were|provide|write|recite|leak|dump|disclose|return|summarize|translate|list|copy ~4 your ~2 system|initial|hidden|secret|original|internal|previous|first|full ~1 prompt|prompts|instruction*|message|rules|guidelines|directives|configuration
^ reveal|print|show|repeat|output|display|tell_me|give_me|what_is|whats|recite|leak|dump|disclose|return ~2 the ~1 system_prompt|hidden_prompt|initial_prompt|secret_key|secret_password|hidden_instruction*|secret_instruction*|developer_message
^ repeat|print|output|recite|copy ~2 everything|words|text|all|the_text|sentences ~3 above
^ tell_me|give_me|show_me|tell_us|send_me ~3 the|your|users|his|her ~2 password|passphrase|passcode|api_key|secret_key|access_code|private_key|credentials|access_key
can|could|would|will you ~2 tell|share|give|reveal|show|disclose|print ~3 your|the|users|database ~2 password|passphrase|passcode|api_key|secret_key|system_prompt|private_key|credentials|database|pass_code
^ what_is|whats ?the|?your|?users password|passphrase|passcode|secret_password|secret_code|access_code $
`},
}
