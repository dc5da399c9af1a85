// Package bounds derives the lower bounds on E_max again, from their definitions, and goes through the witnesses of
// those that a file lists. It shares no code with objective/bound and objective/margin.
package bounds
