//go:build amd64 && !purego

#include "textflag.h"
#include "const_amd64.h"

// Which of a row's two scales a lane takes.
DATA pair<>+0(SB)/8, $0
DATA pair<>+8(SB)/8, $0
DATA pair<>+16(SB)/8, $0
DATA pair<>+24(SB)/8, $0
DATA pair<>+32(SB)/8, $0x0000000100000001
DATA pair<>+40(SB)/8, $0x0000000100000001
DATA pair<>+48(SB)/8, $0x0000000100000001
DATA pair<>+56(SB)/8, $0x0000000100000001
GLOBL pair<>(SB), RODATA|NOPTR, $64

// WEIGHTS takes 64 weights from SI, as 16-bit numbers shifted by a byte, to
// Z17 and Z18, and their two scales from DI, one to each lane, to Z19. Z30 is
// pair, Z31 zero.
#define WEIGHTS \
	VMOVDQU64 (SI), Z16 \
	VPUNPCKLBW Z16, Z31, Z17 \
	VPUNPCKHBW Z16, Z31, Z18 \
	VBROADCASTSD (DI), Z19 \
	VPERMPS Z19, Z30, Z19

// TOKEN adds to acc the product of the weights with 64 activations.
#define TOKEN(x, xs, t, acc) \
	VPMADDWD (x)(CX*2), Z17, t \
	VPDPWSSD 64(x)(CX*2), Z18, t \
	VCVTDQ2PS t, t \
	VMULPS Z19, t, t \
	VFMADD231PS.BCST xs, t, acc

// HALVE adds the upper half of z to its lower one.
#define HALVE(z, y) \
	VEXTRACTF64X4 $1, z, Y4 \
	VADDPS Y4, y, y

// func fourAVX512(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32, stride int)
TEXT ·fourAVX512(SB), NOSPLIT, $0-64
	MOVQ      w+0(FP), SI
	MOVQ      ws+8(FP), DI
	MOVQ      x+16(FP), R8
	MOVQ      xs+24(FP), R15
	MOVQ      cols+32(FP), DX
	MOVQ      rows+40(FP), BX
	MOVQ      out+48(FP), R14
	LEAQ      (R8)(DX*2), R9
	LEAQ      (R9)(DX*2), R10
	LEAQ      (R10)(DX*2), R11
	MOVQ      DX, AX
	SHRQ      $4, AX            // bytes from one token's scales to the next's
	LEAQ      (AX)(AX*2), R13
	VMOVDQU64 pair<>(SB), Z30
	VPXORQ    Z31, Z31, Z31

fourRow:
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	MOVQ   R15, R12
	XORQ   CX, CX

fourColumn:
	WEIGHTS
	TOKEN(R8, (R12), Z20, Z0)
	TOKEN(R9, (R12)(AX*1), Z21, Z1)
	TOKEN(R10, (R12)(AX*2), Z22, Z2)
	TOKEN(R11, (R12)(R13*1), Z23, Z3)
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $4, R12
	ADDQ $64, CX
	CMPQ CX, DX
	JLT  fourColumn

	HALVE(Z0, Y0)
	HALVE(Z1, Y1)
	HALVE(Z2, Y2)
	HALVE(Z3, Y3)
	SUM4
	VMULPS.BCST NUM(14), X0, X0
	MOVQ        stride+56(FP), R12
	SHLQ        $2, R12
	VMOVSS      X0, (R14)
	VEXTRACTPS  $1, X0, (R14)(R12*1)
	VEXTRACTPS  $2, X0, (R14)(R12*2)
	LEAQ        (R12)(R12*2), R12
	VEXTRACTPS  $3, X0, (R14)(R12*1)
	ADDQ        $4, R14
	DECQ        BX
	JNZ         fourRow
	VZEROUPPER
	RET

// func oneAVX512(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32)
TEXT ·oneAVX512(SB), NOSPLIT, $0-56
	MOVQ      w+0(FP), SI
	MOVQ      ws+8(FP), DI
	MOVQ      x+16(FP), R8
	MOVQ      xs+24(FP), R15
	MOVQ      cols+32(FP), DX
	MOVQ      rows+40(FP), BX
	MOVQ      out+48(FP), R14
	VMOVDQU64 pair<>(SB), Z30
	VPXORQ    Z31, Z31, Z31

oneRow:
	VPXORQ Z0, Z0, Z0
	MOVQ   R15, R12
	XORQ   CX, CX

oneColumn:
	PREFETCHT0 4096(SI)
	WEIGHTS
	TOKEN(R8, (R12), Z20, Z0)
	ADDQ $64, SI
	ADDQ $8, DI
	ADDQ $4, R12
	ADDQ $64, CX
	CMPQ CX, DX
	JLT  oneColumn

	HALVE(Z0, Y0)
	SUM
	VMULSS NUM(14), X0, X0
	VMOVSS X0, (R14)
	ADDQ   $4, R14
	DECQ   BX
	JNZ    oneRow
	VZEROUPPER
	RET

// MOST keeps in Z4 the greatest absolute value; Z6 is the mask for it.
#define MOST(z) \
	VPANDD Z6, z, Z5 \
	VMAXPS Z5, Z4, Z4

// PLACE makes integers of 16 activations and stores the halves apart.
#define PLACE(z, y, x, o) \
	VMULPS Z5, z, z \
	VCVTPS2DQ z, z \
	VPMOVSDW z, y \
	VMOVDQU x, o(DI) \
	VEXTRACTI128 $1, y, (o+64)(DI)

// func quantiseAVX512(x *float32, q *int16, scales *float32, chunks int)
TEXT ·quantiseAVX512(SB), NOSPLIT, $0-32
	MOVQ         x+0(FP), SI
	MOVQ         q+8(FP), DI
	MOVQ         scales+16(FP), R8
	MOVQ         chunks+24(FP), BX
	VPBROADCASTD NUM(13), Z6
	VMOVSS       NUM(15), X8

quantise:
	VMOVUPS       (SI), Z0
	VMOVUPS       64(SI), Z1
	VMOVUPS       128(SI), Z2
	VMOVUPS       192(SI), Z3
	VPANDD        Z6, Z0, Z4
	MOST(Z1)
	MOST(Z2)
	MOST(Z3)
	VEXTRACTF64X4 $1, Z4, Y5
	VMAXPS        Y5, Y4, Y4
	VEXTRACTF128  $1, Y4, X5
	VMAXPS        X5, X4, X4
	VPSHUFD       $0x4e, X4, X5
	VMAXPS        X5, X4, X4
	VPSHUFD       $0xb1, X4, X5
	VMAXPS        X5, X4, X4
	VMAXSS        NUM(16), X4, X4
	VDIVSS        X8, X4, X5
	VMOVSS        X5, (R8)
	VDIVSS        X4, X8, X5
	VBROADCASTSS  X5, Z5
	PLACE(Z0, Y0, X0, 0)
	PLACE(Z1, Y1, X1, 16)
	PLACE(Z2, Y2, X2, 32)
	PLACE(Z3, Y3, X3, 48)
	ADDQ          $256, SI
	ADDQ          $128, DI
	ADDQ          $4, R8
	DECQ          BX
	JNZ           quantise
	VZEROUPPER
	RET

// KEY adds to acc the product of 16 numbers of the query in Z8 with a row.
#define KEY(row, t, acc) \
	VCVTPH2PS row, t \
	VFMADD231PS Z8, t, acc

// func dotsAVX512(q *float32, rows *uint16, width, n int, out *float32)
TEXT ·dotsAVX512(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ width+16(FP), DX
	MOVQ n+24(FP), BX
	MOVQ out+32(FP), R8
	ADDQ DX, DX             // bytes of a row
	LEAQ (DX)(DX*2), R9

dots:
	VPXORQ Z0, Z0, Z0
	VPXORQ Z1, Z1, Z1
	VPXORQ Z2, Z2, Z2
	VPXORQ Z3, Z3, Z3
	XORQ   CX, CX
	MOVQ   DI, R10

dotsColumn:
	VMOVUPS (SI)(CX*2), Z8
	KEY((R10), Z4, Z0)
	KEY((R10)(DX*1), Z5, Z1)
	KEY((R10)(DX*2), Z6, Z2)
	KEY((R10)(R9*1), Z7, Z3)
	ADDQ    $32, R10
	ADDQ    $32, CX
	CMPQ    CX, DX
	JLT     dotsColumn

	HALVE(Z0, Y0)
	HALVE(Z1, Y1)
	HALVE(Z2, Y2)
	HALVE(Z3, Y3)
	SUM4
	VMOVUPS X0, (R8)
	ADDQ    $16, R8
	LEAQ    (DI)(DX*4), DI
	SUBQ    $4, BX
	JNZ     dots
	VZEROUPPER
	RET

// VALUE adds to two accumulators 32 numbers of a row times p.
#define VALUE(o, p, a, b) \
	VBROADCASTSS p, Z4 \
	VCVTPH2PS o, Z5 \
	VCVTPH2PS 32 o, Z6 \
	VFMADD231PS Z4, Z5, a \
	VFMADD231PS Z4, Z6, b

// func mixAVX512(p *float32, rows *uint16, width, n int, out *float32)
//
// Rows of even and odd number have sums of their own, so that one addition
// does not wait for the other.
TEXT ·mixAVX512(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ rows+8(FP), DI
	MOVQ width+16(FP), DX
	MOVQ n+24(FP), BX
	MOVQ out+32(FP), R8
	MOVQ DX, R9
	ADDQ DX, DX             // bytes of a row

mix:
	VMOVUPS (R8), Z0
	VMOVUPS 64(R8), Z1
	VPXORQ  Z2, Z2, Z2
	VPXORQ  Z3, Z3, Z3
	MOVQ    DI, R10
	MOVQ    SI, R11
	MOVQ    BX, CX
	SUBQ    $2, CX
	JLT     mixLast

mixTwo:
	VALUE((R10), (R11), Z0, Z1)
	ADDQ DX, R10
	VALUE((R10), 4(R11), Z2, Z3)
	ADDQ DX, R10
	ADDQ $8, R11
	SUBQ $2, CX
	JGE  mixTwo

mixLast:
	ADDQ $2, CX
	JZ   mixDone
	VALUE((R10), (R11), Z0, Z1)

mixDone:
	VADDPS  Z2, Z0, Z0
	VADDPS  Z3, Z1, Z1
	VMOVUPS Z0, (R8)
	VMOVUPS Z1, 64(R8)
	ADDQ    $128, R8
	ADDQ    $64, DI
	SUBQ    $32, R9
	JNZ     mix
	VZEROUPPER
	RET

// EXP replaces Z0 by its exponential, using Z1 to Z3.
#define EXP \
	VMAXPS.BCST NUM(0), Z0, Z0 \
	VMINPS.BCST NUM(1), Z0, Z0 \
	VMULPS.BCST NUM(2), Z0, Z1 \
	VRNDSCALEPS $0, Z1, Z1 \
	VFNMADD231PS.BCST NUM(3), Z1, Z0 \
	VFNMADD231PS.BCST NUM(4), Z1, Z0 \
	VBROADCASTSS NUM(5), Z2 \
	VFMADD213PS.BCST NUM(6), Z0, Z2 \
	VFMADD213PS.BCST NUM(7), Z0, Z2 \
	VFMADD213PS.BCST NUM(8), Z0, Z2 \
	VFMADD213PS.BCST NUM(9), Z0, Z2 \
	VFMADD213PS.BCST NUM(10), Z0, Z2 \
	VMULPS Z0, Z0, Z3 \
	VFMADD213PS Z0, Z3, Z2 \
	VADDPS.BCST NUM(11), Z2, Z2 \
	VCVTPS2DQ Z1, Z1 \
	VPADDD.BCST NUM(12), Z1, Z1 \
	VPSLLD $23, Z1, Z1 \
	VMULPS Z1, Z2, Z0

// func softmaxAVX512(x *float32, n int) float32
TEXT ·softmaxAVX512(SB), NOSPLIT, $0-20
	MOVQ    x+0(FP), SI
	MOVQ    n+8(FP), DX
	VMOVUPS (SI), Z0
	XORQ    CX, CX

softmaxTop:
	VMAXPS (SI)(CX*4), Z0, Z0
	ADDQ   $16, CX
	CMPQ   CX, DX
	JLT    softmaxTop

	VEXTRACTF64X4 $1, Z0, Y1
	VMAXPS        Y1, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VMAXPS        X1, X0, X0
	VPSHUFD       $0x4e, X0, X1
	VMAXPS        X1, X0, X0
	VPSHUFD       $0xb1, X0, X1
	VMAXPS        X1, X0, X0
	VBROADCASTSS  X0, Z5
	VPXORQ        Z6, Z6, Z6
	XORQ          CX, CX

softmaxExp:
	VMOVUPS (SI)(CX*4), Z0
	VSUBPS  Z5, Z0, Z0
	EXP
	VMOVUPS Z0, (SI)(CX*4)
	VADDPS  Z0, Z6, Z6
	ADDQ    $16, CX
	CMPQ    CX, DX
	JLT     softmaxExp

	VMOVAPS Z6, Z0
	HALVE(Z0, Y0)
	SUM
	VMOVSS  X0, ret+16(FP)
	VZEROUPPER
	RET

// func swishAVX512(gate, up *float32, n int)
TEXT ·swishAVX512(SB), NOSPLIT, $0-24
	MOVQ         gate+0(FP), SI
	MOVQ         up+8(FP), DI
	MOVQ         n+16(FP), DX
	VPXORQ       Z7, Z7, Z7
	VBROADCASTSS NUM(11), Z6
	XORQ         CX, CX

swish:
	VMOVUPS (SI)(CX*4), Z5
	VSUBPS  Z5, Z7, Z0
	EXP
	VADDPS  Z6, Z0, Z0
	VDIVPS  Z0, Z5, Z5
	VMULPS  (DI)(CX*4), Z5, Z5
	VMOVUPS Z5, (SI)(CX*4)
	ADDQ    $16, CX
	CMPQ    CX, DX
	JLT     swish
	VZEROUPPER
	RET
