; Conversion operations.

@byte = global i8 1

declare i1 @llvm.fptosi.sat.i1.f64(double)

; "The trunc instruction truncates the high order bits in value". "If the nuw keyword is present, and any of the
; truncated bits are non-zero, the result is a poison value. If the nsw keyword is present, and any of the truncated
; bits are not the same as the top bit of the truncation result, the result is a poison value."
; expect: -1
define i8 @trunc_plain() {
  %r = trunc i32 511 to i8
  ret i8 %r
}

; expect: -1
define i64 @trunc_wide() {
  %r = trunc i128 -1 to i64
  ret i64 %r
}

; expect: 0
define i1 @trunc_to_bool() {
  %r = trunc i8 6 to i1
  ret i1 %r
}

define i8 @trunc_nuw_poison() {
  %r = trunc nuw i16 256 to i8 ;~ poison
  ret i8 %r
}

; expect: -1
define i8 @trunc_nuw_fits() {
  %r = trunc nuw i16 255 to i8
  ret i8 %r
}

define i8 @trunc_nsw_poison() {
  %r = trunc nsw i16 128 to i8 ;~ poison
  ret i8 %r
}

; expect: -128
define i8 @trunc_nsw_fits() {
  %r = trunc nsw i16 -128 to i8
  ret i8 %r
}

define i8 @trunc_both_poison() {
  %r = trunc nuw nsw i16 200 to i8 ;~ poison
  ret i8 %r
}

define i64 @trunc_nsw_wide() {
  %r = trunc nsw i128 9223372036854775808 to i64 ;~ poison
  ret i64 %r
}

; "The zext fills the high order bits of the value with zero bits". "If the nneg flag is set, and the zext argument is
; negative, the result is a poison value."
; expect: 255
define i32 @zext_plain() {
  %r = zext i8 -1 to i32
  ret i32 %r
}

; expect: 1
define i8 @zext_bool() {
  %r = zext i1 true to i8
  ret i8 %r
}

; expect: 18446744073709551615
define i128 @zext_wide() {
  %r = zext i64 -1 to i128
  ret i128 %r
}

define i32 @zext_nneg_poison() {
  %r = zext nneg i8 -1 to i32 ;~ poison
  ret i32 %r
}

; expect: 127
define i32 @zext_nneg_fits() {
  %r = zext nneg i8 127 to i32
  ret i32 %r
}

; "When sign extending from i1, the extension always results in -1 or 0."
; expect: -1
define i32 @sext_bool() {
  %r = sext i1 true to i32
  ret i32 %r
}

; expect: -2
define i128 @sext_wide() {
  %r = sext i8 -2 to i128
  ret i128 %r
}

; "The fptoui instruction converts its floating-point operand into the nearest (rounding towards zero) unsigned
; integer value. If the value cannot fit in ty2, the result is a poison value."
; expect: -1
define i8 @fptoui_fits() {
  %r = fptoui double 255.9 to i8
  ret i8 %r
}

define i8 @fptoui_large() {
  %r = fptoui double 256.0 to i8 ;~ poison
  ret i8 %r
}

; expect: 0
define i8 @fptoui_above_minus_one() {
  %r = fptoui double -0.9 to i8
  ret i8 %r
}

define i8 @fptoui_minus_one() {
  %r = fptoui double -1.0 to i8 ;~ poison
  ret i8 %r
}

define i32 @fptoui_nan() {
  %r = fptoui float 0x7FF8000000000000 to i32 ;~ poison
  ret i32 %r
}

; expect: -2048
define i64 @fptoui_word() {
  %r = fptoui double 0x43EFFFFFFFFFFFFF to i64
  ret i64 %r
}

; "The fptosi instruction converts floating-point value to type ty2" in the same way.
; expect: -128
define i8 @fptosi_lowest() {
  %r = fptosi double -128.9 to i8
  ret i8 %r
}

define i8 @fptosi_below() {
  %r = fptosi double -129.0 to i8 ;~ poison
  ret i8 %r
}

define i64 @fptosi_infinity() {
  %r = fptosi double 0x7FF0000000000000 to i64 ;~ poison
  ret i64 %r
}

; expect: -1000000000000000019884624838656
define i128 @fptosi_wide() {
  %r = fptosi double -1.0e30 to i128
  ret i128 %r
}

; expect: {1, poison}
define <2 x i32> @fptosi_lanes() {
  %r = fptosi <2 x double> <double 1.5, double 1.0e10> to <2 x i32>
  ret <2 x i32> %r
}

; A signed integer of one bit is 0 or -1.
; expect: -1
define i1 @fptosi_bit() {
  %r = fptosi double -1.9 to i1
  ret i1 %r
}

; expect: 0
define i1 @fptosi_bit_fraction() {
  %r = fptosi float 0.5 to i1
  ret i1 %r
}

define i1 @fptosi_bit_above() {
  %r = fptosi double 1.0 to i1 ;~ poison
  ret i1 %r
}

; expect: 0
define i1 @fptosi_sat_bit() {
  %r = call i1 @llvm.fptosi.sat.i1.f64(double 7.5)
  ret i1 %r
}

; expect: -5
define i16 @fptosi_half() {
  %r = fptosi half 0xHC580 to i16
  ret i16 %r
}

; "If the value cannot be exactly represented, it is rounded using the default rounding mode." (sitofp, uitofp)
; expect: 16777216
define float @sitofp_rounds_to_even() {
  %r = sitofp i32 16777217 to float
  ret float %r
}

; expect: 16777220
define float @sitofp_rounds_up() {
  %r = sitofp i32 16777219 to float
  ret float %r
}

; expect: 0xc3e0000000000000
define double @sitofp_lowest() {
  %r = sitofp i64 -9223372036854775808 to double
  ret double %r
}

; expect: 18446744073709552000
define double @uitofp_all_ones() {
  %r = uitofp i64 -1 to double
  ret double %r
}

; expect: 18446744073709552000
define double @uitofp_wide() {
  %r = uitofp i128 18446744073709551616 to double
  ret double %r
}

; expect: -1
define double @sitofp_bool() {
  %r = sitofp i1 true to double
  ret double %r
}

; expect: 1
define double @uitofp_bool() {
  %r = uitofp i1 true to double
  ret double %r
}

; "If the nneg flag is set, and the uitofp argument is negative, the result is a poison value."
define double @uitofp_nneg_poison() {
  %r = uitofp nneg i8 -1 to double ;~ poison
  ret double %r
}

; expect: 100
define double @uitofp_nneg_fits() {
  %r = uitofp nneg i8 100 to double
  ret double %r
}

; "If the value cannot fit (i.e. overflows) … the result is rounded using the default rounding mode" (fptrunc): to
; even, to infinity.
; expect: 1
define float @fptrunc_tie() {
  %r = fptrunc double 0x3FF0000010000000 to float
  ret float %r
}

; expect: 0x3f800001
define float @fptrunc_above_tie() {
  %r = fptrunc double 0x3FF0000010000001 to float
  ret float %r
}

; expect: inf
define float @fptrunc_infinity() {
  %r = fptrunc double 1.0e300 to float
  ret float %r
}

; expect: 0x1
define half @fptrunc_subnormal() {
  %r = fptrunc double 0x3E70000000000000 to half
  ret half %r
}

; expect: 0x3f80
define bfloat @fptrunc_bfloat() {
  %r = fptrunc float 0x3FF0100000000000 to bfloat
  ret bfloat %r
}

; expect: 1
define double @fptrunc_fp80() {
  %r = fptrunc x86_fp80 0xK3FFF8000000000000001 to double
  ret double %r
}

; expect: 1
define double @fptrunc_quad() {
  %r = fptrunc fp128 0xL00000000000000013FFF000000000000 to double
  ret double %r
}

; "The fpext instruction extends a floating-point value to a larger floating-point value" exactly.
; expect: 0x36a0000000000000
define double @fpext_subnormal() {
  %r = fpext float 0x36A0000000000000 to double
  ret double %r
}

; expect: 0xffff0000000000000000000000000000
define fp128 @fpext_infinity() {
  %r = fpext float 0xFFF0000000000000 to fp128
  ret fp128 %r
}

; "If value is smaller than ty2 then a zero extension is done. If value is larger than ty2 then a truncation is done."
; (ptrtoint, inttoptr)
; expect: -1
define i1 @ptrtoint_truncates() {
  %a = ptrtoint ptr @byte to i64
  %b = ptrtoint ptr @byte to i8
  %c = trunc i64 %a to i8
  %r = icmp eq i8 %b, %c
  ret i1 %r
}

; expect: -1
define i1 @ptrtoint_extends() {
  %a = ptrtoint ptr @byte to i128
  %b = lshr i128 %a, 64
  %r = icmp eq i128 %b, 0
  ret i1 %r
}

; expect: 1
define i8 @inttoptr_back() {
  %a = ptrtoint ptr @byte to i64
  %p = inttoptr i64 %a to ptr
  %r = load i8, ptr %p
  ret i8 %r
}

; expect: -1
define i1 @inttoptr_of_narrow() {
  %p = inttoptr i8 0 to ptr
  %r = icmp eq ptr %p, null
  ret i1 %r
}

; "The bitcast instruction converts value to type ty2. It is always a no-op cast because no bits change with this
; conversion." Lane 0 is the lowest in memory.
; expect: {1, 2, 3, 4}
define <4 x i8> @bitcast_to_lanes() {
  %r = bitcast i32 67305985 to <4 x i8>
  ret <4 x i8> %r
}

; expect: 5
define i4 @bitcast_from_bits() {
  %r = bitcast <4 x i1> <i1 true, i1 false, i1 true, i1 false> to i4
  ret i4 %r
}

; expect: 1065353216
define i32 @bitcast_float() {
  %r = bitcast float 1.0 to i32
  ret i32 %r
}

; expect: -1073726464
define i32 @bitcast_half_lanes() {
  %r = bitcast <2 x half> <half 0xH3C00, half 0xHC000> to i32
  ret i32 %r
}

; expect: 9219994337134247937
define i64 @bitcast_keeps_nan() {
  %d = bitcast i64 9219994337134247937 to double
  %r = bitcast double %d to i64
  ret i64 %r
}

; A poison lane is poison in every result lane that it touches, and only there.
; expect: {poison, 1027}
define <2 x i16> @bitcast_poison_lane() {
  %r = bitcast <4 x i8> <i8 1, i8 poison, i8 3, i8 4> to <2 x i16>
  ret <2 x i16> %r
}

define i32 @bitcast_poison_whole() {
  %r = bitcast <4 x i8> <i8 1, i8 poison, i8 3, i8 4> to i32 ;~ poison
  ret i32 %r
}
