package main

import (
	"context"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/disk"
)

// Tasks that send each other what a matrix says: what the flags of any command say of them.

// asksMatrix reports whether --traffic is a matrix.
func (s *subject) asksMatrix() bool {
	text := s.axes["traffic"]
	if text == nil {
		return false
	}
	return strings.HasPrefix(*text, "@") || strings.HasPrefix(*text, texts.PatternPrefix) ||
		strings.HasPrefix(*text, objective.MatrixTraffic+":")
}

// trafficText returns the text of --traffic, with the matrix of a file, a pattern, or --question in it.
func (s *subject) trafficText(ctx context.Context, t *core.Torus, text string) (string, error) {
	r, err := disk.ReadTraffic(t, text, func(name string) ([]byte, error) {
		if s.matrixText != nil {
			return s.matrixText, nil
		}
		return disk.ReadFile(ctx, name)
	})
	return r.String(), err
}

// readTasks returns the placement of --placement for the tasks of a matrix; see family.ParseTasks.
func (s *subject) readTasks(ctx context.Context) (core.Placement, error) {
	t := s.network
	if name, isFile := strings.CutPrefix(s.placementText, "@"); isFile {
		_, p, err := readPlaced(ctx, name)
		if err == nil && p.Tasks() == nil {
			p, err = core.PlaceTasks(t, p.Nodes())
		}
		return p, err
	}
	return family.ParseTasks(t, s.placementText)
}

// tasksByNumber returns a list TASK=NODE+TASK=NODE of a network whose nodes may have names with their numbers instead.
func tasksByNumber(t *core.Torus, text string) (string, error) {
	var list []string
	for _, part := range (core.Part{Text: text}).Split("+") {
		task, name, _ := strings.Cut(part.Text, "=")
		nodes, err := core.ParseNamed(t, name)
		if err != nil {
			return "", core.InText(err, core.Part{Text: name, Offset: part.Offset + len(task) + 1}, text)
		}
		list = append(list, task+"="+objective.NodesText(t, nodes))
	}
	return strings.Join(list, "+"), nil
}

// tasksHint follows errors about a placement of tasks.
const tasksHint = "list the nodes of task 0, task 1 and so on: nodes:0,0+1,3"
