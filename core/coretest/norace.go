//go:build !race

package coretest

const race = false
