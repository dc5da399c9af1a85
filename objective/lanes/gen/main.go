// Gen writes the kernels of package lanes for processors with AVX2; go generate runs it. It is a module of its own:
// the program does not depend on the generator.
//
// Each kernel takes whole blocks of 32 bytes of its slices. What is left over is for the portable loops.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!purego")
	addDifference()
	excess()
	for _, w := range []width{{16, VPMAXUW, VPCMPEQW}, {32, VPMAXUD, VPCMPEQD}} {
		exchange(w)
		peak(w)
		count(w)
	}
	product(false)
	product(true)
	slides()
	transpose()
	most()
	Generate()
}

// A width is that of lanes, with the instructions for it.
type width struct {
	bits        int
	most, equal func(ops ...Op)
}

// kernel writes a function of slices that are as long as the one named first.
func kernel(name, signature, doc string, body func(l *loop)) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc)
	l := &loop{at: GP64()}
	body(l)
}

// A loop goes over blocks.
type loop struct {
	at    reg.GPVirtual // bytes done
	bases []reg.Register
}

// slice loads where a slice begins and returns its number among the bases.
func (l *loop) slice(name string) int {
	l.bases = append(l.bases, Load(Param(name).Base(), GP64()))
	return len(l.bases) - 1
}

// block returns the words of a slice that the loop is at.
func (l *loop) block(slice int) Mem { return Mem{Base: l.bases[slice], Index: l.at, Scale: 1} }

// run writes the loop over the blocks of a slice, of 2^shift elements each.
func (l *loop) run(over string, shift int, body func()) {
	left := Load(Param(over).Len(), GP64())
	XORQ(l.at, l.at)
	SHRQ(U8(shift), left)
	JZ(LabelRef("done"))
	Label("next")
	body()
	ADDQ(U8(32), l.at)
	DECQ(left)
	JNZ(LabelRef("next"))
	Label("done")
}

func addDifference() {
	kernel("addDifferenceBlocks", "func(to, plus, minus []uint64)",
		"addDifferenceBlocks adds plus-minus to to.", func(l *loop) {
			to, plus, minus := l.slice("to"), l.slice("plus"), l.slice("minus")
			w := YMM()
			l.run("to", 2, func() {
				VMOVDQU(l.block(to), w)
				VPADDQ(l.block(plus), w, w)
				VPSUBQ(l.block(minus), w, w)
				VMOVDQU(w, l.block(to))
			})
			VZEROUPPER()
			RET()
		})
}

func excess() {
	kernel("excessBlocks", "func(load, out, in []int32, limit int32) int64",
		"excessBlocks returns the sum of what load-out+in is above the limit by.", func(l *loop) {
			load, out, in := l.slice("load"), l.slice("out"), l.slice("in")
			limit, zero, x, y, sum := YMM(), YMM(), YMM(), YMM(), YMM()
			word := XMM()
			VMOVD(Load(Param("limit"), GP32()), word)
			VPBROADCASTD(word, limit)
			VPXOR(zero, zero, zero)
			VPXOR(sum, sum, sum)
			l.run("load", 3, func() {
				VMOVDQU(l.block(load), x)
				VPSUBD(l.block(out), x, x)
				VPADDD(l.block(in), x, x)
				VPSUBD(limit, x, x)
				VPMAXSD(zero, x, x)
				VPSRLQ(U8(32), x, y)
				VPBLENDD(U8(0xaa), zero, x, x)
				VPADDQ(x, sum, sum)
				VPADDQ(y, sum, sum)
			})
			half, other, all := XMM(), XMM(), GP64()
			VEXTRACTI128(U8(1), sum, half)
			VPADDQ(half, sum.AsX(), half)
			VPSRLDQ(U8(8), half, other)
			VPADDQ(half, other, other)
			VMOVQ(other, all)
			VZEROUPPER()
			Store(all, ReturnIndex(0))
			RET()
		})
}

func exchange(w width) {
	kernel(fmt.Sprintf("exchangeBlocks%d", w.bits), "func(after, load, out, in, joint []uint64) uint64",
		fmt.Sprintf("exchangeBlocks%d writes load-out+in-joint to after and returns the maxima of its lanes.", w.bits),
		func(l *loop) {
			after, load := l.slice("after"), l.slice("load")
			out, in, joint := l.slice("out"), l.slice("in"), l.slice("joint")
			top, x := YMM(), YMM()
			VPXOR(top, top, top)
			l.run("after", 2, func() {
				VMOVDQU(l.block(load), x)
				VPSUBQ(l.block(out), x, x)
				VPADDQ(l.block(in), x, x)
				VPSUBQ(l.block(joint), x, x)
				VMOVDQU(x, l.block(after))
				w.most(x, top, top)
			})
			w.fold(top)
		})
}

func peak(w width) {
	kernel(fmt.Sprintf("peakBlocks%d", w.bits), "func(words []uint64) uint64",
		fmt.Sprintf("peakBlocks%d returns the maxima of the lanes of all words.", w.bits), func(l *loop) {
			words, top := l.slice("words"), YMM()
			VPXOR(top, top, top)
			l.run("words", 2, func() { w.most(l.block(words), top, top) })
			w.fold(top)
		})
}

// fold returns the maxima of the lanes of four words as one.
func (w width) fold(top reg.VecVirtual) {
	half, word := XMM(), GP64()
	VEXTRACTI128(U8(1), top, half)
	w.most(half, top.AsX(), half)
	other := XMM()
	VPSRLDQ(U8(8), half, other)
	w.most(half, other, other)
	VMOVQ(other, word)
	VZEROUPPER()
	Store(word, ReturnIndex(0))
	RET()
}

func count(w width) {
	kernel(fmt.Sprintf("countBlocks%d", w.bits), "func(words []uint64, pattern uint64) int",
		fmt.Sprintf("countBlocks%d returns how many lanes are those of pattern.", w.bits), func(l *loop) {
			words, pattern, x, bits, all := l.slice("words"), everywhere("pattern"), YMM(), GP32(), GP64()
			XORQ(all, all)
			l.run("words", 2, func() {
				w.equal(l.block(words), pattern, x)
				VPMOVMSKB(x, bits)
				POPCNTL(bits, bits)
				ADDQ(bits.As64(), all)
			})
			VZEROUPPER()
			SHRQ(U8(map[int]int{16: 1, 32: 2}[w.bits]), all)
			Store(all, ReturnIndex(0))
			RET()
		})
}

// everywhere returns a parameter in each word of a block.
func everywhere(name string) reg.VecVirtual {
	word, all := XMM(), YMM()
	VMOVQ(Load(Param(name), GP64()), word)
	VPBROADCASTQ(word, all)
	return all
}

// product writes the loops of lanes.Product: columns of 16 rings, of 4, and a masked one of the rest, and in each from
// place to place with the sums in registers.
func product(rowwise bool) {
	name := "productRows"
	if rowwise {
		name = "productRowwise"
	}
	TEXT(name, NOSPLIT, "func(sum, out, v, vw, f, fw, first *int64, step, vStep, fStep, at, firsts, places, row int, "+
		"last, add bool)")
	Pragma("noescape")
	Doc(name + " is Product.count for rows of whole blocks.")
	numbered := GLOBL("numbered"+name, RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(i))
	}
	params := map[string]Mem{}
	for i, param := range []string{"sum", "out", "v", "vw", "f", "fw", "first", "step", "vStep", "fStep", "at", "firsts",
		"places", "row", "last"} {
		params[param] = NewParamAddr(param, 8*i)
	}
	params["add"] = NewParamAddr("add", 8*14+1)
	bytes := func(param string) reg.Register {
		r := Load(Param(param), GP64())
		SHLQ(U8(3), r)
		return r
	}
	step, vStep, fStep := bytes("step"), bytes("vStep"), bytes("fStep")
	row, done := Load(Param("row"), GP64()), GP64() // done: bytes of the rows
	XORQ(done, done)
	left, vAt, fAt, out := GP64(), GP64(), GP64(), GP64()
	// base returns where the column begins in an array, of factors only if they have rows.
	base := func(param string) reg.GPVirtual {
		r := GP64()
		MOVQ(params[param], r)
		if rowwise || param[0] != 'f' {
			ADDQ(done, r)
		}
		return r
	}
	for _, rings := range []int{16, 4, 1} {
		label := func(name string) string { return fmt.Sprintf("%s%d", name, rings) }
		sums := make([]reg.VecVirtual, max(rings/4, 1))
		x, y, z, w, mask := YMM(), YMM(), YMM(), YMM(), YMM()
		block := func(r, index reg.GPVirtual, i int) Mem {
			return Mem{Base: r, Index: index, Scale: 1, Disp: 32 * i}
		}
		load := func(from Mem, to reg.VecVirtual) {
			if rings == 1 {
				VPMASKMOVQ(from, mask, to)
			} else {
				VMOVDQU(from, to)
			}
		}
		save := func(from reg.VecVirtual, to Mem) {
			if rings == 1 {
				VPMASKMOVQ(from, mask, to)
			} else {
				VMOVDQU(from, to)
			}
		}
		// multiply writes the products of factors and a block of a vector to to.
		multiply := func(vector Mem, factors, to reg.VecVirtual) {
			if rings == 1 {
				load(vector, to)
				VPMULDQ(to, factors, to)
			} else {
				VPMULDQ(vector, factors, to)
			}
		}
		factor := func(r reg.GPVirtual, i int, to reg.VecVirtual) {
			if rowwise {
				load(block(r, fAt, i), to)
			} else if i == 0 {
				VPBROADCASTQ(block(r, fAt, 0), to)
			}
		}
		Label(label("column"))
		CMPQ(row, U8(rings))
		JL(LabelRef(label("end")))
		if rings == 1 {
			VMOVQ(row, mask.AsX())
			VPBROADCASTQ(mask.AsX(), mask)
			VPCMPGTQ(numbered, mask, mask)
		}
		sum := base("sum")
		for i := range sums {
			sums[i] = YMM()
			load(Mem{Base: sum, Disp: 32 * i}, sums[i])
		}
		v := base("v")
		MOVQ(params["firsts"], left)
		TESTQ(left, left)
		JZ(LabelRef(label("links")))
		first := base("first")
		XORQ(vAt, vAt)
		XORQ(fAt, fAt)
		Label(label("first"))
		if !rowwise {
			CMPQ(block(first, fAt, 0), U8(0))
			JE(LabelRef(label("skip")))
		}
		for i, sum := range sums {
			factor(first, i, y)
			multiply(block(v, vAt, i), y, x)
			VPADDQ(x, sum, sum)
		}
		Label(label("skip"))
		ADDQ(vStep, vAt)
		ADDQ(fStep, fAt)
		DECQ(left)
		JNZ(LabelRef(label("first")))

		Label(label("links"))
		MOVQ(params["places"], left)
		TESTQ(left, left)
		JZ(LabelRef(label("store")))
		MOVQ(params["at"], vAt)
		MOVQ(vAt, fAt)
		IMULQ(vStep, vAt)
		IMULQ(fStep, fAt)
		vw, f, fw := base("vw"), base("f"), base("fw")
		MOVQ(params["out"], out)
		ADDQ(done, out)
		Label(label("link"))
		CMPB(params["add"], U8(0))
		JE(LabelRef(label("write")))
		for i, sum := range sums {
			load(Mem{Base: out, Disp: 32 * i}, x)
			VPADDQ(x, sum, x)
			save(x, Mem{Base: out, Disp: 32 * i})
		}
		JMP(LabelRef(label("step")))
		Label(label("write"))
		for i, sum := range sums {
			save(sum, Mem{Base: out, Disp: 32 * i})
		}
		Label(label("step"))
		ADDQ(step, out)
		DECQ(left)
		JNZ(LabelRef(label("place")))
		CMPB(params["last"], U8(0))
		JNE(LabelRef(label("store")))
		Label(label("place"))
		for i, sum := range sums {
			factor(fw, i, y)
			factor(f, i, z)
			multiply(block(v, vAt, i), y, x)
			multiply(block(vw, vAt, i), z, w)
			VPADDQ(x, sum, sum)
			VPADDQ(w, sum, sum)
		}
		ADDQ(vStep, vAt)
		ADDQ(fStep, fAt)
		TESTQ(left, left)
		JNZ(LabelRef(label("link")))
		Label(label("store"))
		sum = base("sum")
		for i, s := range sums {
			save(s, Mem{Base: sum, Disp: 32 * i})
		}
		if rings > 1 {
			ADDQ(I32(8*rings), done)
			SUBQ(U8(rings), row)
			JMP(LabelRef(label("column")))
		}
		Label(label("end"))
	}
	VZEROUPPER()
	RET()
}

func slides() {
	TEXT("slideRows", NOSPLIT, "func(numbers *int64, list []int32)")
	Pragma("noescape")
	Doc("slideRows is Slides.Run.")
	numbers, list := Load(Param("numbers"), GP64()), Load(Param("list").Base(), GP64())
	rows := Load(Param("list").Len(), GP64())
	to, from, in, out, left, at := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	w, x := YMM(), GP64()
	Label("row")
	for i, r := range []reg.GPVirtual{to, from, in, out} {
		MOVLQSX(Mem{Base: list, Disp: 4 * i}, r)
		LEAQ(Mem{Base: numbers, Index: r, Scale: 8}, r)
	}
	MOVLQSX(Mem{Base: list, Disp: 16}, left)
	ADDQ(U8(20), list)
	XORQ(at, at)
	place := func(r reg.GPVirtual, block int) Mem { return Mem{Base: r, Index: at, Scale: 8, Disp: 32 * block} }
	for _, wide := range []int{4, 1} {
		label := func(name string) LabelRef { return LabelRef(fmt.Sprintf("%s%d", name, wide)) }
		Label(string(label("block")))
		SUBQ(U8(4*wide), left)
		JL(label("rest"))
		for i := range wide {
			VMOVDQU(place(from, i), w)
			VPADDQ(place(in, i), w, w)
			VPSUBQ(place(out, i), w, w)
			VMOVDQU(w, place(to, i))
		}
		ADDQ(U8(4*wide), at)
		JMP(label("block"))
		Label(string(label("rest")))
		ADDQ(U8(4*wide), left)
	}
	JZ(LabelRef("end"))
	Label("number")
	MOVQ(place(from, 0), x)
	ADDQ(place(in, 0), x)
	SUBQ(place(out, 0), x)
	MOVQ(x, place(to, 0))
	INCQ(at)
	DECQ(left)
	JNZ(LabelRef("number"))
	Label("end")
	SUBQ(U8(5), rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// transpose takes blocks of four rows and columns.
func transpose() {
	TEXT("transposeBlocks", NOSPLIT, "func(to, from *int64, rows, columns int)")
	Pragma("noescape")
	Doc("transposeBlocks is Transpose for whole blocks of four rows and columns.")
	to, from := Load(Param("to"), GP64()), Load(Param("from"), GP64())
	rows, columns := Load(Param("rows"), GP64()), Load(Param("columns"), GP64())
	down, right, i, j, src, dst, down3, right3 := GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(columns, down)
	SHLQ(U8(3), down)
	MOVQ(rows, right)
	SHLQ(U8(3), right)
	LEAQ(Mem{Base: down, Index: down, Scale: 2}, down3)
	LEAQ(Mem{Base: right, Index: right, Scale: 2}, right3)
	SHRQ(U8(2), rows)
	SHRQ(U8(2), columns)
	MOVQ(rows, i)
	Label("rows")
	MOVQ(from, src)
	MOVQ(to, dst)
	MOVQ(columns, j)
	Label("columns")
	a, b, c, d, e, f, g, h := YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: src}, a)
	VMOVDQU(Mem{Base: src, Index: down, Scale: 1}, b)
	VMOVDQU(Mem{Base: src, Index: down, Scale: 2}, c)
	VMOVDQU(Mem{Base: src, Index: down3, Scale: 1}, d)
	VPUNPCKLQDQ(b, a, e)
	VPUNPCKHQDQ(b, a, f)
	VPUNPCKLQDQ(d, c, g)
	VPUNPCKHQDQ(d, c, h)
	VPERM2I128(U8(0x20), g, e, a)
	VPERM2I128(U8(0x20), h, f, b)
	VPERM2I128(U8(0x31), g, e, c)
	VPERM2I128(U8(0x31), h, f, d)
	VMOVDQU(a, Mem{Base: dst})
	VMOVDQU(b, Mem{Base: dst, Index: right, Scale: 1})
	VMOVDQU(c, Mem{Base: dst, Index: right, Scale: 2})
	VMOVDQU(d, Mem{Base: dst, Index: right3, Scale: 1})
	ADDQ(U8(32), src)
	LEAQ(Mem{Base: dst, Index: right, Scale: 4}, dst)
	DECQ(j)
	JNZ(LabelRef("columns"))
	LEAQ(Mem{Base: from, Index: down, Scale: 4}, from)
	ADDQ(U8(32), to)
	DECQ(i)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// most takes two blocks at once, and begins counting again where one of them has a larger number.
func most() {
	kernel("mostBlocks", "func(values []int64) (most int64, count int)",
		"mostBlocks is Most for whole pairs of blocks.", func(l *loop) {
			values, word, other := l.slice("values"), GP64(), GP64()
			top, count, x, y, above, more := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
			half, next, mask := XMM(), XMM(), XMM()
			// fold leaves the largest or the sum of four numbers in half
			fold := func(all reg.VecVirtual, join func(a, b Op)) {
				VEXTRACTI128(U8(1), all, half)
				join(all.AsX(), half)
				VPSRLDQ(U8(8), half, next)
				join(next, half)
			}
			larger := func(a, b Op) {
				VPCMPGTQ(b, a, mask)
				VBLENDVPD(mask, a, b, b)
			}
			VPXOR(count, count, count)
			VPCMPEQD(top, top, top)
			l.run("values", 3, func() {
				block := l.block(values)
				VMOVDQU(block, x)
				VMOVDQU(block.Offset(32), y)
				VPCMPGTQ(top, x, above)
				VPCMPGTQ(top, y, more)
				VPOR(more, above, above)
				VPTEST(above, above)
				JZ(LabelRef("count"))
				VPCMPGTQ(y, x, more)
				VBLENDVPD(more, x, y, above)
				fold(above, larger)
				VPBROADCASTQ(half, top)
				VPXOR(count, count, count)
				Label("count")
				VPCMPEQQ(x, top, x)
				VPCMPEQQ(y, top, y)
				VPSUBQ(x, count, count)
				VPSUBQ(y, count, count)
				ADDQ(U8(32), l.at)
			})
			VMOVQ(top.AsX(), word)
			fold(count, func(a, b Op) { VPADDQ(a, b, b) })
			VMOVQ(half, other)
			VZEROUPPER()
			Store(word, ReturnIndex(0))
			Store(other, ReturnIndex(1))
			RET()
		})
}
