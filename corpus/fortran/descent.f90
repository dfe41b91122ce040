! Rank-2 arrays of caller's memory, recursion, select case, common blocks of constants; reverse mode.
include 'adj_markers.f90'

module descent
  use iso_c_binding
  implicit none
  real(c_double), parameter :: step = 0.125d0
contains
  recursive function horner(a, n, t) result(v)
    integer, intent(in) :: n
    real(c_double), intent(in) :: a(n), t
    real(c_double) :: v
    if (n == 1) then
      v = a(1)
    else
      v = a(1) + t * horner(a(2:), n - 1, t)
    end if
  end function

  subroutine smooth(u, m, n, kind) bind(c)
    integer(c_int), value :: m, n, kind
    real(c_double), intent(inout) :: u(m, n)
    real(c_double) :: w(m, n)
    integer :: i, j
    w = u
    do j = 2, n - 1
      do i = 2, m - 1
        select case (kind)
        case (1)
          u(i, j) = w(i, j) + step * (w(i - 1, j) + w(i + 1, j) + w(i, j - 1) + w(i, j + 1) - 4 * w(i, j))
        case default
          u(i, j) = w(i, j) * horner(w(:, j), m, step)
        end select
      end do
    end do
    u(1, :) = sum(u, dim=1) / m
  end subroutine
end module

program main
  use descent
  use adj_markers
  implicit none
  interface
    subroutine autodiff(f, dup, u, du, c1, m, c2, n, c3, kind) bind(c, name="__enzyme_autodiff")
      import
      type(c_funptr), value :: f
      integer(c_int) :: dup, c1, c2, c3
      real(c_double) :: u(*), du(*)
      integer(c_int), value :: m, n, kind
    end subroutine
  end interface
  real(c_double) :: u(4, 4), du(4, 4)
  integer :: i, j, kind
  do kind = 1, 2
    do j = 1, 4
      do i = 1, 4
        u(i, j) = 0.5d0 * i - 0.25d0 * j * j
        du(i, j) = i + 0.5d0 * j
      end do
    end do
    call autodiff(c_funloc(smooth), enzyme_dup, u, du, enzyme_const, 4, enzyme_const, 4, enzyme_const, kind)
    print *, kind, u(1, :)
  end do
end program
