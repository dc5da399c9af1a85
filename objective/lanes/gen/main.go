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
	addWithin()
	addRowsWithin()
	addDifference()
	excess()
	for _, w := range []width{{16, VPMAXUW, VPCMPEQW}, {32, VPMAXUD, VPCMPEQD}} {
		exchange(w)
		peak(w)
		count(w)
	}
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

func addWithin() {
	kernel("addWithinBlocks", "func(sum, a, b, biased []uint64, tops uint64) bool",
		"addWithinBlocks writes a+b to sum and reports whether no word of sum+biased has a bit of tops.", func(l *loop) {
			sum, a, b, biased := l.slice("sum"), l.slice("a"), l.slice("b"), l.slice("biased")
			tops, w, x, within := everywhere("tops"), YMM(), YMM(), GP8()
			l.run("sum", 2, func() {
				VMOVDQU(l.block(a), w)
				VPADDQ(l.block(b), w, w)
				VMOVDQU(w, l.block(sum))
				VPADDQ(l.block(biased), w, x)
				VPTEST(tops, x)
				JNZ(LabelRef("over"))
			})
			VZEROUPPER()
			MOVB(U8(1), within)
			Store(within, ReturnIndex(0))
			RET()
			Label("over")
			VZEROUPPER()
			XORB(within, within)
			Store(within, ReturnIndex(0))
			RET()
		})
}

// addRowsWithin is addWithin row after row: the loop over blocks is within one over the rows of a set.
func addRowsWithin() {
	kernel("addRows", "func(sum, a, b, biased, tops []uint64, set, spare uint64) uint64",
		"addRows writes rows a+b to sum and returns those that have a bit of tops with biased.",
		func(l *loop) {
			sum, a, b, w := l.slice("sum"), l.slice("a"), l.slice("b"), YMM()
			biased, tops := Load(Param("biased").Base(), GP64()), Load(Param("tops").Base(), GP64())
			row, set, spare := Load(Param("biased").Len(), GP64()), Load(Param("set"), GP64()), Load(Param("spare"), GP64())
			over, i, p := GP64(), GP64(), GP64()
			SHLQ(U8(3), row)
			XORQ(over, over)
			Label("row")
			BSFQ(set, i)
			JZ(LabelRef("rows"))
			MOVQ(i, l.at)
			IMULQ(row, l.at)
			XORQ(p, p)
			Label("block")
			VMOVDQU(l.block(a), w)
			VPADDQ(l.block(b), w, w)
			VMOVDQU(w, l.block(sum))
			VPADDQ(Mem{Base: biased, Index: p, Scale: 1}, w, w)
			VPTEST(Mem{Base: tops, Index: p, Scale: 1}, w)
			JNZ(LabelRef("over"))
			ADDQ(U8(32), l.at)
			ADDQ(U8(32), p)
			CMPQ(p, row)
			JLT(LabelRef("block"))
			BTRQ(i, set)
			JMP(LabelRef("row"))
			Label("over")
			BTRQ(i, set)
			BTSQ(i, over)
			DECQ(spare)
			JNS(LabelRef("row"))
			Label("rows")
			VZEROUPPER()
			Store(over, ReturnIndex(0))
			RET()
		})
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
