package results

// readBlocks reads pairs [from,to].
func (r *ScheduleReader) readBlocks(send *ScheduleSend) error {
	return r.readPairs("block", "[from,to]", "ends", func(from, to int32) error {
		if len(send.Blocks) > maxPhaseBlocks {
			return r.scan.fail("a send has more than %d blocks, the most that is read", maxPhaseBlocks)
		}
		send.Blocks = append(send.Blocks, ScheduleBlock{from, to})
		return nil
	})
}

// readPath reads pairs [axis,links].
func (r *ScheduleReader) readPath(send *ScheduleSend) error {
	send.Path = []ScheduleLeg{}
	return r.readPairs("leg", "[axis,links]", "numbers", func(axis, links int32) error {
		if len(send.Path) == maxLegs {
			return r.scan.fail("a path has more than %d legs, the most that is read", maxLegs)
		}
		send.Path = append(send.Path, ScheduleLeg{axis, links})
		return nil
	})
}

// readPairs reads a list of pairs of numbers, of things named and spelt so, with parts
// named so.
func (r *ScheduleReader) readPairs(name, form, parts string, add func(a, b int32) error) error {
	return r.scan.list(func(first byte) error {
		if first != '[' {
			return r.scan.fail("%q where a %s, %s, is needed", first, name, form)
		}
		var ends [2]int32
		n := 0
		err := r.scan.items(']', func(first byte) (err error) {
			if n == len(ends) {
				return r.scan.fail("a %s has more than two %s", name, parts)
			}
			ends[n], err = r.scan.number(first)
			n++
			return err
		})
		if err == nil && n < len(ends) {
			err = r.scan.fail("a %s has fewer than two %s", name, parts)
		}
		if err != nil {
			return err
		}
		return add(ends[0], ends[1])
	})
}
