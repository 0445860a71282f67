package rpc

import (
	"slices"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// Service names one contract of the command plane.
type Service string

// The services.
const (
	Front   Service = "front"
	Gateway Service = "gateway"
	Memory  Service = "memory"
	Broker  Service = "broker"
	Secrets Service = "secrets"
	Audit   Service = "audit"
	Search  Service = "search"
)

// Services lists every service, in a stable order.
func Services() []Service {
	return []Service{Front, Gateway, Memory, Broker, Secrets, Audit, Search}
}

// fullName is the service's name on the wire, which is also its name in the
// health service.
func (s Service) fullName() string {
	switch s {
	case Front:
		return pb.Front_ServiceDesc.ServiceName
	case Gateway:
		return pb.ModelGateway_ServiceDesc.ServiceName
	case Memory:
		return pb.MemoryService_ServiceDesc.ServiceName
	case Broker:
		return pb.ToolBroker_ServiceDesc.ServiceName
	case Secrets:
		return pb.SecretsService_ServiceDesc.ServiceName
	case Audit:
		return pb.AuditService_ServiceDesc.ServiceName
	case Search:
		return pb.SearchService_ServiceDesc.ServiceName
	}
	return ""
}

// callers is the one access table: who may call a service at all. What a
// caller may do there is the service's own business.
func callers(s Service) []moothall.Identity {
	switch s {
	case Secrets, Search:
		return []moothall.Identity{moothall.ToolBroker}
	case Audit:
		return slices.DeleteFunc(moothall.Identities(), func(i moothall.Identity) bool { return i == moothall.Person })
	case Gateway:
		return []moothall.Identity{
			moothall.ChatHall, moothall.CommitteeTable, moothall.Orchestrator, moothall.Critic, moothall.MemoryKeeper,
			moothall.Searcher, moothall.ToolBroker, moothall.FrontDoor, moothall.Person, moothall.Hall,
		}
	case Memory:
		return []moothall.Identity{
			moothall.ToolBroker, moothall.ChatHall, moothall.CommitteeTable, moothall.Orchestrator, moothall.Critic,
			moothall.Reward, moothall.FrontDoor, moothall.Person, moothall.Hall,
		}
	case Broker:
		return []moothall.Identity{
			moothall.FrontDoor, moothall.ChatHall, moothall.CommitteeTable, moothall.Orchestrator, moothall.ModelGateway,
			moothall.Searcher, moothall.Critic, moothall.Person, moothall.Hall,
		}
	case Front:
		return []moothall.Identity{moothall.Person, moothall.FrontDoor, moothall.Hall}
	}
	return nil
}

// MayCall reports whether caller may call s: nil, or an error with
// [moothall.CodeDenied] that names both.
func MayCall(caller moothall.Identity, s Service) error {
	if slices.Contains(callers(s), caller) {
		return nil
	}
	return moothall.Fail(moothall.CodeDenied, "access", quoted(caller)+" may not call "+quoted(s))
}

// quoted names a participant or service in a message without letting a
// foreign name bring in control characters or great length.
func quoted[T ~string](name T) string {
	if !moothall.ValidToken(string(name)) {
		return "(not a name)"
	}
	return string(name)
}
