package main

import (
	"fmt"
	"time"

	"leeway/results/web"
	"leeway/search/cluster"
)

// mostShown is how many workers the page shows one by one.
const mostShown = 500

// cluster shows how a cluster stands: the job, and every worker on its own.
func (b *broadcast) cluster(s cluster.Status) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.crew == nil {
		b.crew = map[string]string{}
	}
	publish := func(topic, title string, fields []web.Field) {
		if text := fmt.Sprint(fields); b.crew[topic] != text {
			b.crew[topic] = text
			b.hub.Publish(web.Event{Topic: topic, Title: title, Fields: fields})
		}
	}
	publish("cluster", s.Job, clusterFields(s))
	present := map[string]bool{"cluster": true}
	for _, w := range s.Workers[:min(len(s.Workers), mostShown)] {
		topic := "worker " + w.Name
		present[topic] = true
		publish(topic, "Worker "+w.Name, workerFields(w))
	}
	for topic := range b.crew {
		if !present[topic] {
			delete(b.crew, topic)
			b.hub.Publish(web.Event{Topic: topic, Over: true})
		}
	}
}

// clusterFields returns how the job stands.
func clusterFields(s cluster.Status) (list []web.Field) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, web.Field{Name: name, Value: value})
		}
	}
	rate, cores := 0.0, 0
	for _, w := range s.Workers {
		rate, cores = rate+w.Rate, cores+w.Cores
	}
	add("problem", s.Problem)
	if s.Below != "" {
		add("question", fmt.Sprintf("E_max below %s, by %s", s.Below, s.Engine))
		add("prefixes left", fmt.Sprintf("%d of %d", s.PrefixesLeft, s.Prefixes))
	}
	add("best", s.Incumbent)
	add("bound", s.Bound)
	add("units done", fmt.Sprint(s.Units.Done))
	add("units out", fmt.Sprintf("%d, %d of them running", s.Units.Out, s.Units.Running))
	if s.Units.Confirming > 0 {
		add("being confirmed", fmt.Sprint(s.Units.Confirming))
	}
	if s.Units.Quarantined > 0 {
		add("in quarantine", fmt.Sprint(s.Units.Quarantined))
	}
	if s.Refused > 0 {
		add("refused", fmt.Sprint(s.Refused))
	}
	add("workers", fmt.Sprintf("%d with %d cores", len(s.Workers), cores))
	add("rate", short(rate)+"/s")
	if s.SecondsLeft > 0 {
		add("left", "about "+time.Duration(s.SecondsLeft*float64(time.Second)).Round(time.Second).String())
	}
	return list
}

func workerFields(w cluster.Worker) []web.Field {
	list := []web.Field{{Name: "host", Value: w.Host}, {Name: "running", Value: fmt.Sprintf("%d on %d cores", w.Running, w.Cores)},
		{Name: "units done", Value: fmt.Sprint(w.Done)}, {Name: "rate", Value: short(w.Rate) + "/s"}}
	if w.Seconds >= 10 {
		list = append(list, web.Field{Name: "last seen", Value: time.Duration(w.Seconds*float64(time.Second)).Round(10*time.Second).String() + " ago"})
	}
	if !w.Trusted {
		list = append(list, web.Field{Name: "trusted", Value: "no"})
	}
	return list
}
