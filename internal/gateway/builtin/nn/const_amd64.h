// Constants that both sets of kernels use; NUM(i) is the i-th.
DATA num<>+0(SB)/4, $0xc2ae0000  // -87, the least argument of EXP
DATA num<>+4(SB)/4, $0x42b00000  // 88, the greatest
DATA num<>+8(SB)/4, $0x3fb8aa3b  // log2(e)
DATA num<>+12(SB)/4, $0x3f318000 // ln(2), its upper bits
DATA num<>+16(SB)/4, $0xb95e8083 // and the rest
DATA num<>+20(SB)/4, $0x39506967 // the polynomial, highest power first
DATA num<>+24(SB)/4, $0x3ab743ce
DATA num<>+28(SB)/4, $0x3c088908
DATA num<>+32(SB)/4, $0x3d2aa9c1
DATA num<>+36(SB)/4, $0x3e2aaaaa
DATA num<>+40(SB)/4, $0x3f000000
DATA num<>+44(SB)/4, $0x3f800000 // 1
DATA num<>+48(SB)/4, $127        // the bias of an exponent
DATA num<>+52(SB)/4, $0x7fffffff // all but the sign
DATA num<>+56(SB)/4, $0x3b800000 // 2^-8: weights are multiplied shifted by a byte
DATA num<>+60(SB)/4, $0x467ffc00 // 16383
DATA num<>+64(SB)/4, $0x0da24260 // 1e-30
GLOBL num<>(SB), RODATA|NOPTR, $68

#define NUM(i) num<>+(4*i)(SB)

// SUM leaves in X0 the sum of the lanes of Y0, in the order of SUM4.
#define SUM \
	VHADDPS Y0, Y0, Y0 \
	VHADDPS Y0, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0

// SUM4 leaves in X0 the sums of Y0, Y1, Y2 and Y3.
#define SUM4 \
	VHADDPS Y1, Y0, Y0 \
	VHADDPS Y3, Y2, Y2 \
	VHADDPS Y2, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0
