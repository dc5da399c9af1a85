package layout

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/results"
)

// answers are the fields of documents that say what was asked for, as fractions or, of cuts, as whole numbers.
var answers = []string{"max_load", "lower_bound", "mean_load", "mean_distance", "throughput", "value", "best", "load",
	"share", "width", "lower", "upper", "max_load_after_fault", "mean_paths", "mean_disjoint_paths", "max_load_minimal",
	"max_load_best", "minimal_bound", "lost_to_placement", "lost_to_routing", "latency", "load_bound", "worst_load",
	"mean_max", "max_mean"}

// byRouting are those that may be objects, with a fraction for each routing.
var byRouting = []string{"max_load", "lost_to_routing"}

// AddDecimals adds to each answer of a JSON document a field of its name and "_decimal" with the nearest number, or,
// where there is a fraction for each routing, an object of numbers.
func AddDecimals(text []byte) []byte {
	var out bytes.Buffer
	done := 0
	for at := 0; ; {
		colon := bytes.Index(text[at:], []byte(`":`))
		if colon < 0 {
			out.Write(text[done:])
			return out.Bytes()
		}
		at += colon
		start := bytes.LastIndexByte(text[:at], '"')
		key, value := text[start+1:at], at+2
		if at = value; start < 0 || !slices.Contains(answers, string(key)) {
			continue
		}
		if value += blanks(text[value:]); text[value] == '{' && !slices.Contains(byRouting, string(key)) {
			continue
		}
		end, number := decimalValue(text[value:])
		if end == 0 {
			continue
		}
		line := text[:start]
		line = line[len(bytes.TrimRight(line, " \n")):] // the break and the blanks before the key
		out.Write(text[done : value+end])
		done, at = value+end, value+end
		out.WriteByte(',')
		out.Write(line)
		out.WriteString(`"` + string(key) + `_decimal":`)
		out.Write(text[start+len(key)+3 : value])
		out.Write(number)
	}
}

// DecimalOf returns the nearest number to a fraction, "" for a text that is not a fraction.
func DecimalOf(fraction string) string {
	v, err := results.ParseFraction(fraction)
	if err != nil {
		return ""
	}
	return DecimalText(v)
}

// decimalValue returns where the JSON value at the start of a text ends and what stands for it as decimals; 0 for
// values that are neither fractions, whole numbers nor objects of fractions.
func decimalValue(text []byte) (end int, number []byte) {
	switch text[0] {
	case '"':
		quote := bytes.IndexByte(text[1:], '"')
		if v, err := results.ParseFraction(string(text[1 : 1+max(0, quote)])); err == nil {
			return quote + 2, []byte(DecimalText(v))
		}
	case '{':
		end = 1 + bytes.IndexByte(text, '}')
		var out []byte
		for i, part := range bytes.SplitAfter(text[:end], []byte(`":`)) {
			if i > 0 {
				at := blanks(part)
				of, inner := decimalValue(part[at:])
				if of == 0 {
					return 0, nil
				}
				part = slices.Concat(part[:at], inner, part[at+of:])
			}
			out = append(out, part...)
		}
		return end, out
	default:
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if v, ok := new(big.Rat).SetString(string(text[:end])); ok && end < len(text) && text[end] != '.' {
			return end, []byte(DecimalText(v))
		}
	}
	return 0, nil
}

// DecimalText returns the nearest number to a fraction.
func DecimalText(v *big.Rat) string {
	f, _ := v.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// WithDecimal returns a fraction with its decimal value beside it, "5/2 (2.5)"; a whole number, and text that is no
// fraction, as it is.
func WithDecimal(fraction string) string {
	v, err := results.ParseFraction(fraction)
	if err != nil || v.IsInt() {
		return fraction
	}
	f, _ := v.Float64()
	return fmt.Sprintf("%s (%.4g)", fraction, f)
}

// WithDecimals returns a sentence in which fractions have their decimal values beside them.
func WithDecimals(sentence string) string {
	words := strings.Split(sentence, " ")
	for i, word := range words {
		bare := strings.TrimRight(word, ",;:.")
		if i+1 == len(words) || !strings.HasPrefix(words[i+1], "(") {
			words[i] = WithDecimal(bare) + word[len(bare):]
		}
	}
	return strings.Join(words, " ")
}
