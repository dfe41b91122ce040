! The markers of differentiated calls, for Fortran: `include 'adj_markers.f90'` before the first program unit of a file,
! and `use adj_markers` in those that differentiate. A call is that of an external procedure with an interface of its own:
!
!     interface
!       subroutine gradient(f, dup, x, dx, const, n) bind(c, name="__enzyme_autodiff")
!         import
!         type(c_funptr), value :: f
!         integer(c_int) :: dup, const
!         real(c_double) :: x(*), dx(*)
!         integer(c_int), value :: n
!       end subroutine
!     end interface
!     call gradient(c_funloc(energy), enzyme_dup, x, dx, enzyme_const, n)
!
! Names that contain `__enzyme_autodiff`, such as `__enzyme_autodiff_energy`, mean the same, so that there may be several
! interfaces. What is differentiated has `bind(c)`.
module adj_markers
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_dupnoneed") :: enzyme_dupnoneed
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
  integer(c_int), bind(c, name="enzyme_out") :: enzyme_out
  integer(c_int), bind(c, name="enzyme_width") :: enzyme_width
end module
