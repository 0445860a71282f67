package chat

// Brief is exported for its test.
var Brief = brief
