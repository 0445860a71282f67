//go:build amd64 && !purego

#include "textflag.h"

// Rows are read once and in order: they are asked for 3 KiB ahead, which is
// where the gain over the processor's own guess levelled off.
#define AHEAD 3072

// FOLD leaves in AX 256 times the sum of X0's lanes plus the sum of X1's.
#define FOLD \
	VPHADDD X1, X0, X0 \
	VPHADDD X0, X0, X0 \
	VPMOVSXDQ X0, X0 \
	VMOVQ X0, AX \
	VPEXTRQ $1, X0, CX \
	SHLQ $8, AX \
	ADDQ CX, AX

// func scanVNNI(codes *byte, hi, lo *int8, w, n int, out *int64)
TEXT ·scanVNNI(SB), NOSPLIT, $0-48
	MOVQ codes+0(FP), SI
	MOVQ hi+8(FP), DI
	MOVQ lo+16(FP), R8
	MOVQ w+24(FP), DX
	MOVQ n+32(FP), BX
	MOVQ out+40(FP), R9

vnniRow:
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	XORQ   CX, CX

vnniColumn:
	PREFETCHT0 AHEAD(SI)(CX*1)
	VMOVDQU64  (SI)(CX*1), Z2
	VPDPBUSD   (DI)(CX*1), Z2, Z0
	VPDPBUSD   (R8)(CX*1), Z2, Z1
	ADDQ       $64, CX
	CMPQ       CX, DX
	JLT        vnniColumn
	ADDQ       DX, SI

	VEXTRACTI64X4 $1, Z0, Y2
	VEXTRACTI64X4 $1, Z1, Y3
	VPADDD        Y2, Y0, Y0
	VPADDD        Y3, Y1, Y1
	VEXTRACTI128  $1, Y0, X2
	VEXTRACTI128  $1, Y1, X3
	VPADDD        X2, X0, X0
	VPADDD        X3, X1, X1
	FOLD
	MOVQ          AX, (R9)
	ADDQ          $8, R9
	DECQ          BX
	JNZ           vnniRow
	VZEROUPPER
	RET

// STEP takes 16 codes: widened to 16 bits, they multiply without loss.
#define STEP(o) \
	VPMOVZXBW o(SI), Y2 \
	VPMADDWD (2*o)(R10), Y2, Y3 \
	VPMADDWD (2*o)(R11), Y2, Y4 \
	VPADDD Y3, Y0, Y0 \
	VPADDD Y4, Y1, Y1

// func scanAVX2(codes *byte, hi, lo *int16, w, n int, out *int64)
TEXT ·scanAVX2(SB), NOSPLIT, $0-48
	MOVQ codes+0(FP), SI
	MOVQ hi+8(FP), DI
	MOVQ lo+16(FP), R8
	MOVQ w+24(FP), DX
	MOVQ n+32(FP), BX
	MOVQ out+40(FP), R9

avx2Row:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	MOVQ  DI, R10
	MOVQ  R8, R11
	MOVQ  DX, CX

avx2Column:
	PREFETCHT0 AHEAD(SI)
	STEP(0)
	STEP(16)
	STEP(32)
	STEP(48)
	ADDQ $64, SI
	ADDQ $128, R10
	ADDQ $128, R11
	SUBQ $64, CX
	JNZ  avx2Column

	VEXTRACTI128 $1, Y0, X2
	VEXTRACTI128 $1, Y1, X3
	VPADDD       X2, X0, X0
	VPADDD       X3, X1, X1
	FOLD
	MOVQ         AX, (R9)
	ADDQ         $8, R9
	DECQ         BX
	JNZ          avx2Row
	VZEROUPPER
	RET

// func dotAVX512(a, b *float32, n int) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), DX
	VPXORQ Z0, Z0, Z0
	XORQ   CX, CX

wideLoop:
	VCVTPS2PD   (SI)(CX*4), Z1
	VCVTPS2PD   (DI)(CX*4), Z2
	VFMADD231PD Z2, Z1, Z0
	ADDQ        $8, CX
	CMPQ        CX, DX
	JLT         wideLoop

	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPD        X1, X0, X0
	VHADDPD       X0, X0, X0
	VMOVSD        X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotAVX2(a, b *float32, n int) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ  a+0(FP), SI
	MOVQ  b+8(FP), DI
	MOVQ  n+16(FP), DX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  CX, CX

narrowLoop:
	VCVTPS2PD   (SI)(CX*4), Y2
	VCVTPS2PD   16(SI)(CX*4), Y3
	VCVTPS2PD   (DI)(CX*4), Y4
	VCVTPS2PD   16(DI)(CX*4), Y5
	VFMADD231PD Y4, Y2, Y0
	VFMADD231PD Y5, Y3, Y1
	ADDQ        $8, CX
	CMPQ        CX, DX
	JLT         narrowLoop

	VADDPD       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VHADDPD      X0, X0, X0
	VMOVSD       X0, ret+24(FP)
	VZEROUPPER
	RET

// What rounding needs: 128.5, and as 32-bit lanes 1, 255 and 128; a mask
// without the sign.
DATA half<>+0(SB)/8, $128.5
GLOBL half<>(SB), RODATA|NOPTR, $8
DATA least<>+0(SB)/4, $1
GLOBL least<>(SB), RODATA|NOPTR, $4
DATA most<>+0(SB)/4, $255
GLOBL most<>(SB), RODATA|NOPTR, $4
DATA middle<>+0(SB)/4, $128
GLOBL middle<>(SB), RODATA|NOPTR, $4
DATA unsigned<>+0(SB)/4, $0x7fffffff
GLOBL unsigned<>(SB), RODATA|NOPTR, $4

// func largestAVX2(row *float32, n int) float32
TEXT ·largestAVX2(SB), NOSPLIT, $0-20
	MOVQ         row+0(FP), SI
	MOVQ         n+8(FP), DX
	VPBROADCASTD unsigned<>(SB), Y3
	VPXOR        Y0, Y0, Y0
	XORQ         CX, CX

largestLoop:
	VPAND   (SI)(CX*4), Y3, Y1
	VPMAXUD Y1, Y0, Y0
	ADDQ    $8, CX
	CMPQ    CX, DX
	JLT     largestLoop

	VEXTRACTI128 $1, Y0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPMAXUD      X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPMAXUD      X1, X0, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func roundAVX512(row *float32, n int, inverse, toCode, scale float64, codes *byte) float64
TEXT ·roundAVX512(SB), NOSPLIT, $0-56
	MOVQ         row+0(FP), SI
	MOVQ         n+8(FP), DX
	VBROADCASTSD inverse+16(FP), Z10
	VBROADCASTSD toCode+24(FP), Z11
	VBROADCASTSD scale+32(FP), Z12
	MOVQ         codes+40(FP), DI
	VBROADCASTSD half<>(SB), Z13
	VPBROADCASTD least<>(SB), Y14
	VPBROADCASTD most<>(SB), Y15
	VPBROADCASTD middle<>(SB), Y9
	VPXORQ       Z0, Z0, Z0
	XORQ         CX, CX

roundWideLoop:
	VCVTPS2PD    (SI)(CX*4), Z1
	VMULPD       Z11, Z1, Z2
	VADDPD       Z13, Z2, Z2
	VCVTTPD2DQ   Z2, Y3
	VPMAXSD      Y14, Y3, Y3
	VPMINSD      Y15, Y3, Y3
	VEXTRACTI128 $1, Y3, X4
	VPACKUSDW    X4, X3, X4
	VPACKUSWB    X4, X4, X4
	VMOVQ        X4, (DI)(CX*1)
	VPSUBD       Y9, Y3, Y3
	VCVTDQ2PD    Y3, Z4
	VMULPD       Z12, Z4, Z4
	VMULPD       Z10, Z1, Z1
	VSUBPD       Z4, Z1, Z1
	VMULPD       Z1, Z1, Z1
	VADDPD       Z1, Z0, Z0
	ADDQ         $8, CX
	CMPQ         CX, DX
	JLT          roundWideLoop

	VEXTRACTF64X4 $1, Z0, Y1
	VADDPD        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VADDPD        X1, X0, X0
	VHADDPD       X0, X0, X0
	VMOVSD        X0, ret+48(FP)
	VZEROUPPER
	RET

// ERROR leaves in src the square of what its numbers times Y10 differ from the
// 32-bit lanes of c less 128 times Y12.
#define ERROR(src, c) \
	VPSUBD    X9, c, c \
	VCVTDQ2PD c, Y6 \
	VMULPD    Y12, Y6, Y6 \
	VMULPD    Y10, src, src \
	VSUBPD    Y6, src, src \
	VMULPD    src, src, src

// func roundAVX2(row *float32, n int, inverse, toCode, scale float64, codes *byte) float64
TEXT ·roundAVX2(SB), NOSPLIT, $0-56
	MOVQ         row+0(FP), SI
	MOVQ         n+8(FP), DX
	VBROADCASTSD inverse+16(FP), Y10
	VBROADCASTSD toCode+24(FP), Y11
	VBROADCASTSD scale+32(FP), Y12
	MOVQ         codes+40(FP), DI
	VBROADCASTSD half<>(SB), Y13
	VPBROADCASTD least<>(SB), X14
	VPBROADCASTD most<>(SB), X15
	VPBROADCASTD middle<>(SB), X9
	VPXOR        Y0, Y0, Y0
	VPXOR        Y7, Y7, Y7
	XORQ         CX, CX

roundNarrowLoop:
	VCVTPS2PD   (SI)(CX*4), Y1
	VCVTPS2PD   16(SI)(CX*4), Y2
	VMULPD      Y11, Y1, Y3
	VMULPD      Y11, Y2, Y4
	VADDPD      Y13, Y3, Y3
	VADDPD      Y13, Y4, Y4
	VCVTTPD2DQY Y3, X3
	VCVTTPD2DQY Y4, X4
	VPMAXSD     X14, X3, X3
	VPMAXSD     X14, X4, X4
	VPMINSD     X15, X3, X3
	VPMINSD     X15, X4, X4
	VPACKUSDW   X4, X3, X5
	VPACKUSWB   X5, X5, X5
	VMOVQ       X5, (DI)(CX*1)
	ERROR(Y1, X3)
	ERROR(Y2, X4)
	VADDPD      Y1, Y0, Y0
	VADDPD      Y2, Y7, Y7
	ADDQ        $8, CX
	CMPQ        CX, DX
	JLT         roundNarrowLoop

	VADDPD       Y7, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VHADDPD      X0, X0, X0
	VMOVSD       X0, ret+48(FP)
	VZEROUPPER
	RET
