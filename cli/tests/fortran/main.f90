! Compares the gradient of a function of another file with differences.
include 'adj_markers.f90'
program main
  use physics
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
  real(c_double) :: x(3, 4), dx(3, 4), up, down
  real(c_double), parameter :: h = 1d-6
  integer :: i
  x = reshape([0d0, 0d0, 0d0, 1.1d0, 0d0, 0d0, 0d0, 1.2d0, 0.1d0, 0.3d0, 0.2d0, 1d0], [3, 4])
  dx = 0
  call autodiff(c_funloc(potential), enzyme_dup, x, dx, enzyme_const, 4)
  do i = 1, 3
    x(i, 2) = x(i, 2) + h
    up = potential(x, 4)
    x(i, 2) = x(i, 2) - 2 * h
    down = potential(x, 4)
    x(i, 2) = x(i, 2) + h
    print *, abs(dx(i, 2) - (up - down) / (2 * h)) < 1d-5 * max(1d0, abs(dx(i, 2)))
  end do
end program
