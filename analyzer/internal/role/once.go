package role

import (
	"regexp"
	"strings"
)

// Documentation that puts a function at the start has two parts: a verb that
// says that the function itself is called (not a callback that it takes), and
// after it, in the same sentence, a time at which no other code runs yet. A
// sentence that names other times too says nothing.

// The parts of the verb.
const (
	subject    = `(?:it|this|this\s+(?:function|method|func|call|routine)|the\s+(?:function|method))\s+`
	modal      = `(?:(?:is|are|be|been|must|should|shall|has|have|needs?|ought|to|only|always|expected|intended|meant|supposed|designed|required|will|just|exactly|once|typically|usually|normally|automatically|internally|first|(?:can|may)\s+(?:safely\s+)?only)\s+)`
	obligation = `(?:must|should|shall|has\s+to|have\s+to|needs?\s+to|is\s+to|is\s+(?:meant|intended|supposed|expected)\s+to|(?:can|may)\s+only)\s+`
	opening    = `(?:^\W*(?:(?:note|notice|warning|important|caution|nb)\b\W*(?:that\s+)?)*|\(\s*)`
	joint      = `(?:[,:]\s*(?:(?:and|but|so)\s+)?|\b(?:and|but|so|because|since|as|note\s+that)\s+)`
	passive    = `(?:called|invoked|used|executed|(?:is|are|be)\s+(?:only\s+)?run)\b`
	callers    = `(?:callers?|users?|clients?|applications?|you)\s+(?:must|should|have\s+to|need\s+to)\s+(?:only\s+)?`
	active     = `(?:call|invoke|run|use)\s+(?:it|this(?:\s+(?:function|method))?)\b`
)

// calls finds where a sentence says that the function is called.
var calls = regexp.MustCompile(`(?i)(?:` + opening + `(?:` + subject + `)?` + modal + `*` + passive +
	`|` + joint + `(?:` + subject + modal + `*|` + obligation + modal + `*)` + passive +
	`|\bonly\s+safe\s+to\s+(?:call|use|run)\b` +
	`|(?:` + opening + `|` + callers + `)` + active + `)`)

// neverCalls finds where it says that it must not be.
var neverCalls = regexp.MustCompile(`(?i)(?:\b(?:not|never|cannot)|n't)\s+(?:be\s+)?(?:safe\s+)?(?:to\s+)?(?:be\s+)?(?:call(?:ed)?|used?|invoked?|run)\b[^,]{0,30}?\b(?:after|once)\s+(.*)`)

// What there is to be started, and what it is called when it is.
const (
	thing   = `(?:server|service|program|process|main\s+loop|event\s+loop|loop|scheduler|application|app|daemon|dispatcher|system|node|broker|manager|controller|engine|agent|runtime|listener|informer|goroutine)s?`
	article = `(?:the|any|its|our|your|this)\s+(?:\w+\s+)?`
	starter = `(?-i:\[?\(?\*?(?:\w+\.)*\w*(?:Start|Run|Serve|Listen|Launch|Init|Boot)(?:[A-Z]\w*)?\b)`
	begun   = `(?:starts?|started|starting|running|serving|launching|launched|start-?up|initiali[sz](?:ed|ation)|main)\b`
)

// started matches what comes after "after" where something has been started.
var started = regexp.MustCompile(`(?i)^(?:calling\s+|the\s+(?:call\s+(?:of|to)\s+)?)?(?:` + starter + `|` + begun + `|` + article + thing + `\s+(?:is|has|have|are)\s+(?:been\s+)?` + begun + `|(?:it|they)\s+(?:is|has\s+been|are|have\s+been)\s+` + begun + `)`)

// early matches the times at which no other code runs yet.
var early = [...]*regexp.Regexp{
	// before something is started
	regexp.MustCompile(`(?i)\b(?:before|prior\s+to|ahead\s+of)\s+(?:calling\s+|invoking\s+)?(?:(?:the|its)\s+)?(?:` + starter + `|` + begun + `)`),
	regexp.MustCompile(`(?i)\b(?:before|prior\s+to|ahead\s+of)\s+(?:starting\s+|running\s+)?` + article + thing + `\b`),
	// before anybody else uses it
	regexp.MustCompile(`(?i)\b(?:before|prior\s+to|ahead\s+of)\s+(?:calling\s+|using\s+)?(?:any(?:thing|one|body)(?:\s+else)?\b|any\s+of\s+the|(?:all\s+|the\s+|any\s+)?other|any\s+(?:function|method|call|use|access|goroutine|request|concurrent|code)|(?:(?:the|its|any)\s+)?first\s+(?:use|call|access|request|time))\b`),
	regexp.MustCompile(`(?i)\b(?:before|prior\s+to|ahead\s+of)\s+(?:use\b|using\b|(?:(?:it|they)\s*(?:is|are|'s)|the\s+\w+\s+(?:is|are))\s+(?:first\s+)?(?:being\s+)?(?:used|shared|published|in\s+use|started|served|running)\b)`),
	// while the program starts
	regexp.MustCompile(`(?i)\b(?:at|on|during|in|from|by|as\s+part\s+of)\s+(?:(?:the|its|our|this|package|program|process|server|service|application|app|system|module|node|daemon|broker|agent|plugin)(?:'s)?\s+){0,3}(?:start(?:ing)?[- ]?up|init(?:iali[sz]ation)?|boot(?:[- ]?time|strap|ing)?)\b`),
	regexp.MustCompile(`(?i)\b(?:at|from)\s+(?:an?\s+)?init\b|\bat\s+(?:the\s+)?(?:very\s+)?(?:start|beginning)\s+of\s+(?:the\s+)?(?:program|process|application|main)\b|\bonce\b.*\b(?:by|from|in)\s+main\b`),
}

// late matches what a sentence says of other times.
var late = regexp.MustCompile(`(?i)\b(?:each|every|per|whenever|periodic\w*|repeatedly|re-?load\w*|multiple\s+times|several\s+times|more\s+than\s+once|any\s*time|at\s+any)\b` +
	`|\b(?:or|and)\s+(?:also\s+)?(?:after|again|later|on|when|then)\b|^\s*(?:concurrently|simultaneously)|\b(?:typically|usually|often|when\s+you)\b|^\s*after\b[^,]*\b(?:at|on|during)\b` +
	`|\b(?:starting|running|serving|launching|initiali[sz]ation\s+of|start-?up\s+of)\s+an?\b` +
	`|\bbefore\b[^,]*\b(?:stop|shut|clos|exit|terminat|finish|return|quit|end|restart)(?:s|ed|ing|p\w*|es|ting)?\b` +
	`|\bin\s+(?:an?|its\s+own|another|the)\s+(?:\w+\s+)?goroutine`)

// justOnce matches a sentence that says no more than "once".
var justOnce = regexp.MustCompile(`(?i)^\s*(?:only|exactly|just)?\s*once\s*(?:$|[,)])`)

// onceBefore reports whether the documentation of the function name says that
// it is called at start-up, before anything else uses what it changes. That it
// is called once is not enough, unless its name says the rest.
func onceBefore(name, doc string) bool {
	for _, para := range strings.Split(doc, "\n\n") {
		for _, s := range sentences.Split(para, -1) {
			if !mayBeEarly(strings.ToLower(s)) {
				continue
			}
			if s = ofIt(s, name); earlySentence(s) || onceSentence(s) && prepares(name) {
				return true
			}
		}
	}
	return false
}

func earlySentence(s string) bool {
	if m := neverCalls.FindStringSubmatch(s); m != nil && started.MatchString(m[1]) {
		return !late.MatchString(m[1])
	}
	for _, at := range calls.FindAllStringIndex(s, -1) {
		if rest := s[at[1]:]; !late.MatchString(rest) && isEarly(rest) {
			return true
		}
	}
	return false
}

func isEarly(rest string) bool {
	for _, re := range early {
		if re.MatchString(rest) {
			return true
		}
	}
	return false
}

func onceSentence(s string) bool {
	for _, at := range calls.FindAllStringIndex(s, -1) {
		if justOnce.MatchString(s[at[1]:]) {
			return true
		}
	}
	return false
}

// ofIt writes a sentence on one line, and "it" for the function's own name
// where it comes first.
func ofIt(sentence, name string) string {
	fields := strings.Fields(sentence)
	for i, w := range fields {
		core := strings.TrimSuffix(strings.Trim(w, "[],:`'\"*"), "()")
		if core == name || strings.HasSuffix(core, "."+name) {
			fields[i] = strings.Replace(w, core, "it", 1)
			break
		}
	}
	return strings.ReplaceAll(strings.Join(fields, " "), "it()", "it")
}

// Words such that each phrase about a time before all others has one of them,
// and each phrase that says that a function is called has one of the others.
// Most documentation lacks either, and needs no closer look.
var (
	earlyWords = []string{"before", "prior", "ahead", "once", "start", "init", "boot", "beginning", "after"}
	callWords  = []string{"call", "invoke", "use", "execute", "run"}
)

// mayBeEarly reports whether a text in lower case has words of both kinds.
func mayBeEarly(lower string) bool {
	return hasOne(lower, earlyWords) && hasOne(lower, callWords)
}
