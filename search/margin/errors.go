package margin

import "fmt"

// A TooManyError says that a limit is too high above the optimum for margins to
// rule much out: more of one dimension fit than are kept.
type TooManyError struct{ Most int }

// Error names the most that are kept.
func (e *TooManyError) Error() string {
	return fmt.Sprintf("margin: more than %d margins fit the limit", e.Most)
}
