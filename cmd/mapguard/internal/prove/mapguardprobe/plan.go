package mapguardprobe

// plan is what is probed. A generated file takes the place of this one.
var plan Plan
