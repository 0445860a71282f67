package toolcall

// role is what a marker does in a reply.
type role uint8

const (
	roleNone     role = iota
	roleCall          // opens a block of calls
	roleWeak          // wraps a call at the start of a reply, and is text otherwise
	roleFunc          // carries a name: <function=name>, <invoke name="name">
	roleParam         // carries one argument: <parameter=key>
	roleKey           // GLM's <arg_key>
	roleVal           // GLM's <arg_value>
	roleSep           // stands between the parts of a call
	roleEnd           // closes a block or a call
	roleThink         // opens thinking
	roleThinkEnd      // closes thinking
	roleControl       // belongs to the chat template and is never content
	roleWrap          // wraps the answer after thinking
	roleHarmony       // a part of a harmony header
)

// mark is an entry of the table: what a marker does, and the name that
// markers which belong together share.
type mark struct {
	role role
	id   string
}

// marks is the table of forms. Keys are markers as the lexer writes them: a
// tag without its namespace and attributes, a special token in lower case
// with "_" for the word joiner of the DeepSeek family. A closing tag is
// found under its opening one. A new family is a new line here.
var marks = map[string]mark{
	// Tags.
	"<tool_call>":           {roleCall, "tool_call"},
	"<tool_calls>":          {roleCall, "tool_call"},
	"<function_call>":       {roleCall, "function_call"},
	"<function_calls>":      {roleCall, "function_calls"},
	"<tools>":               {roleCall, "tools"},
	"<tool>":                {roleCall, "tool"},
	"<toolcall>":            {roleCall, "toolcall"},
	"<tool_use>":            {roleCall, "tool_use"},
	"<longcat_tool_call>":   {roleCall, "tool_call"},
	"<start_function_call>": {roleCall, "start_function_call"},
	"<end_function_call>":   {roleEnd, "start_function_call"},
	"<function>":            {roleFunc, "function"},
	"<invoke>":              {roleFunc, "invoke"},
	"<parameter>":           {roleParam, "parameter"},
	"<param>":               {roleParam, "parameter"},
	"<arg_key>":             {roleKey, "arg"},
	"<arg_value>":           {roleVal, "arg"},
	"<longcat_arg_key>":     {roleKey, "arg"},
	"<longcat_arg_value>":   {roleVal, "arg"},
	"<response>":            {roleWrap, "response"},
	"<answer>":              {roleWrap, "answer"},
	"<xml>":                 {roleWeak, "xml"},
	"<json>":                {roleWeak, "json"},
	"<request>":             {roleWeak, "request"},
	"<action>":              {roleWeak, "action"},
	"<think>":               {roleThink, "think"},
	"<longcat_think>":       {roleThink, "think"},
	"<thinking>":            {roleThink, "thinking"},
	"<thought>":             {roleThink, "thought"},
	"<reasoning>":           {roleThink, "reasoning"},
	"<end_of_turn>":         {roleControl, ""},
	"<start_of_turn>":       {roleControl, ""},

	// Special tokens.
	"<|tool_call|>":                {roleCall, "tool_call"},
	"<|tool_calls|>":               {roleCall, "tool_calls"},
	"<|tool_call_start|>":          {roleCall, "tool_call_start"},
	"<|tool_call_begin|>":          {roleCall, "tool_calls_begin"},
	"<|tool_calls_begin|>":         {roleCall, "tool_calls_begin"},
	"<|tool_calls_section_begin|>": {roleCall, "tool_calls_begin"},
	"<|tool_call:begin|>":          {roleCall, "tool_calls"},
	"<|python_tag|>":               {roleCall, "python_tag"},
	"<|python_start|>":             {roleCall, "python_start"},
	"<|start_action|>":             {roleCall, "start_action"},
	"<|action_start|>":             {roleCall, "action_start"},
	"<|tools_prefix|>":             {roleCall, "tools_prefix"},
	"<|function_call|>":            {roleCall, "function_call"},
	"<|tool_call>":                 {roleCall, "gemma"},
	"<tool_call|>":                 {roleEnd, "gemma"},
	"<|tool_call_end|>":            {roleEnd, "tool_call_start"},
	"<|tool_calls_end|>":           {roleEnd, "tool_calls_begin"},
	"<|tool_calls_section_end|>":   {roleEnd, "tool_calls_begin"},
	"<|tool_call:end|>":            {roleEnd, "tool_calls"},
	"<|python_end|>":               {roleEnd, "python_start"},
	"<|end_action|>":               {roleEnd, "start_action"},
	"<|action_end|>":               {roleEnd, "action_start"},
	"<|tools_suffix|>":             {roleEnd, "tools_prefix"},
	"<|tool_sep|>":                 {roleSep, "tool_sep"},
	"<|tool_call_argument_begin|>": {roleSep, "args"},
	"<|tool_call:args|>":           {roleSep, "args"},
	"<|tool_call:name|>":           {roleSep, "name"},
	"<|plugin|>":                   {roleSep, "plugin"},
	"<|interpreter|>":              {roleSep, "plugin"},

	"<|think|>":               {roleThink, "token"},
	"<|start_thinking|>":      {roleThink, "cohere"},
	"<|end_thinking|>":        {roleThinkEnd, "cohere"},
	"<|inner_prefix|>":        {roleThink, "inner"},
	"<|inner_suffix|>":        {roleThinkEnd, "inner"},
	"<|begin_of_thought|>":    {roleThink, "of_thought"},
	"<|end_of_thought|>":      {roleThinkEnd, "of_thought"},
	"<|channel>":              {roleThink, "channel"},
	"<channel|>":              {roleThinkEnd, "channel"},
	"◁think▷":                 {roleThink, "triangle"},
	"◁/think▷":                {roleThinkEnd, "triangle"},
	"[THINK]":                 {roleThink, "bracket"},
	"[/THINK]":                {roleThinkEnd, "bracket"},
	"<|begin_of_solution|>":   {roleControl, ""},
	"<|end_of_solution|>":     {roleControl, ""},
	"<|start_text|>":          {roleControl, ""},
	"<|end_text|>":            {roleControl, ""},
	"<|start_response|>":      {roleControl, ""},
	"<|end_response|>":        {roleControl, ""},
	"<|chatbot_token|>":       {roleControl, ""},
	"<|start_of_turn_token|>": {roleControl, ""},
	"<|end_of_turn_token|>":   {roleControl, ""},
	"<|user|>":                {roleControl, ""},
	"<|assistant|>":           {roleControl, ""},
	"<|observation|>":         {roleControl, ""},
	"<|message_sep|>":         {roleControl, ""},
	"<|im_end|>":              {roleControl, ""},
	"<|endoftext|>":           {roleControl, ""},
	"<|end_of_text|>":         {roleControl, ""},
	"<|eot_id|>":              {roleControl, ""},
	"<|eom_id|>":              {roleControl, ""},
	"<|end_of_sentence|>":     {roleControl, ""},
	"<|tool_output_begin|>":   {roleControl, ""},
	"<|tool_output_end|>":     {roleControl, ""},
	"<|tool_outputs_begin|>":  {roleControl, ""},
	"<|tool_outputs_end|>":    {roleControl, ""},
	"<|tool_response>":        {roleControl, ""},

	// The end of a harmony message, and the parts of its header.
	"<|end|>":       {roleControl, "message"},
	"<|eot|>":       {roleControl, "message"},
	"<|eom|>":       {roleControl, "message"},
	"<|call|>":      {roleControl, "message"},
	"<|return|>":    {roleControl, "message"},
	"<|start|>":     {roleHarmony, "start"},
	"<|channel|>":   {roleHarmony, "channel"},
	"<|constrain|>": {roleHarmony, "constrain"},
	"<|message|>":   {roleHarmony, "message"},

	// Brackets.
	"[TOOL_CALLS]":       {roleCall, "TOOL_CALLS"},
	"[/TOOL_CALLS]":      {roleEnd, "TOOL_CALLS"},
	"[TOOL_REQUEST]":     {roleCall, "TOOL_REQUEST"},
	"[END_TOOL_REQUEST]": {roleEnd, "TOOL_REQUEST"},
	"[ARGS]":             {roleSep, "args"},
	"[CALL_ID]":          {roleSep, "id"},
}
