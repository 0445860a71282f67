package rpc

import (
	"moothall"
	pb "moothall/proto/moothall/v1"
)

func examinedTo(x moothall.Examined) *pb.ExamineResponse {
	return &pb.ExamineResponse{
		Findings: mapped(x.Findings, func(f moothall.Finding) *pb.Finding {
			return &pb.Finding{Check: text(f.Check), Status: f.Status, Detail: text(f.Detail), Remedy: text(f.Remedy)}
		}),
		Keyring: optional(x.Keyring, keyringTo),
		Engines: mapped(x.Engines, func(e moothall.SearchEngine) *pb.SearchEngine {
			return &pb.SearchEngine{
				Name: text(e.Name), Status: string(e.State), Where: text(e.Where), Key: text(e.Key), Detail: text(e.Detail), Remedy: text(e.Remedy),
			}
		}),
	}
}

func examinedFrom(x *pb.ExamineResponse) moothall.Examined {
	return moothall.Examined{
		Findings: mapped(x.GetFindings(), func(f *pb.Finding) moothall.Finding {
			return moothall.Finding{Check: f.GetCheck(), Status: f.GetStatus(), Detail: f.GetDetail(), Remedy: f.GetRemedy()}
		}),
		Keyring: optionalFrom(x.GetKeyring(), keyringFrom),
		Engines: mapped(x.GetEngines(), func(e *pb.SearchEngine) moothall.SearchEngine {
			return moothall.SearchEngine{
				Name: e.GetName(), State: moothall.ServiceState(e.GetStatus()), Where: e.GetWhere(), Key: e.GetKey(), Detail: e.GetDetail(),
				Remedy: e.GetRemedy(),
			}
		}),
	}
}

func keyringTo(k moothall.Keyring) *pb.Keyring {
	return &pb.Keyring{
		Where: text(k.Where), Status: string(k.State), Detail: text(k.Detail), Remedy: text(k.Remedy),
		Keys: mapped(k.Keys, func(k moothall.Key) *pb.Key {
			return &pb.Key{Name: text(k.Name), For: textsTo(k.For), Status: k.Is}
		}),
	}
}

func keyringFrom(k *pb.Keyring) moothall.Keyring {
	return moothall.Keyring{
		Where: k.GetWhere(), State: moothall.ServiceState(k.GetStatus()), Detail: k.GetDetail(), Remedy: k.GetRemedy(),
		Keys: mapped(k.GetKeys(), func(k *pb.Key) moothall.Key {
			return moothall.Key{Name: k.GetName(), For: k.GetFor(), Is: k.GetStatus()}
		}),
	}
}

func previewTo(p moothall.Preview) *pb.PreviewCallResponse {
	return &pb.PreviewCallResponse{Path: text(p.Path), Exists: p.Exists, Before: text(p.Before), After: text(p.After), Problem: text(p.Problem)}
}

func previewFrom(p *pb.PreviewCallResponse) moothall.Preview {
	return moothall.Preview{Path: p.GetPath(), Exists: p.GetExists(), Before: p.GetBefore(), After: p.GetAfter(), Problem: p.GetProblem()}
}
