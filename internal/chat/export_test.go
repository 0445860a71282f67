package chat

// Brief is exported for its test.
var Brief = brief

// AtHand is exported for its test.
var AtHand = atHand
