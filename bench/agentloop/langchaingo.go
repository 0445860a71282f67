package main

import (
	"context"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"
)

// chainTool is the tool in langchaingo's form, which has no schema: the agent
// offers every tool with one string.
type chainTool struct{ ran *int }

var _ tools.Tool = chainTool{}

func (chainTool) Name() string        { return toolName }
func (chainTool) Description() string { return toolText }

func (t chainTool) Call(context.Context, string) (string, error) {
	*t.ran++
	return found, nil
}

func newLangChainGo(url string) (*contestant, error) {
	llm, err := openai.New(openai.WithBaseURL(url+"/v1"), openai.WithToken("none"), openai.WithModel(model))
	if err != nil {
		return nil, err
	}
	ran := new(int)
	agent := agents.NewOpenAIFunctionsAgent(llm, []tools.Tool{chainTool{ran}}, agents.NewOpenAIOption().WithSystemMessage(system))
	executor := agents.NewExecutor(agent, agents.WithMaxIterations(requests+1))
	return &contestant{
		version: versionOf("github.com/tmc/langchaingo"), ran: ran,
		run: func(ctx context.Context) (string, error) { return chains.Run(ctx, executor, question) },
	}, nil
}
