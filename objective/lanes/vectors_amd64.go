//go:build !purego

package lanes

import "golang.org/x/sys/cpu"

//go:generate go -C gen run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg lanes

func init() {
	if cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT {
		vectors = &kernels{addDifferenceBlocks, excessBlocks,
			maxima{peakBlocks16, exchangeBlocks16, countBlocks16}, maxima{peakBlocks32, exchangeBlocks32, countBlocks32},
			productRows, productRowwise, slideRows, transposeBlocks, mostBlocks}
	}
}
