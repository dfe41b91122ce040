! Intrinsics on arrays of all shapes, reallocation on assignment, overlapping assignment, and what lists print.
include 'adj_markers.f90'

module shapes
  use iso_c_binding
  implicit none
contains
  function mixed(x, n) result(r) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n, n)
    real(c_double) :: r
    real(c_double), allocatable :: rows(:), columns(:), turned(:, :)
    rows = sum(x, dim=1)
    columns = sum(x * x, dim=2)
    turned = transpose(x)
    rows = rows(n:1:-1)
    columns = matmul(turned, columns)
    r = dot_product(rows, columns) / norm2(x) + minval(columns) * sum(rows, mask=rows > 2)
  end function
end module

program main
  use shapes
  use adj_markers
  implicit none
  interface
    function gradient(f, dup, x, dx, const, n) bind(c, name="__enzyme_autodiff_mixed")
      import
      type(c_funptr), value :: f
      integer(c_int) :: dup, const
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: n
      real(c_double) :: gradient
    end function
  end interface
  real(c_double), allocatable :: a(:, :), s(:), b(:)
  real(c_double) :: w(3, 2), x(3, 3), dx(3, 3), ignored
  integer :: i
  logical :: m(3)
  character(5) :: t
  w = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [3, 2])
  s = sum(w, dim=1)
  print *, s, sum(w, dim=2), sum(w)
  a = transpose(w)
  print *, a, size(a, 1), shape(a)
  b = a(:, 2)
  b = b(2:1:-1)
  print *, b, matmul(w, b), matmul(b, a)
  m = [.true., .false., .true.]
  print *, sum([1d0, 2d0, 3d0], mask=m), count(m), any(m), all(m), maxval([3, 1, 2]), minval([2.5, 1.5])
  print *, merge(1d0, 2d0, m), 1.5e-3, 2.5e10, huge(1d0), tiny(1d0), epsilon(1.0), 1d15, 1d14, 0d0, -0d0
  t = 'abc'
  print *, t, 'x', 1, t, (1d0, -2d0)
  print *
  do i = 1, 3
    print *, 'i =', i, i * 1.5d0, real(i) / 3
  end do
  x = reshape([(0.25d0 * i + 0.1d0 * i * i, i=1, 9)], [3, 3])
  dx = 0
  ignored = gradient(c_funloc(mixed), enzyme_dup, x, dx, enzyme_const, 3)
end program
