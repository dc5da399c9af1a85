package layout

import (
	"strconv"
	"strings"
)

// Ranges writes ascending numbers, those that follow each other as the first and the last of them: with the texts ".."
// between these and ", " between parts, 1..4, 6.
func Ranges(list []int, to, between string) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		part := strconv.Itoa(list[i])
		if j > i {
			part += to + strconv.Itoa(list[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, between)
}
