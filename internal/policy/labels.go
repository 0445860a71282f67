package policy

import "moothall"

// concern is what the labels of a run have against a call.
type concern struct {
	rule, reason, allows string
	session              bool // approving the tool for a session settles it
}

// labels keeps apart what must not meet. With outside content and private
// data in one context, whoever wrote the content could be the one who acts:
// that is the rule of two. Either label alone leaves a smaller worry, since a
// person's own file may hold words that are not theirs: then private data may
// not go where the person did not point, and what the person had before may
// not be replaced.
func (j *judge) labels() bool {
	if j.level == levelAll || j.call.Labels == 0 {
		return true
	}
	c := j.concern()
	switch {
	case c.rule == "":
		return true
	case j.call.Approved:
		j.lift("approved")
		return true
	case j.call.SessionApproved && c.session:
		j.lift("approved_session")
		return true
	}
	return j.ask(LayerLabels, c.rule, c.reason, c.allows)
}

// concern returns the gravest one; without a rule there is none.
func (j *judge) concern() concern {
	private, outside := j.call.Labels.Has(moothall.Private), j.call.Labels.Has(moothall.Untrusted)
	switch {
	case private && outside && j.sendsUnknown():
		return concern{rule: "sends", reason: "This run has seen outside content and private data: what " + j.name() +
			" sends out was neither typed by the person nor found by a search.", allows: "a person's approval, or only what the person typed"}
	case private && outside && j.risk >= riskWrite:
		return concern{"changes", "This run has seen outside content and private data, and " + j.name() + " changes state.", "a person's approval", true}
	case private && j.foreign() && !j.call.Told:
		return concern{"tells", "This run has seen private data, and " + j.name() + " is not the hall's own: what it would be told is not what the person typed.",
			"a person's approval, for this call or for the session, or only what the person typed", true}
	case private && !j.foreign():
		return j.sendsPrivate()
	case outside && j.risk >= riskWrite:
		return j.replaces()
	}
	return concern{}
}

// sendsPrivate: a file or note of the person's may carry an order of somebody
// else's, and an address can carry what the run has read.
func (j *judge) sendsPrivate() concern {
	if !j.sends() {
		return concern{}
	}
	for i := range j.call.Sends {
		s := &j.call.Sends[i]
		if s.Known || s.Plain {
			continue
		}
		doubt := ""
		if s.Doubt != "" {
			doubt = ", and it " + clip(s.Doubt)
		}
		return concern{rule: "sends_private", reason: "This run has seen private data: the " + clip(s.Argument) + " of " + j.name() +
			" was neither typed by the person nor found by a search" + doubt + ".", allows: "a person's approval, or only what the person typed"}
	}
	if len(j.call.Sends) > 0 {
		return concern{}
	}
	return concern{rule: "sends_private", reason: "This run has seen private data, and nothing is known of what " + j.name() + " sends out.", allows: "a person's approval"}
}

// replaces: a page may make new files and no more.
func (j *judge) replaces() concern {
	for i := range j.call.Paths {
		if p := &j.call.Paths[i]; p.Access != moothall.PathRead && !p.Free {
			return concern{"replaces", "This run has seen outside content, and " + quote(p.Asked) + " (" + clip(p.Argument) + ") was there before: " + j.name() + " would change it.",
				"a person's approval, a new file, or a file whose name the person typed", true}
		}
	}
	return concern{}
}

// foreign reports whether somebody else made the tool.
func (j *judge) foreign() bool { return j.call.Tool.Origin != "built-in" }

// declaresSending reports whether any text of the call leaves the machine.
func (j *judge) declaresSending() bool { return len(j.call.Tool.Sends) > 0 || len(j.call.Sends) > 0 }

// sends reports whether the call sends anything at all.
func (j *judge) sends() bool { return j.risk == riskSend || j.declaresSending() }

// sendsUnknown reports whether the call sends anything that is not known to
// be harmless. A sender of which no fact is given is not.
func (j *judge) sendsUnknown() bool {
	if !j.sends() {
		return false
	}
	for i := range j.call.Sends {
		if !j.call.Sends[i].Known {
			return true
		}
	}
	return len(j.call.Sends) == 0
}
