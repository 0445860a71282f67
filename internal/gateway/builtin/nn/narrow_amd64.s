//go:build amd64 && !purego

#include "textflag.h"
#include "const_amd64.h"

// These do what the functions of wide_amd64.s do, in the same order, so that
// they give the same bits: what is one register there is two here.

// WEIGHTS takes 32 weights from SI, as 16-bit numbers shifted by a byte, to Y8
// and Y9, and their scale from DI to Y10. Y15 is zero.
#define WEIGHTS(o, s) \
	VMOVDQU o(SI), Y10 \
	VPUNPCKLBW Y10, Y15, Y8 \
	VPUNPCKHBW Y10, Y15, Y9 \
	VBROADCASTSS s(DI), Y10

// TOKEN adds to acc the product of the weights with 32 activations.
#define TOKEN(x, o, xs, acc) \
	VPMADDWD o(x)(CX*2), Y8, Y11 \
	VPMADDWD (o+64)(x)(CX*2), Y9, Y12 \
	VPADDD Y12, Y11, Y11 \
	VCVTDQ2PS Y11, Y11 \
	VMULPS Y10, Y11, Y11 \
	VBROADCASTSS xs, Y13 \
	VFMADD231PS Y13, Y11, acc

// func fourAVX2(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32, stride int)
TEXT ·fourAVX2(SB), NOSPLIT, $0-64
	MOVQ  w+0(FP), SI
	MOVQ  ws+8(FP), DI
	MOVQ  x+16(FP), R8
	MOVQ  xs+24(FP), R15
	MOVQ  cols+32(FP), DX
	MOVQ  rows+40(FP), BX
	MOVQ  out+48(FP), R14
	LEAQ  (R8)(DX*2), R9
	LEAQ  (R9)(DX*2), R10
	LEAQ  (R10)(DX*2), R11
	MOVQ  DX, AX
	SHRQ  $4, AX            // bytes from one token's scales to the next's
	LEAQ  (AX)(AX*2), R13
	VPXOR Y15, Y15, Y15

fourRow:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	MOVQ  R15, R12
	XORQ  CX, CX

fourColumn:
	WEIGHTS(0, 0)
	TOKEN(R8, 0, (R12), Y0)
	TOKEN(R9, 0, (R12)(AX*1), Y1)
	TOKEN(R10, 0, (R12)(AX*2), Y2)
	TOKEN(R11, 0, (R12)(R13*1), Y3)
	WEIGHTS(32, 4)
	TOKEN(R8, 32, (R12), Y4)
	TOKEN(R9, 32, (R12)(AX*1), Y5)
	TOKEN(R10, 32, (R12)(AX*2), Y6)
	TOKEN(R11, 32, (R12)(R13*1), Y7)
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $4, R12
	ADDQ $64, CX
	CMPQ CX, DX
	JLT  fourColumn

	VADDPS       Y4, Y0, Y0
	VADDPS       Y5, Y1, Y1
	VADDPS       Y6, Y2, Y2
	VADDPS       Y7, Y3, Y3
	SUM4
	VBROADCASTSS NUM(14), X1
	VMULPS       X1, X0, X0
	MOVQ         stride+56(FP), R12
	SHLQ         $2, R12
	VMOVSS       X0, (R14)
	VEXTRACTPS   $1, X0, (R14)(R12*1)
	VEXTRACTPS   $2, X0, (R14)(R12*2)
	LEAQ         (R12)(R12*2), R12
	VEXTRACTPS   $3, X0, (R14)(R12*1)
	ADDQ         $4, R14
	DECQ         BX
	JNZ          fourRow
	VZEROUPPER
	RET

// func oneAVX2(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32)
TEXT ·oneAVX2(SB), NOSPLIT, $0-56
	MOVQ  w+0(FP), SI
	MOVQ  ws+8(FP), DI
	MOVQ  x+16(FP), R8
	MOVQ  xs+24(FP), R15
	MOVQ  cols+32(FP), DX
	MOVQ  rows+40(FP), BX
	MOVQ  out+48(FP), R14
	VPXOR Y15, Y15, Y15

oneRow:
	VPXOR Y0, Y0, Y0
	VPXOR Y4, Y4, Y4
	MOVQ  R15, R12
	XORQ  CX, CX

oneColumn:
	PREFETCHT0 4096(SI)
	WEIGHTS(0, 0)
	TOKEN(R8, 0, (R12), Y0)
	WEIGHTS(32, 4)
	TOKEN(R8, 32, (R12), Y4)
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $4, R12
	ADDQ $64, CX
	CMPQ CX, DX
	JLT  oneColumn

	VADDPS Y4, Y0, Y0
	SUM
	VMULSS NUM(14), X0, X0
	VMOVSS X0, (R14)
	ADDQ   $4, R14
	DECQ   BX
	JNZ    oneRow
	VZEROUPPER
	RET

// MOST keeps in Y4 the greatest absolute value; Y6 is the mask for it.
#define MOST(o) \
	VANDPS o(SI), Y6, Y5 \
	VMAXPS Y5, Y4, Y4

// PLACE makes integers of 8 activations at a and 8 at b, and stores them.
#define PLACE(a, b, o) \
	VMULPS a(SI), Y5, Y0 \
	VMULPS b(SI), Y5, Y1 \
	VCVTPS2DQ Y0, Y0 \
	VCVTPS2DQ Y1, Y1 \
	VPACKSSDW Y1, Y0, Y0 \
	VPERMQ $0xd8, Y0, Y0 \
	VMOVDQU Y0, o(DI)

// func quantiseAVX2(x *float32, q *int16, scales *float32, chunks int)
TEXT ·quantiseAVX2(SB), NOSPLIT, $0-32
	MOVQ         x+0(FP), SI
	MOVQ         q+8(FP), DI
	MOVQ         scales+16(FP), R8
	MOVQ         chunks+24(FP), BX
	VBROADCASTSS NUM(13), Y6
	VMOVSS       NUM(15), X8

quantise:
	VPXOR        Y4, Y4, Y4
	MOST(0)
	MOST(32)
	MOST(64)
	MOST(96)
	MOST(128)
	MOST(160)
	MOST(192)
	MOST(224)
	VEXTRACTF128 $1, Y4, X5
	VMAXPS       X5, X4, X4
	VPSHUFD      $0x4e, X4, X5
	VMAXPS       X5, X4, X4
	VPSHUFD      $0xb1, X4, X5
	VMAXPS       X5, X4, X4
	VMAXSS       NUM(16), X4, X4
	VDIVSS       X8, X4, X5
	VMOVSS       X5, (R8)
	VDIVSS       X4, X8, X5
	VBROADCASTSS X5, Y5
	PLACE(0, 64, 0)
	PLACE(128, 192, 32)
	PLACE(32, 96, 64)
	PLACE(160, 224, 96)
	ADDQ         $256, SI
	ADDQ         $128, DI
	ADDQ         $4, R8
	DECQ         BX
	JNZ          quantise
	VZEROUPPER
	RET

// KEY adds to two accumulators the product of 16 numbers of the query in Y12
// and Y13 with a row.
#define KEY(row, a, b) \
	VCVTPH2PS row, Y8 \
	VCVTPH2PS 16 row, Y9 \
	VFMADD231PS Y12, Y8, a \
	VFMADD231PS Y13, Y9, b

// func dotsAVX2(q *float32, rows *uint16, width, n int, out *float32)
TEXT ·dotsAVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ width+16(FP), DX
	MOVQ n+24(FP), BX
	MOVQ out+32(FP), R8
	ADDQ DX, DX             // bytes of a row
	LEAQ (DX)(DX*2), R9

dots:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	XORQ  CX, CX
	MOVQ  DI, R10

dotsColumn:
	VMOVUPS (SI)(CX*2), Y12
	VMOVUPS 32(SI)(CX*2), Y13
	KEY((R10), Y0, Y4)
	KEY((R10)(DX*1), Y1, Y5)
	KEY((R10)(DX*2), Y2, Y6)
	KEY((R10)(R9*1), Y3, Y7)
	ADDQ    $32, R10
	ADDQ    $32, CX
	CMPQ    CX, DX
	JLT     dotsColumn

	VADDPS  Y4, Y0, Y0
	VADDPS  Y5, Y1, Y1
	VADDPS  Y6, Y2, Y2
	VADDPS  Y7, Y3, Y3
	SUM4
	VMOVUPS X0, (R8)
	ADDQ    $16, R8
	LEAQ    (DI)(DX*4), DI
	SUBQ    $4, BX
	JNZ     dots
	VZEROUPPER
	RET

// VALUE adds to four accumulators 32 numbers of a row times p.
#define VALUE(p, a, b, c, d) \
	VBROADCASTSS p, Y8 \
	VCVTPH2PS (R10), Y9 \
	VCVTPH2PS 16(R10), Y10 \
	VCVTPH2PS 32(R10), Y11 \
	VCVTPH2PS 48(R10), Y12 \
	VFMADD231PS Y8, Y9, a \
	VFMADD231PS Y8, Y10, b \
	VFMADD231PS Y8, Y11, c \
	VFMADD231PS Y8, Y12, d

// func mixAVX2(p *float32, rows *uint16, width, n int, out *float32)
TEXT ·mixAVX2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ width+16(FP), DX
	MOVQ n+24(FP), BX
	MOVQ out+32(FP), R8
	MOVQ DX, R9
	ADDQ DX, DX             // bytes of a row

mix:
	VMOVUPS (R8), Y0
	VMOVUPS 32(R8), Y1
	VMOVUPS 64(R8), Y2
	VMOVUPS 96(R8), Y3
	VPXOR   Y4, Y4, Y4
	VPXOR   Y5, Y5, Y5
	VPXOR   Y6, Y6, Y6
	VPXOR   Y7, Y7, Y7
	MOVQ    DI, R10
	MOVQ    SI, R11
	MOVQ    BX, CX
	SUBQ    $2, CX
	JLT     mixLast

mixTwo:
	VALUE((R11), Y0, Y1, Y2, Y3)
	ADDQ DX, R10
	VALUE(4(R11), Y4, Y5, Y6, Y7)
	ADDQ DX, R10
	ADDQ $8, R11
	SUBQ $2, CX
	JGE  mixTwo

mixLast:
	ADDQ $2, CX
	JZ   mixDone
	VALUE((R11), Y0, Y1, Y2, Y3)

mixDone:
	VADDPS  Y4, Y0, Y0
	VADDPS  Y5, Y1, Y1
	VADDPS  Y6, Y2, Y2
	VADDPS  Y7, Y3, Y3
	VMOVUPS Y0, (R8)
	VMOVUPS Y1, 32(R8)
	VMOVUPS Y2, 64(R8)
	VMOVUPS Y3, 96(R8)
	ADDQ    $128, R8
	ADDQ    $64, DI
	SUBQ    $32, R9
	JNZ     mix
	VZEROUPPER
	RET

// NEXT goes on with Horner's rule.
#define NEXT(i) \
	VBROADCASTSS NUM(i), Y3 \
	VFMADD213PS Y3, Y0, Y2

// EXP replaces Y0 by its exponential, using Y1 to Y3.
#define EXP \
	VBROADCASTSS NUM(0), Y3 \
	VMAXPS Y3, Y0, Y0 \
	VBROADCASTSS NUM(1), Y3 \
	VMINPS Y3, Y0, Y0 \
	VBROADCASTSS NUM(2), Y3 \
	VMULPS Y3, Y0, Y1 \
	VROUNDPS $0, Y1, Y1 \
	VBROADCASTSS NUM(3), Y3 \
	VFNMADD231PS Y3, Y1, Y0 \
	VBROADCASTSS NUM(4), Y3 \
	VFNMADD231PS Y3, Y1, Y0 \
	VBROADCASTSS NUM(5), Y2 \
	NEXT(6) \
	NEXT(7) \
	NEXT(8) \
	NEXT(9) \
	NEXT(10) \
	VMULPS Y0, Y0, Y3 \
	VFMADD213PS Y0, Y3, Y2 \
	VBROADCASTSS NUM(11), Y3 \
	VADDPS Y3, Y2, Y2 \
	VCVTPS2DQ Y1, Y1 \
	VPBROADCASTD NUM(12), Y3 \
	VPADDD Y3, Y1, Y1 \
	VPSLLD $23, Y1, Y1 \
	VMULPS Y1, Y2, Y0

// func softmaxAVX2(x *float32, n int) float32
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-20
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), DX
	VMOVUPS (SI), Y0
	XORQ    CX, CX

softmaxTop:
	VMAXPS (SI)(CX*4), Y0, Y0
	ADDQ   $8, CX
	CMPQ   CX, DX
	JLT    softmaxTop

	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VMAXPS       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VMAXPS       X1, X0, X0
	VBROADCASTSS X0, Y5
	VPXOR        Y6, Y6, Y6
	VPXOR        Y7, Y7, Y7
	XORQ         CX, CX

softmaxExp:
	VMOVUPS (SI)(CX*4), Y0
	VSUBPS  Y5, Y0, Y0
	EXP
	VMOVUPS Y0, (SI)(CX*4)
	VADDPS  Y0, Y6, Y6
	VMOVUPS 32(SI)(CX*4), Y0
	VSUBPS  Y5, Y0, Y0
	EXP
	VMOVUPS Y0, 32(SI)(CX*4)
	VADDPS  Y0, Y7, Y7
	ADDQ    $16, CX
	CMPQ    CX, DX
	JLT     softmaxExp

	VADDPS Y7, Y6, Y0
	SUM
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func swishAVX2(gate, up *float32, n int)
TEXT ·swishAVX2(SB), NOSPLIT, $0-24
	MOVQ         gate+0(FP), SI
	MOVQ         up+8(FP), DI
	MOVQ         n+16(FP), DX
	VPXOR        Y7, Y7, Y7
	VBROADCASTSS NUM(11), Y6
	XORQ         CX, CX

swish:
	VMOVUPS (SI)(CX*4), Y5
	VSUBPS  Y5, Y7, Y0
	EXP
	VADDPS  Y6, Y0, Y0
	VDIVPS  Y0, Y5, Y5
	VMULPS  (DI)(CX*4), Y5, Y5
	VMOVUPS Y5, (SI)(CX*4)
	ADDQ    $8, CX
	CMPQ    CX, DX
	JLT     swish
	VZEROUPPER
	RET
