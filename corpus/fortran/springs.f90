! Loops, array expressions and intrinsics of a module's function, differentiated in reverse mode.
include 'adj_markers.f90'

module springs
  use iso_c_binding
  implicit none
contains
  function energy(x, n) result(e) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: e, t(n)
    integer :: i
    e = 0
    do i = 1, n - 1
      e = e + 0.5d0 * (x(i + 1) - x(i))**2
    end do
    where (x > 1.5d0)
      t = sqrt(x)
    elsewhere
      t = x**2
    end where
    e = e + sum(sin(x)) + dot_product(x, t) + maxval(t) * norm2(x) + product(1 + 0.1d0 * t)
  end function
end module

program main
  use springs
  use adj_markers
  implicit none
  interface
    subroutine autodiff(f, dup, x, dx, const, n) bind(c, name="__enzyme_autodiff")
      import
      type(c_funptr), value :: f
      integer(c_int) :: dup, const
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: n
    end subroutine
  end interface
  real(c_double) :: x(4), dx(4)
  x = [1d0, 2d0, 4d0, 7d0]
  dx = 0
  call autodiff(c_funloc(energy), enzyme_dup, x, dx, enzyme_const, 4)
  print *, 'energy', energy(x, 4)
end program
