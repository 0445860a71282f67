package passage

// stopWords say nothing alone; sorted.
var stopWords = []string{
	"a", "about", "after", "again", "all", "also", "am", "an", "and", "any", "anything", "are", "as", "at",
	"back", "be", "been", "before", "being", "but", "by", "can", "can't", "come", "could", "did", "didn't",
	"do", "does", "doesn't", "doing", "don't", "down", "else", "even", "ever", "every", "for", "from", "get",
	"go", "going", "good", "great", "had", "has", "have", "haven't", "having", "he", "hello", "her", "here",
	"hers", "hey", "hi", "him", "his", "how", "i", "i'd", "i'll", "i'm", "i've", "if", "in", "into", "is",
	"isn't", "it", "it's", "its", "just", "know", "let's", "like", "lot", "made", "make", "many", "may", "me",
	"might", "more", "most", "much", "must", "my", "no", "nor", "not", "nothing", "now", "of", "off", "oh",
	"ok", "okay", "on", "one", "only", "or", "other", "our", "out", "over", "own", "really", "right", "said",
	"say", "see", "she", "should", "so", "some", "something", "still", "such", "sure", "than", "thank",
	"thanks", "that", "that's", "the", "their", "them", "then", "there", "these", "they", "thing", "things",
	"think", "this", "those", "time", "to", "too", "up", "us", "very", "want", "was", "wasn't", "way", "we",
	"we're", "we've", "well", "were", "what", "what's", "when", "where", "which", "while", "who", "why", "will",
	"with", "won't", "would", "wow", "yeah", "yes", "yet", "you", "you're", "you've", "your", "yours",
}
