package refused

var _ interface{ label() string } = remote{title: "a"}
