package output

// The part of SARIF 2.1.0 that is written here. No library is used for it:
// github.com/owenrumney/go-sarif would bring a JSON schema validator and a test
// framework into the command, and honnef.co/go/tools/sarif has no code flows,
// fingerprints or rule indexes. The module in schematest holds these types to
// the official schema.

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	srcRoot      = "%SRCROOT%"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool                `json:"tool"`
	Invocations []sarifInvocation        `json:"invocations"`
	BaseIDs     map[string]sarifArtifact `json:"originalUriBaseIds"`
	ColumnKind  string                   `json:"columnKind"`
	Results     []sarifResult            `json:"results"` // never null: nothing found is not nothing done
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	Version         string      `json:"version,omitempty"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	InformationURI  string      `json:"informationUri"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID      string              `json:"id"`
	Name    string              `json:"name,omitempty"`
	Short   sarifMessage        `json:"shortDescription"`
	Full    sarifMessage        `json:"fullDescription"`
	Help    sarifMessage        `json:"help"`
	HelpURI string              `json:"helpUri"`
	Default sarifConfiguration  `json:"defaultConfiguration"`
	Props   sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Precision string   `json:"precision"`
	Tags      []string `json:"tags"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       string                `json:"ruleId"`
	RuleIndex    int                   `json:"ruleIndex"`
	Level        string                `json:"level"`
	Message      sarifMessage          `json:"message"`
	Locations    []sarifLocation       `json:"locations,omitempty"`
	Related      []sarifLocation       `json:"relatedLocations,omitempty"`
	CodeFlows    []sarifCodeFlow       `json:"codeFlows,omitempty"`
	Stacks       []sarifStack          `json:"stacks,omitempty"`
	Fixes        []sarifFix            `json:"fixes,omitempty"`
	Suppressions []sarifSuppression    `json:"suppressions,omitempty"`
	Fingerprints map[string]string     `json:"partialFingerprints"`
	Props        sarifResultProperties `json:"properties"`

	rank int
}

type sarifResultProperties struct {
	Confidence string   `json:"confidence"`
	Evidence   string   `json:"evidence,omitempty"`
	Location   string   `json:"location,omitempty"`
	Guard      any      `json:"guard,omitempty"`
	Builds     []string `json:"builds,omitempty"`
	Proof      any      `json:"proof,omitempty"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI         string        `json:"uri,omitempty"`
	BaseID      string        `json:"uriBaseId,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifStack struct {
	Message sarifMessage `json:"message"`
	Frames  []sarifFrame `json:"frames"`
}

type sarifFrame struct {
	Location sarifLocation `json:"location"`
}

type sarifCodeFlow struct {
	Message     sarifMessage      `json:"message"`
	ThreadFlows []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	ID        string        `json:"id"`
	Message   sarifMessage  `json:"message"`
	Locations []sarifFlowAt `json:"locations"`
}

type sarifFlowAt struct {
	Location   sarifLocation           `json:"location"`
	State      map[string]sarifMessage `json:"state"`
	Nesting    int                     `json:"nestingLevel"`
	Order      int                     `json:"executionOrder"`
	Importance string                  `json:"importance"`
}

type sarifFix struct {
	Description sarifMessage          `json:"description"`
	Changes     []sarifArtifactChange `json:"artifactChanges"`
}

type sarifArtifactChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion  `json:"deletedRegion"`
	Inserted sarifMessage `json:"insertedContent"`
}
