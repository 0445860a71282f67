package moothall

default verdict := "allow"

verdict := "deny" if {
	deny
} else := "ask" if {
	ask
}

checked if input.level != "all"

leaks if {
	input.risk == 2
	not input.known
}

leaks if {
	input.sends
	not input.known
}

changes if input.risk >= 3

deny if not input.lineage

deny if input.disabled[input.tool]

deny if {
	checked
	not data.allowed[input.own][input.tool]
}

deny if {
	checked
	some t in input.above
	not data.ceiling[t][input.tool]
}

deny if {
	checked
	some inside in input.inside
	not inside
}

deny if {
	checked
	input.risk == 2
	not input.builtin
}

deny if {
	checked
	input.risk < 2
	input.sends
}

deny if input.problems > 0

deny if input.repeats >= data.limits.repeats

deny if input.calls >= data.limits.calls

deny if {
	input.unattended
	ask
}

ask if {
	checked
	input.labels == 3
	leaks
	not input.approved
}

ask if {
	checked
	input.labels == 3
	changes
	not input.approved
}

ask if {
	input.level == "none"
	input.risk == 4
	not input.approved
}
