# Makes GitLab's code quality report of mapguard's SARIF.
[ .runs[].results[]
  | .locations[0].physicalLocation as $place
  | {
      description: (.message.text | gsub("\\[(?<text>[^]]*)\\]\\([0-9]+\\)"; .text)), # without links
      check_name: .ruleId,
      fingerprint: ((.partialFingerprints // {} | to_entries | map(.value) | join("-")) as $f
        | if $f != "" then $f else "\(.ruleId)-\($place.artifactLocation.uri)-\($place.region.startLine)" end),
      severity: ({error: "critical", warning: "major", note: "minor"}[.level // "warning"] // "info"),
      location: { path: $place.artifactLocation.uri, lines: { begin: $place.region.startLine } }
    }
]
