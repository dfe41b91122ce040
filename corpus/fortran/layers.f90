! Matrices, allocatable arrays, derived types and subroutines; forward mode.
include 'adj_markers.f90'

module layers
  use iso_c_binding
  implicit none
  type :: layer
    real(c_double) :: weights(3, 3)
    real(c_double) :: bias(3)
  end type
contains
  pure function activation(x) result(y)
    real(c_double), intent(in) :: x
    real(c_double) :: y
    y = x / (1 + exp(-x))
  end function

  subroutine apply(l, x, y)
    type(layer), intent(in) :: l
    real(c_double), intent(in) :: x(:)
    real(c_double), allocatable, intent(out) :: y(:)
    integer :: i
    allocate (y(size(x)))
    y = matmul(l%weights, x) + l%bias
    do i = 1, size(y)
      y(i) = activation(y(i))
    end do
  end subroutine

  subroutine network(x, out) bind(c)
    real(c_double), intent(in) :: x(3)
    real(c_double), intent(out) :: out(3)
    type(layer) :: l
    real(c_double), allocatable :: hidden(:), last(:)
    integer :: i, j
    do j = 1, 3
      do i = 1, 3
        l%weights(i, j) = 0.1d0 * (i + 2 * j) + 0.05d0 * x(1)
      end do
      l%bias(j) = 0.2d0 * j
    end do
    call apply(l, x, hidden)
    call apply(l, hidden, last)
    out = last(3:1:-1) * hidden
  end subroutine
end module

program main
  use layers
  use adj_markers
  implicit none
  interface
    subroutine fwddiff(f, dup, x, dx, also, y, dy) bind(c, name="__enzyme_fwddiff")
      import
      type(c_funptr), value :: f
      integer(c_int) :: dup, also
      real(c_double) :: x(*), dx(*), y(*), dy(*)
    end subroutine
  end interface
  real(c_double) :: x(3), dx(3), y(3), dy(3)
  x = [0.5d0, -0.25d0, 1d0]
  dx = [1d0, 2d0, -1d0]
  y = 0
  dy = 0
  call fwddiff(c_funloc(network), enzyme_dup, x, dx, enzyme_dup, y, dy)
  print *, 'out', y
end program
