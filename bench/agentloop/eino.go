package main

import (
	"context"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

// einoArgs is the tool's schema in eino's form.
type einoArgs struct {
	Part int `json:"part" jsonschema:"description=The number of the part"`
}

func newEino(url string) (*contestant, error) {
	ctx := context.Background()
	chat, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: url + "/v1", APIKey: "none", Model: model})
	if err != nil {
		return nil, err
	}
	ran := new(int)
	lookup, err := utils.InferTool(toolName, toolText, func(context.Context, einoArgs) (string, error) {
		*ran++
		return found, nil
	})
	if err != nil {
		return nil, err
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: chat,
		ToolsConfig:      compose.ToolsNodeConfig{Tools: []tool.BaseTool{lookup}},
		MaxStep:          3 * requests,
	})
	if err != nil {
		return nil, err
	}
	return &contestant{
		version: versionOf("github.com/cloudwego/eino"), ran: ran,
		run: func(ctx context.Context) (string, error) {
			m, err := agent.Generate(ctx, []*schema.Message{schema.SystemMessage(system), schema.UserMessage(question)})
			if err != nil {
				return "", err
			}
			return m.Content, nil
		},
	}, nil
}
