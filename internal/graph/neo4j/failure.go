package neo4j

import (
	"context"
	"errors"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"moothall"
)

func badAddress(err error) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: "open neo4j", Message: "the address of the Neo4j server is none",
		Remedy: "write it as neo4j://host:7687 or bolt://host:7687", Err: err,
	}
}

// failure gives an error of the driver a code. A caller who gave up is told
// so, whatever the driver made of it.
func failure(ctx context.Context, op string, err error) error {
	var known *moothall.Error
	var server *neo4j.Neo4jError
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case ctx.Err() != nil:
		return &moothall.Error{Code: moothall.ErrorCode(ctx.Err()), Op: op, Err: ctx.Err()}
	case !errors.As(err, &server):
		// Connection, pool, time-out of one query: the driver has many
		// types for it, and nothing else fails before the server speaks.
		return &moothall.Error{
			Code: moothall.CodeUnavailable, Op: op, Message: "the Neo4j server does not answer",
			Remedy: "start the server, or correct its address in the configuration", Err: err,
		}
	}
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Message: "the Neo4j server refused a query", Err: err}
	switch {
	case strings.HasPrefix(server.Code, "Neo.ClientError.Security."):
		e.Code, e.Message = moothall.CodeDenied, "the Neo4j server does not let this user in"
		e.Remedy = "check the user's name and the secret with the password"
	case server.Code == "Neo.ClientError.Schema.ConstraintValidationFailed":
		e.Code, e.Message = moothall.CodeConflict, "such a thing is in the graph already"
	case server.Code == "Neo.ClientError.Database.DatabaseNotFound":
		e.Code, e.Message, e.Remedy = moothall.CodeNotFound, "the Neo4j server has no such database", "correct its name in the configuration"
	case strings.HasPrefix(server.Code, "Neo.TransientError."):
		e.Code, e.Message, e.Remedy = moothall.CodeUnavailable, "the Neo4j server cannot do it just now", "try again"
	}
	return e
}

// commitFailure tells a refused commit from one that nobody knows about.
func commitFailure(err error) error {
	var server *neo4j.Neo4jError
	if err == nil || errors.As(err, &server) {
		return failure(context.Background(), "commit", err)
	}
	return &moothall.Error{
		Code: moothall.CodeInterrupted, Op: "commit", Message: "the connection to the Neo4j server broke before it said whether the change was made",
		Remedy: "look whether it is there, or make it again", Err: err,
	}
}

// transient reports a failure that the server says will pass.
func transient(err error) bool {
	var server *neo4j.Neo4jError
	return errors.As(err, &server) && strings.HasPrefix(server.Code, "Neo.TransientError.")
}

// lost reports a connection that broke before anything was committed.
func lost(err error) bool {
	var broken *neo4j.ConnectivityError
	return errors.As(err, &broken) && moothall.ErrorCode(err) == moothall.CodeUnavailable
}

// already reports an index that another process was making at the same time.
func already(err error) bool {
	var server *neo4j.Neo4jError
	return errors.As(err, &server) && (strings.Contains(server.Code, "AlreadyExists") || strings.Contains(server.Code, "EquivalentSchemaRule"))
}
